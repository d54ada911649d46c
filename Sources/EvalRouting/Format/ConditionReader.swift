import EvalCore

/// Reads what must hold: `when` of a rule, over the signals of a case, and `when` of `accept`, over those of an answer.
struct ConditionReader {
  let problems: InputProblems
  let signals: [Signal]
  let arms: [String]

  private static let combinators = ["all", "any", "not"]

  /// `nil` after noting what is wrong.
  func read(_ node: Node) -> Condition? {
    guard node.view.kind == .object, node.view.count > 0 else {
      problems.wrong(node, expected: "an object of conditions, such as {\"network\": \"offline\"}")
      return nil
    }
    if node.view["signal"] != nil { return named(node) }
    var seen: Set<String> = []
    let parts = node.members.map { key, member in
      if !seen.insert(key).inserted { problems.keyError("'\(key)' is given twice", at: member) }
      return part(key, member)
    }
    let right = parts.compactMap { $0 }
    guard right.count == parts.count else { return nil }
    return right.count == 1 ? right[0] : .all(right)
  }

  private func part(_ key: String, _ node: Node) -> Condition? {
    switch key {
    case "all": list(node).map { .all($0) }
    case "any": list(node).map { .any($0) }
    case "not": read(node).map(\.negated)
    default: use(key, node).flatMap { tests(of: $0, node) }
    }
  }

  private func list(_ node: Node) -> [Condition]? {
    guard node.view.kind == .array, node.view.count > 0 else {
      problems.wrong(node, expected: "an array of conditions with at least one")
      return nil
    }
    let parts = node.elements.map { read($0) }
    let right = parts.compactMap { $0 }
    return right.count == parts.count ? right : nil
  }

  /// `{"signal": "check.valid-json", "atLeast": 0.7}`: the same as `{"check.valid-json": {"atLeast": 0.7}}`.
  private func named(_ node: Node) -> Condition? {
    guard let (_, member) = node.members.first(where: { $0.key == "signal" }),
      let name = problems.text(member), let use = use(name, member)
    else { return nil }
    return tests(of: use, node, without: "signal")
  }

  private func use(_ key: String, _ node: Node) -> SignalUse? {
    if let signal = signals.first(where: { $0.name == key && !$0.isFamily }) {
      return SignalUse(signal: signal)
    }
    for signal in signals {
      let prefix = signal.isFamily ? signal.name : signal.name + "."
      guard key.hasPrefix(prefix), key.count > prefix.count, signal.isFamily || signal.isPerArm else {
        continue
      }
      let member = String(key.dropFirst(prefix.count))
      if signal.isFamily { return SignalUse(signal: signal, member: member) }
      guard arms.contains(member) || member == ArmReference.pinnedWord else {
        problems.keyError(
          "there is no arm '\(member)'", at: node, advice: suggestion(for: member, among: arms))
        return nil
      }
      return SignalUse(signal: signal, arm: member == ArmReference.pinnedWord ? .pinned : .named(member))
    }
    let names = signals.map { $0.isFamily ? $0.name + "NAME" : $0.name } + Self.combinators
    problems.keyError(
      "there is no signal '\(key)'", at: node,
      advice: suggestion(for: key, among: names) ?? "one of \(names.joined(separator: ", "))")
    return nil
  }

  private func tests(of use: SignalUse, _ node: Node, without skipped: String? = nil) -> Condition? {
    guard node.view.kind == .object else { return literal(of: use, node) }
    let domain = use.signal.domain
    var atoms: [Condition?] = []
    for (key, member) in node.members where key != skipped {
      guard let operation = Operator(rawValue: key), domain.operators.contains(operation) else {
        let names = domain.operators.map(\.rawValue)
        problems.keyError(
          "'\(key)' does not test \(use.signal.name)", at: member,
          advice: suggestion(for: key, among: names) ?? "one of \(names.joined(separator: ", "))")
        atoms.append(nil)
        continue
      }
      atoms.append(test(operation, domain, member).map { .test(Atom(use: use, test: $0)) })
    }
    if atoms.isEmpty { problems.wrong(node, expected: "a test of \(use.signal.name)") }
    let right = atoms.compactMap { $0 }
    guard !right.isEmpty, right.count == atoms.count else { return nil }
    return right.count == 1 ? right[0] : .all(right)
  }

