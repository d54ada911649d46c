package import EvalCore

/// What `route explain` is asked, read from its command line.
package struct RouteQuestion {
  package private(set) var facts = RoutingFacts(caseID: "", signals: [:])
  package private(set) var ends: [String: WalkEnd] = [:]
  package private(set) var problems: [Problem] = []

  /// - Parameters:
  ///   - signals: a JSON object; `nil` states none.
  ///   - tokens: a number, or a JSON object of numbers by arm; `nil` leaves them unknown.
  ///   - errors: such as `on-device=guardrail`.
  package init(_ policy: RoutePolicy, signals: String?, tokens: String?, turn: Int, errors: [String]) {
    facts.turn = turn
    if let signals {
      let found = value("--signals", signals) { SignalReader(problems: $0).read($1) }
      facts.signals = found ?? [:]
    }
    if let tokens {
      let found = value("--tokens", tokens) { TokensReader(problems: $0, policy: policy).read($1) }
      facts.arms = found ?? [:]
    }
    for text in errors { take(text, policy) }
  }

  private mutating func value<Value>(
    _ option: String, _ text: String, _ read: (InputProblems, Node) -> Value
  ) -> Value? {
    let source = SourceText(name: option, bytes: Array(text.utf8))
    let document = JSONDocument()
    do throws(JSONSyntaxError) {
      try document.parse(source.bytes, dialect: .relaxed)
    } catch {
      problems.append(source.problem(error))
      return nil
    }
    let found = InputProblems { source.location(of: $0) }
    let value = read(found, Node(view: document.root, path: "", keyOffset: document.root.range.lowerBound))
    problems += found.all
    return value
  }

  private mutating func take(_ text: String, _ policy: RoutePolicy) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      problems.append(
        Problem(.error, "--errors takes ARM=ERROR, not '\(text)'", advice: "such as on-device=guardrail"))
      return
    }
    if !policy.arms.contains(parts[0]) {
      problems.append(
        Problem(
          .error, "--errors: there is no arm '\(parts[0])'",
          advice: suggestion(for: parts[0], among: policy.arms)
            ?? "one of \(policy.arms.joined(separator: ", "))"))
    }
    ends[parts[0]] = WalkEnd(word: parts[1])
    if ends[parts[0]] == nil {
      problems.append(
        Problem(
          .error, "--errors: '\(parts[1])' is no error",
          advice: suggestion(for: parts[1], among: WalkEnd.words)
            ?? "one of \(RouteError.allCases.map(\.rawValue).joined(separator: ", "))"))
    }
  }
}
