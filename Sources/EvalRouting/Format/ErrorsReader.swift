import EvalCore

/// Reads `onError`.
struct ErrorsReader {
  let problems: InputProblems

  func read(_ node: Node) -> [PolicyDraft.PlacedError] {
    guard node.view.kind == .object else {
      problems.wrong(node, expected: "an object of errors, such as {\"network\": \"next\"}")
      return []
    }
    var found: [PolicyDraft.PlacedError] = []
    for (key, member) in node.members {
      guard let error = RouteError(rawValue: key) else {
        unknown(key, member)
        continue
      }
      if found.contains(where: { $0.error == error }) {
        problems.keyError("'\(key)' is given twice", at: member)
      }
      guard let rule = rule(member, error) else { continue }
      found.append(PolicyDraft.PlacedError(error: error, rule: rule, node: member))
    }
    return found
  }

  private func unknown(_ key: String, _ node: Node) {
    let names = RouteError.allCases.map(\.rawValue)
    guard let kind = ErrorClass(rawValue: key) else {
      return problems.keyError(
        "there is no error '\(key)'", at: node,
        advice: suggestion(for: key, among: names) ?? "one of \(names.joined(separator: ", "))")
    }
    if let error = RouteError(kind) {
      problems.keyError(
        "'\(key)' is part of '\(error.rawValue)'", at: node, advice: "write \"\(error.rawValue)\"")
    } else {
      problems.keyError("'\(key)' always stops and cannot be listed", at: node, advice: "leave it out")
    }
  }

  private func rule(_ node: Node, _ error: RouteError) -> ErrorRule? {
    guard node.view.kind == .object else { return action(node).map { ErrorRule(then: $0) } }
    guard let members = problems.members(node, of: "an action", known: ["retry", "then"]) else { return nil }
    for key in ["retry", "then"] where members[key] == nil {
      problems.error("'\(key)' is missing", at: node, advice: "such as {\"retry\": 1, \"then\": \"next\"}")
    }
    let retries = problems.integer(members["retry"], in: 1...10)
    if let place = members["retry"], !error.canRetry {
      let why = error == .empty ? "an empty answer is no error" : "the same call ends the same way"
      problems.error(
        "\(error.rawValue) cannot be retried: \(why)", at: place, advice: "name the action alone")
    }
    guard let then = members["then"].flatMap(action), let retries else { return nil }
    return ErrorRule(retries: retries, then: then)
  }

  private func action(_ node: Node) -> ErrorAction? {
    if node.view.kind == .string { return problems.word(node) }
    problems.wrong(
      node,
      expected: SignalDomain.list(ErrorAction.allCases.map(\.rawValue)) + ", or {\"retry\": 1, \"then\": …}")
    return nil
  }
}
