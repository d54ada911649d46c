import EvalCore
import EvalEngine
import EvalProviders
import EvalRouting
import EvalStore

/// Makes the providers and policies of a plan: live, recording or from a recording.
struct CallWiring {
  let session: Session
  let suite: Suite
  let plan: Plan
  let settings: RunSettings

  struct Calls: Sendable {
    var providers: [String: any Provider]
    var policies: [String: any Policy]
    /// `nil` when nobody judges.
    var judges: JudgeDesk?
    var redactor: Redactor
    var provenance: Provenance
    /// The recording's own words about itself; `nil` for live calls.
    var recording: String?
    /// A recording is made.
    var isRecording: Bool
    /// What is to be said of a recording, once the run has ended.
    var findings: @Sendable () -> [Finding]
  }

  func make() throws(CommandFailure) -> Calls {
    let transport = HTTPTransport(maxConnections: 1024, userAgent: "evalrun/\(evalrunVersion)")
    let factory: ProviderFactory
    do {
      factory = try ProviderFactory(
        mode, transport: transport, environment: session.environment,
        allowsCommands: session.arguments.has("allow-commands"))
    } catch {
      throw CommandFailure(error)
    }
    var providers: [String: any Provider] = [:]
    var policies: [String: any Policy] = [:]
    var problems: [Problem] = []
    for case .profile(let profile) in plan.targets {
      providers[profile.name] = make(profile, factory, &problems)
      policies[profile.name] = SingleProfile(profile: profile.name)
    }
    let routes = plannedRoutes
    for (name, policy) in routes { policies[name] = policy }
    for arm in arms(of: routes) where providers[arm.name] == nil {
      providers[arm.name] = make(arm, factory, &problems)
    }
    if factory.provenance == .live { try refuseUnprotected(routes) }
    var judges: [String: any Provider] = [:]
    for profile in suite.judges {
      judges[profile.name] = providers[profile.name] ?? make(profile, factory, &problems)
    }
    guard problems.isEmpty else {
      for problem in problems { session.console.problem(problem) }
      throw CommandFailure(.usage, "\(counted(problems.count, "error")) in \(suite.path); nothing ran")
    }
    return Calls(
      providers: providers, policies: policies, judges: desk(judges),
      redactor: Redactor(secrets: factory.resolver.secrets),
      provenance: factory.provenance, recording: factory.recording,
      isRecording: session.arguments.has("record"), findings: { factory.findings })
  }

  /// The planned routes' policies, by name. Loading the suite has found them right.
  private var plannedRoutes: [(name: String, policy: RoutePolicy)] {
    let policies = RouteReading(suite: suite).read(knowsCases: false).policies
    return plan.targets.compactMap { target in
      guard case .route(let route) = target else { return nil }
      return policies[route.name].map { (route.name, $0) }
    }
  }

  /// The profiles that routes may call, in the suite's order.
  private func arms(of routes: [(name: String, policy: RoutePolicy)]) -> [Profile] {
    let names = Set(routes.flatMap(\.policy.arms))
    return suite.profiles.filter { names.contains($0.name) }
  }

  /// A policy under study sends what it should not: never to somebody else's machine.
  private func refuseUnprotected(_ routes: [(name: String, policy: RoutePolicy)]) throws(CommandFailure) {
    for (name, policy) in routes {
      guard let reason = policy.liveRefusal else { continue }
      throw CommandFailure(
        .usage, "the route '\(name)' does not run live: \(reason)",
        advice: "replay it over recorded answers: evalrun route replay RUN --policy FILE, or --replay FILE")
    }
  }

  /// The provider of a profile; `nil` after noting why there is none.
  private func make(
    _ profile: Profile, _ factory: ProviderFactory, _ problems: inout [Problem]
  ) -> (any Provider)? {
    do {
      return try factory.make(profile)
    } catch {
      var problem = error
      problem.path = ["profiles", profile.name, problem.path].compactMap(\.self).joined(separator: ".")
      problems.append(problem)
      return nil
    }
  }

  private func desk(_ providers: [String: any Provider]) -> JudgeDesk? {
    guard !providers.isEmpty else { return nil }
    let capabilities = suite.judges.map { ($0.name, ProviderRegistry.capabilities(of: $0)) }
    return JudgeDesk(
      providers: providers, capabilities: Dictionary(capabilities, uniquingKeysWith: { first, _ in first }))
  }

  /// `--live`, `--record` and `--replay`, else what the suite says.
  private var mode: ProviderMode {
    get throws(CommandFailure) {
      let arguments = session.arguments
      let asked = ["live", "record", "replay"].filter { arguments.has($0) }
      if asked.contains("replay"), asked.count > 1 {
        throw CommandFailure(.usage, "--replay calls nobody; it does not go with --\(asked[0])")
      }
      if let path = arguments.text("record") {
        return .recording(to: path, header: recordingHeader, isPrivate: settings.isPrivate)
      }
      guard !arguments.has("live"), let path = arguments.text("replay") ?? suite.replayFile else {
        return .live
      }
      let pace = arguments.text("pace").flatMap(ReplayPace.init(rawValue:))
      return .replaying(
        path, pace: pace ?? suite.replayPace,
        includeFailures: arguments.has("replay-failures") || suite.replaysFailures && !arguments.has("replay")
      )
    }
  }

  private var recordingHeader: RecordingHeader {
    let targets = plan.calledProfiles(suite, policies: Dictionary(uniqueKeysWithValues: plannedRoutes))
    let profiles = targets + suite.judges.filter { judge in !targets.contains { $0.name == judge.name } }
    return RecordingHeader(
      toolVersion: evalrunVersion,
      description: RecordingHeader.description(machine: RunIdentity.machine, profiles: profiles))
  }

  /// Live providers for some profiles, in their order.
  static func live(
    _ profiles: [Profile], session: Session
  ) throws(CommandFailure) -> (providers: [any Provider], redactor: Redactor) {
    let transport = HTTPTransport(maxConnections: 64, userAgent: "evalrun/\(evalrunVersion)")
    let factory = ProviderFactory(
      transport: transport, environment: session.environment,
      allowsCommands: session.arguments.has("allow-commands"))
    var providers: [any Provider] = []
    for profile in profiles {
      do {
        providers.append(try factory.make(profile))
      } catch {
        throw CommandFailure(error)
      }
    }
    return (providers, Redactor(secrets: factory.resolver.secrets))
  }
}

extension CallWiring.Calls {
  /// Vectors of earlier runs, where they may stand in for calls.
  ///
  /// - Parameter isFresh: nothing of earlier runs is wanted.
  func shelf(_ suite: Suite, _ store: RunStore, isFresh: Bool) throws(CommandFailure) -> (any EmbeddingShelf)?
  {
    // A recording holds every call, whatever is known already, and is replayed as it is.
    guard !suite.embedders.isEmpty, provenance == .live, !isRecording, !isFresh else { return nil }
    do {
      return try store.embeddings()
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension Plan {
  /// Every profile that is called, as a target or as an arm of a route, in the suite's order.
  func calledProfiles(_ suite: Suite, policies: [String: any Policy]) -> [Profile] {
    var names: Set<String> = []
    for target in targets {
      switch target {
      case .profile(let profile): names.insert(profile.name)
      case .route(let route): names.formUnion(policies[route.name]?.arms ?? [])
      }
    }
    return suite.profiles.filter { names.contains($0.name) }
  }
}