  /// A value alone is equality; `"pinned": true` asks whether there is one.
  private func literal(of use: SignalUse, _ node: Node) -> Condition? {
    let domain = use.signal.domain
    if domain == .arm, node.view.bool != nil {
      guard node.view.bool == true else {
        problems.error(
          "a signal that is missing satisfies no condition, so 'pinned' cannot be false", at: node,
          advice: "put the rule for pinned cases before this one")
        return nil
      }
      return .test(Atom(use: use, test: .exists))
    }
    guard domain.operators.contains(.is) else {
      return value(domain, node).map { .test(Atom(use: use, test: .contains(SignalValue.strings([$0])))) }
    }
    return test(.is, domain, node).map { .test(Atom(use: use, test: $0)) }
  }

  private func test(_ operation: Operator, _ domain: SignalDomain, _ node: Node) -> ValueTest? {
    switch operation {
    case .is:
      if domain == .boundaries, node.view.bool == nil {
        problems.wrong(node, expected: "true or false", advice: "write {\"contains\": …} for one boundary")
        return nil
      }
      return value(domain, node).map { .isIn([$0]) }
    case .in: return values(domain, node, alone: false).map { .isIn($0) }
    case .not: return values(domain, node, alone: true).map { .isNot($0) }
    case .contains: return words(domain, node).map { .contains($0) }
    case .atMost: return bound(domain, node).map { .atMost($0.0, $0.1) }
    case .atLeast: return bound(domain, node).map { .atLeast($0.0, $0.1) }
    case .lessThan: return bound(domain, node).map { .lessThan($0.0, $0.1) }
    case .moreThan: return bound(domain, node).map { .moreThan($0.0, $0.1) }
    }
  }

  private func value(_ domain: SignalDomain, _ node: Node) -> SignalValue? {
    let json = node.view.value
    guard let value = domain.literal(json) else {
      problems.wrong(node, expected: domain.words, advice: spelling(json, domain))
      return nil
    }
    if domain == .arm, case .word(let name) = value, !arms.contains(name) {
      problems.error(
        "there is no arm '\(name)'", at: node, advice: suggestion(for: name, among: arms))
      return nil
    }
    return value
  }

  private func spelling(_ json: JSONValue, _ domain: SignalDomain) -> String? {
    guard let word = json.stringValue else { return nil }
    switch domain {
    case .words(let words), .scale(let words), .members(let words):
      return suggestion(for: word, among: words)
    case .boundaries: return suggestion(for: word, among: Boundary.allCases.map(\.rawValue))
    default: return nil
    }
  }

  private func values(_ domain: SignalDomain, _ node: Node, alone: Bool) -> [SignalValue]? {
    if alone, node.view.kind != .array { return value(domain, node).map { [$0] } }
    guard node.view.kind == .array, node.view.count > 0 else {
      problems.wrong(node, expected: "an array of values with at least one")
      return nil
    }
    let found = node.elements.map { value(domain, $0) }
    let right = found.compactMap { $0 }
    return right.count == found.count ? right : nil
  }

  private func words(_ domain: SignalDomain, _ node: Node) -> [String]? {
    guard let values = values(domain, node, alone: true) else { return nil }
    let words = SignalValue.strings(values)
    if words.count == values.count { return words }
    problems.wrong(node, expected: "a word, or an array of words")
    return nil
  }

  private func bound(_ domain: SignalDomain, _ node: Node) -> (Double, SignalValue)? {
    guard let value = value(domain, node) else { return nil }
    if let rank = domain.rank(of: value) { return (rank, value) }
    problems.wrong(node, expected: "a number")
    return nil
  }
}

extension SignalValue {
  fileprivate static func strings(_ values: [SignalValue]) -> [String] {
    values.compactMap { if case .word(let word) = $0 { word } else { nil } }
  }
}
