import EvalCore

/// Reads `accept`: one object, or several.
struct AcceptReader {
  let problems: InputProblems
  let arms: [String]

  func read(_ node: Node) -> [Acceptance] {
    if node.view.kind == .object { return entry(node).map { [$0] } ?? [] }
    guard node.view.kind == .array, node.view.count > 0 else {
      problems.wrong(node, expected: "{\"when\": …}, or an array of such objects")
      return []
    }
    return node.elements.compactMap(entry)
  }

  private func entry(_ node: Node) -> Acceptance? {
    guard let members = problems.members(node, of: "an acceptance", known: ["arms", "when"]) else {
      return nil
    }
    var names: Set<String>?
    if let node = members["arms"] {
      let found = problems.names(node, of: "arms")
      for (name, element) in found where !arms.contains(name) {
        problems.error(
          "there is no arm '\(name)'", at: element, advice: suggestion(for: name, among: arms))
      }
      names = Set(found.map(\.name))
    }
    guard let when = members["when"] else {
      problems.error("'when' is missing", at: node, advice: "what an answer must fulfil to be served")
      return nil
    }
    let reader = ConditionReader(problems: problems, signals: AnswerSignals.all, arms: arms)
    return reader.read(when).map { Acceptance(arms: names, when: $0) }
  }
}
