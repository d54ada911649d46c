import EvalCore
import EvalProviders
import EvalRouting

/// Reads the policies of a suite's routes: over its profiles, held to its privacy.
struct RouteReading {
  let suite: Suite

  struct Routes {
    /// By the route's name; those with an error are missing.
    var policies: [String: RoutePolicy] = [:]
    var problems: [Problem] = []
  }

  /// - Parameter knowsCases: also holds policies against the signals of every case, which reads all of them.
  func read(knowsCases: Bool) -> Routes {
    var routes = Routes()
    guard !suite.routes.isEmpty else { return routes }
    let arms = suite.profiles.filter { !suite.embedders.contains($0.name) }.map { profile in
      ArmTraits(profile, provider: ProviderRegistry.all.first { $0.name == profile.provider })
    }
    let reader = PolicyReader(
      arms: arms, privacy: suite.privacy, cases: knowsCases ? CaseSignals(cases: suite.cases) : nil)
    for route in suite.routes {
      let read = reader.read(source(of: route), name: route.name)
      routes.policies[route.name] = read.policy
      routes.problems += read.problems
    }
    return routes
  }

  private func source(of route: RouteSpec) -> PolicySource {
    guard let text = route.text else {
      return PolicySource(route.policy, path: "routes.\(route.name)", at: route.location)
    }
    let range = text.range
    return PolicySource(text.parsed(), path: text.path) { offset in
      let (line, column) = text.source.position(of: range.lowerBound + offset)
      return SourceLocation(file: text.source.name, line: line, column: column)
    }
  }
}

/// The signals of every case of a suite, one case in memory at a time.
private struct CaseSignals: Sequence {
  let cases: any CaseSource

  struct Iterator: IteratorProtocol {
    let cases: any CaseSource
    var index = 0

    mutating func next() -> JSONObject? {
      guard index < cases.summaries.count else { return nil }
      defer { index += 1 }
      // A case that cannot be read is told of where it is needed; what is not known of it is the strictest.
      return (try? cases.load(index))?.signals ?? [:]
    }
  }

  func makeIterator() -> Iterator { Iterator(cases: cases) }
}
