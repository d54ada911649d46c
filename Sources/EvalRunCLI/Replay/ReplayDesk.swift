import EvalAnalysis
import EvalCore
import EvalProviders
import EvalRouting
import EvalStore
import EvalSuites

/// What both replay commands begin with: the recorded run, policies, and the world to suppose.
struct ReplayDesk {
  let session: Session
  let store: RunStore
  let run: RunInfo
  /// The profiles that were recorded, then those that routes alone have called.
  let profiles: [Profile]
  let cases: [CaseRecord]

  init(session: Session) throws(CommandFailure) {
    self.session = session
    let store = try session.openStore(.read)
    let run = try session.run(session.arguments.positional[0], in: store)
    do {
      cases = try store.cases(run.id)
    } catch {
      throw CommandFailure(error)
    }
    self.store = store
    self.run = run
    let targets = run.targets.filter { $0.kind == "profile" } + run.arms
    profiles = targets.compactMap { Profile(name: $0.name, stored: $0.content) }
    guard run.targets.contains(where: { $0.kind == "profile" }), !cases.isEmpty else {
      throw CommandFailure(
        .usage, "run \(run.id) has no finished trial of a profile to replay over",
        advice: "run the suite's profiles: 'evalrun \(run.suitePath)'")
    }
  }

  private var privacy: PrivacyRules { run.privacy ?? .standard }

  /// The table of the run.
  /// - Parameter readsEveryText: some policy looks at how long an answer is.
  func recorded(readsEveryText: Bool) throws(CommandFailure) -> RecordedRun {
    guard !(readsEveryText && run.isPrivate) else {
      throw CommandFailure(
        .usage,
        "run \(run.id) is private: it does not say how long answers were, and 'accept' reads 'characters'",
        advice: "replay a run that keeps its answers, or let 'accept' read 'outputTokens'")
    }
    do {
      let reader = run.isPrivate ? nil : try store.textReader(run.id)
      var texts: RecordedRunBuilder.Texts?
      if let reader { texts = { try reader.texts($0) } }
      var builder = RecordedRunBuilder(run: run, cases: cases, texts: texts, readsEveryText: readsEveryText)
      try session.trials(run, in: store).forEachTrial { try builder.add($0) }
      return builder.recorded(privacy: privacy)
    } catch {
      throw CommandFailure(error)
    }
  }

  // MARK: Policies

  /// A reader that knows the run's profiles, privacy and cases.
  var reader: PolicyReader {
    let traits = profiles.map { profile in
      ArmTraits(profile, provider: ProviderRegistry.all.first { $0.name == profile.provider })
    }
    return PolicyReader(arms: traits, privacy: privacy, cases: cases.map(\.signals))
  }

  /// A policy with where it comes from.
  struct Loaded {
    /// How the report calls it.
    var name: String
    var policy: RoutePolicy
    var json: JSONValue
    /// The file or the route.
    var origin: String

    init(policy: RoutePolicy, json: JSONValue, origin: String) {
      name = policy.name
      (self.policy, self.json, self.origin) = (policy, json, origin)
    }

    var contender: Contender { Contender(name: name, policy: policy, constraints: policy.privacy) }
  }

  /// The policies that the command line names, else all routes of the run.
  /// - Throws: `.usage` after printing every problem.
  func policies() throws(CommandFailure) -> [Loaded] {
    var names = session.arguments.texts("policy")
    if names.isEmpty { names = run.targets.filter { $0.kind == "route" }.map(\.name) }
    guard !names.isEmpty else {
      throw CommandFailure(.usage, "no policy to replay: the run has no route", advice: "give --policy FILE")
    }
    var loaded: [Loaded] = []
    var errors = 0
    for name in names {
      let (policy, problems) = try load(name)
      for problem in problems { session.console.problem(problem) }
      errors += problems.count { $0.severity == .error }
      if let policy { loaded.append(policy) }
    }
    guard errors == 0 else {
      throw CommandFailure(.usage, "\(counted(errors, "error")) in the policies; nothing was replayed")
    }
    return withOwnNames(loaded)
  }

  /// A route of the run, with its policy.
  func route(_ name: String) throws(CommandFailure) -> RunInfo.TargetInfo {
    let routes = run.targets.filter { $0.kind == "route" }
    if let route = routes.first(where: { $0.name == name }) { return route }
    throw CommandFailure(
      .usage, "the run has no route '\(name)'",
      advice: suggestion(for: name, among: routes.map(\.name)) ?? "a policy's file ends with .json")
  }

  private func load(_ name: String) throws(CommandFailure) -> (Loaded?, [Problem]) {
    if BaselineDesk.isFile(name) {
      let text = SourceText(name: name, bytes: try Files.read(name))
      let (policy, problems) = reader.read(text)
      let json = try? JSONValue.parse(text.bytes, .relaxed)
      return (policy.map { Loaded(policy: $0, json: json ?? .null, origin: name) }, problems)
    }
    let route = try route(name)
    let (policy, problems) = reader.read(PolicySource(route.content, path: "routes.\(name)"), name: name)
    return (policy.map { Loaded(policy: $0, json: route.content, origin: "route of the run") }, problems)
  }

  /// Rows of a report are told apart by name: a policy with another's name, or an arm's, is called by its place too.
  private func withOwnNames(_ loaded: [Loaded]) -> [Loaded] {
    var taken = Set(profiles.map(\.name))
    return loaded.map { one in
      var one = one
      if !taken.insert(one.name).inserted {
        one.name = "\(one.name) (\(one.origin))"
        var number = 2
        while !taken.insert(one.name).inserted {
          one.name = "\(one.policy.name) (\(one.origin), \(number))"
          number += 1
        }
      }
      return one
    }
  }
}
