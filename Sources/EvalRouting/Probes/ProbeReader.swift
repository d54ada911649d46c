package import EvalCore

/// Reads probes, one JSON object a line, and finds everything that is wrong with them.
package struct ProbeReader {
  let policy: RoutePolicy

  package init(_ policy: RoutePolicy) { self.policy = policy }

  private static let keys = ["name", "signals", "tokensIn", "turn", "errors", "expectArms", "mustNot"]

  package func read(_ text: SourceText) -> (probes: [Probe], problems: [Problem]) {
    var probes: [Probe] = []
    var problems: [Problem] = []
    let document = JSONDocument()
    var start = 0
    while start < text.bytes.count {
      let end = text.bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.bytes.count
      defer { start = end + 1 }
      let number = text.position(of: start).line
      let line = text.bytes[start..<end]
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let base = start
      do throws(JSONSyntaxError) {
        try document.parse(Array(line))
      } catch {
        problems.append(text.problem(JSONSyntaxError(offset: base + error.offset, message: error.message)))
        continue
      }
      let found = InputProblems { text.location(of: base + $0) }
      let root = document.root
      let node = Node(view: root, path: "", keyOffset: root.range.lowerBound)
      if let probe = probe(node, line: number, found), !found.hasErrors { probes.append(probe) }
      problems += found.all
    }
    if probes.isEmpty, problems.isEmpty {
      problems.append(Problem(.error, "\(text.name) has no probe", advice: "one JSON object a line"))
    }
    return (probes, problems)
  }

  private func probe(_ node: Node, line: Int, _ problems: InputProblems) -> Probe? {
    guard let members = problems.members(node, of: "a probe", known: Self.keys) else { return nil }
    if members["expectArms"] == nil, members["mustNot"] == nil {
      problems.error("a probe expects something", at: node, advice: "give 'expectArms', 'mustNot' or both")
    }
    var facts = RoutingFacts(caseID: "line \(line)", signals: [:])
    if let signals = members["signals"] {
      facts.signals = SignalReader(problems: problems).read(signals)
    } else {
      problems.error("'signals' is missing", at: node, advice: "{} for a case that states none")
    }
    facts.arms = members["tokensIn"].map { TokensReader(problems: problems, policy: policy).read($0) } ?? [:]
    facts.turn = problems.integer(members["turn"], in: 0...1000) ?? 0
    let expected = members["expectArms"].map { list($0, policy.arms, problems) }
    let boundaries = Boundary.allCases.map(\.rawValue)
    let mustNot = members["mustNot"].map { list($0, boundaries + policy.arms, problems) }
    return Probe(
      line: line, name: problems.text(members["name"]), facts: facts,
      ends: members["errors"].map { ends($0, problems) } ?? [:], expectArms: expected, mustNot: mustNot ?? [])
  }

  private func list(_ node: Node, _ names: [String], _ problems: InputProblems) -> [String] {
    guard node.view.kind == .array else {
      problems.wrong(node, expected: "an array")
      return []
    }
    return node.elements.compactMap { element in
      guard let name = problems.text(element) else { return nil }
      if names.contains(name) { return name }
      problems.error(
        "there is no '\(name)' here", at: element,
        advice: suggestion(for: name, among: names) ?? "one of \(names.joined(separator: ", "))")
      return nil
    }
  }

  private func ends(_ node: Node, _ problems: InputProblems) -> [String: WalkEnd] {
    guard let members = problems.members(node, of: "the errors", known: policy.arms) else { return [:] }
    var ends: [String: WalkEnd] = [:]
    for (arm, member) in members {
      guard let word = problems.text(member) else { continue }
      ends[arm] = WalkEnd(word: word)
      guard ends[arm] == nil else { continue }
      problems.error(
        "'\(word)' is no error", at: member,
        advice: suggestion(for: word, among: WalkEnd.words)
          ?? "one of \(RouteError.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return ends
  }
}

/// Reads the signals of a probe or of a command line, as a suite's case would state them.
struct SignalReader {
  let problems: InputProblems

  func read(_ node: Node) -> JSONObject {
    guard node.view.kind == .object else {
      problems.wrong(node, expected: "an object of signals")
      return [:]
    }
    for (key, member) in node.members { check(key, member) }
    return node.view.value.objectValue ?? [:]
  }

  private func check(_ key: String, _ node: Node) {
    if key == "custom" {
      if node.view.kind != .object { problems.wrong(node, expected: "an object of signals of your own") }
      return
    }
    let known = SignalRegistry.vocabulary
    guard let signal = known.first(where: { $0.name == key }) else {
      let names = known.map(\.name) + ["custom"]
      return problems.keyError(
        "'\(key)' is not a signal", at: node,
        advice: suggestion(for: key, among: names)
          ?? "one of \(names.joined(separator: ", ")); signals of your own go under 'custom'")
    }
    if node.view.isNull { return }
    if let expected = signal.fault(node.view.value) { problems.wrong(node, expected: expected) }
  }
}

/// Reads how many tokens would travel: one number for every arm, or one for each.
struct TokensReader {
  let problems: InputProblems
  let policy: RoutePolicy

  private static let range = 0...1_000_000_000

  func read(_ node: Node) -> [String: ArmFacts] {
    guard node.view.kind == .object else {
      guard let tokens = problems.integer(node, in: Self.range) else { return [:] }
      return Dictionary(uniqueKeysWithValues: policy.arms.map { ($0, facts(tokens)) })
    }
    guard let members = problems.members(node, of: "the tokens by arm", known: policy.arms) else {
      return [:]
    }
    return members.compactMapValues { problems.integer($0, in: Self.range).map(facts) }
  }

  private func facts(_ tokens: Int) -> ArmFacts { ArmFacts(tokensIn: .counted(tokens)) }
}
