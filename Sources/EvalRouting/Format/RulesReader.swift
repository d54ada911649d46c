import EvalCore

/// Reads `rules`.
struct RulesReader {
  let problems: InputProblems
  let arms: [String]

  private static let keys = ["name", "when", "else", "use"]
  private static let limit = 1000

  func read(_ node: Node) -> [PolicyDraft.PlacedRule] {
    guard node.view.kind == .array, node.view.count > 0, node.view.count <= Self.limit else {
      problems.wrong(node, expected: "an array of 1 to \(Self.limit) rules")
      return []
    }
    var names: Set<String> = []
    return node.elements.compactMap { element in
      guard let rule = rule(element) else { return nil }
      if let name = rule.rule.name, !names.insert(name).inserted {
        problems.error("two rules are called '\(name)'", at: element, advice: "rename one")
      }
      return rule
    }
  }

  private func rule(_ node: Node) -> PolicyDraft.PlacedRule? {
    guard let members = problems.members(node, of: "a rule", known: Self.keys) else { return nil }
    let name = problems.text(members["name"])
    let isElse = members["else"] != nil
    if let other = members["else"], other.view.bool != true { problems.wrong(other, expected: "true") }
    switch (members["when"], members["else"]) {
    case (nil, nil):
      problems.error(
        "a rule needs 'when' or 'else'", at: node, advice: "write \"else\": true for every other case")
    case (_?, _?): problems.error("a rule has 'when' or 'else', not both", at: node)
    default: break
    }
    guard let use = members["use"] else {
      problems.error("'use' is missing", at: node, advice: "the arms, in the order in which they are tried")
      return nil
    }
    let references = references(use)
    let reader = ConditionReader(problems: problems, signals: SignalRegistry.all, arms: arms)
    let when = members["when"].flatMap(reader.read)
    guard let first = references.first, when != nil || isElse else { return nil }
    return PolicyDraft.PlacedRule(
      rule: Rule(name: name, when: when?.speaking(of: first.arm), use: references.map(\.arm)), node: node,
      isElse: isElse, useNodes: references.map(\.node))
  }

  private func references(_ node: Node) -> [(arm: ArmReference, node: Node)] {
    var found: [(arm: ArmReference, node: Node)] = []
    for (name, element) in problems.names(node, of: "arms") {
      let reference: ArmReference = name == ArmReference.pinnedWord ? .pinned : .named(name)
      if reference != .pinned, !arms.contains(name) {
        if !arms.isEmpty {
          problems.error(
            "there is no arm '\(name)'", at: element,
            advice: suggestion(for: name, among: arms + [ArmReference.pinnedWord])
              ?? "one of \(arms.joined(separator: ", "))")
        }
        continue
      }
      if found.contains(where: { $0.arm == reference }) {
        problems.error("'\(name)' stands here twice", at: element, advice: "an arm is tried once")
        continue
      }
      found.append((reference, element))
    }
    return found
  }
}
