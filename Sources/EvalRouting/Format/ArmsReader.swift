import EvalCore

/// Reads a policy's own `arms`, and holds them against the suite's profiles where there are some.
struct ArmsReader {
  let problems: InputProblems
  /// The suite's; `nil` when the policy stands alone.
  let suite: [ArmTraits]?

  private static let keys = ["boundary", "contextSize", "maxOutputTokens", "capabilities", "price"]

  /// The arms that rules may name, by their names in the order of suite or policy.
  func read(_ node: Node?, policy root: Node) -> [ArmTraits] {
    guard let node else {
      if suite == nil {
        problems.error(
          "there are no arms: a policy on its own has to say what they are", at: root,
          advice: "add \"arms\": {\"on-device\": {\"boundary\": \"device\"}}, or give the suite")
      }
      return suite ?? []
    }
    guard node.view.kind == .object, node.view.count > 0 else {
      problems.wrong(node, expected: "an object of arms with at least one")
      return suite ?? []
    }
    var arms: [ArmTraits] = []
    for (name, member) in node.members {
      if arms.contains(where: { $0.name == name }) {
        problems.keyError("'\(name)' is given twice", at: member)
      }
      let known = suite?.first { $0.name == name }
      if suite != nil, known == nil {
        problems.keyError(
          "the suite has no profile '\(name)'", at: member,
          advice: suggestion(for: name, among: suite?.map(\.name) ?? []))
      }
      arms.append(traits(name, member, suite: known))
    }
    return suite ?? arms
  }

  private func traits(_ name: String, _ node: Node, suite: ArmTraits?) -> ArmTraits {
    var arm = ArmTraits(name: name)
    guard let members = problems.members(node, of: "an arm", known: Self.keys) else { return arm }
    arm.boundary = members["boundary"].flatMap { problems.word($0) }
    arm.window = members["contextSize"].flatMap(window)
    arm.maxOutputTokens = problems.integer(members["maxOutputTokens"], in: 1...1_000_000_000)
    arm.price = members["price"].flatMap(price)
    arm.capabilities = members["capabilities"].map(capabilities)
    guard let suite else { return arm }
    hold(arm.boundary, suite.boundary, members["boundary"], name)
    hold(arm.window, suite.window, members["contextSize"], name)
    hold(arm.maxOutputTokens, suite.maxOutputTokens, members["maxOutputTokens"], name)
    hold(
      arm.price.map { [$0.input, $0.output] }, suite.price.map { [$0.input, $0.output] }, members["price"],
      name)
    hold(arm.capabilities, suite.capabilities, members["capabilities"], name)
    return arm
  }

  private func hold<Value: Equatable>(_ own: Value?, _ suite: Value?, _ node: Node?, _ name: String) {
    guard let node, own != nil, own != suite else { return }
    problems.error(
      "the suite's profile '\(name)' says otherwise", at: node, advice: "leave it out: the profile counts")
  }

  private func window(_ node: Node) -> ContextSize? {
    if node.view.stringEquals("auto") { return .auto }
    return problems.integer(node, in: 1...1_000_000_000).map { .tokens($0) }
  }

  private func capabilities(_ node: Node) -> Set<Capability> {
    guard node.view.kind == .array else {
      problems.wrong(node, expected: "an array of capabilities")
      return []
    }
    return Set(node.elements.compactMap { element -> Capability? in problems.word(element) })
  }

  private func price(_ node: Node) -> Price? {
    if node.view.stringEquals("free") { return .free }
    let keys = ["input", "cachedInput", "cacheWrite", "output", "asOf"]
    guard let members = problems.members(node, of: "\"free\" or a price", known: keys) else { return nil }
    func dollars(_ key: String) -> Double? {
      problems.number(members[key], in: 0..<1e9, "dollars for a million tokens, 0 or more")
    }
    let (input, output) = (dollars("input"), dollars("output"))
    for key in ["input", "output"] where members[key] == nil {
      problems.error("a price needs '\(key)'", at: node, advice: "dollars for a million tokens")
    }
    guard let input, let output else { return nil }
    return Price(
      input: input, cachedInput: dollars("cachedInput"), cacheWrite: dollars("cacheWrite"), output: output,
      asOf: problems.text(members["asOf"]))
  }
}
