import EvalCore
import EvalProviders
import EvalRouting

/// Makes the providers and policies of a plan: live, recording or from a recording.
struct CallWiring {
  let session: Session
  let suite: Suite
  let plan: Plan

  struct Calls: Sendable {
    var providers: [String: any Provider]
    var policies: [String: any Policy]
    var redactor: Redactor
    var provenance: Provenance
    /// The recording's own words about itself; `nil` for live calls.
    var recording: String?
  }

  func make() throws(CommandFailure) -> Calls {
    let transport = HTTPTransport(maxConnections: 1024, userAgent: "evalrun/\(evalrunVersion)")
    let factory = ProviderFactory(transport: transport, environment: session.environment)
    var providers: [String: any Provider] = [:]
    var policies: [String: any Policy] = [:]
    var problems: [Problem] = []
    for case .profile(let profile) in plan.targets {
      do {
        providers[profile.name] = try factory.make(profile)
        policies[profile.name] = SingleProfile(profile: profile.name)
      } catch {
        var problem = error
        problem.path = ["profiles", profile.name, problem.path].compactMap(\.self).joined(separator: ".")
        problems.append(problem)
      }
    }
    guard problems.isEmpty else {
      for problem in problems { session.console.problem(problem) }
      throw CommandFailure(.usage, "\(counted(problems.count, "error")) in \(suite.path); nothing ran")
    }
    return Calls(
      providers: providers, policies: policies, redactor: Redactor(secrets: factory.resolver.secrets),
      provenance: .live, recording: nil)
  }

  /// Live providers for some profiles, in their order.
  static func live(
    _ profiles: [Profile], session: Session
  ) throws(CommandFailure) -> (providers: [any Provider], redactor: Redactor) {
    let transport = HTTPTransport(maxConnections: 64, userAgent: "evalrun/\(evalrunVersion)")
    let factory = ProviderFactory(transport: transport, environment: session.environment)
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
