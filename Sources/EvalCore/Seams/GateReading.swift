extension GateSpec {
  /// Reads a gate's text:
  /// `MEASURE >= VALUE`, `MEASURE not worse than TARGET|baseline by MARGIN` or `passes >= K of N`, then in any order
  /// `for TARGET, …`, `tag TAG`, `case ID` and `point`.
  ///
  /// - Parameters:
  ///   - text: the rule, for instance `latency.p95 <= 3s for cloud`.
  ///   - measures: what a gate may be about.
  /// - Throws: the first thing that is wrong, with a suggestion where there is one.
  package static func read(_ text: String, measures: [MeasureInfo]) throws(GateProblem) -> GateSpec {
    var reader = GateReader(tokens: try GateScanner.tokens(text), measures: measures)
    var spec = try reader.gate()
    spec.rule = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    return spec
  }
}

private struct GateReader {
  private var tokens: ArraySlice<GateToken>
  private let measures: [MeasureInfo]

  init(tokens: [GateToken], measures: [MeasureInfo]) {
    self.tokens = tokens[...]
    self.measures = measures
  }

  mutating func gate() throws(GateProblem) -> GateSpec {
    guard let first = tokens.first else { throw GateProblem("the rule is empty", advice: GateReader.example) }
    guard case .word(let name) = first else {
      throw GateProblem("a rule begins with a measure, not with \(first.text)", advice: GateReader.example)
    }
    tokens.removeFirst()
    var spec: GateSpec
    if name == "passes" {
      spec = GateSpec(rule: "", measure: name, demand: try passes())
    } else {
      let (info, check) = try measure(name)
      spec = GateSpec(rule: "", measure: info.name, check: check, demand: try demand(info))
    }
    try readRest(into: &spec)
    try refuseUnreachable(spec)
    return spec
  }

  /// An interval never ends at 0 or 1, so that a rule on it would never pass.
  private func refuseUnreachable(_ spec: GateSpec) throws(GateProblem) {
    guard case .bound(let comparison, let limit) = spec.demand, !spec.isPoint,
      let info = measures.first(where: { $0.name == spec.measure }), info.unit == .share, !info.isExact
    else { return }
    let isTop = comparison == .atLeast && limit == 1
    guard isTop || comparison == .atMost && limit == 0 else { return }
    throw GateProblem(
      "an interval never reaches \(isTop ? 1 : 0): the rule could not pass",
      advice: "add 'point' to test the value itself, or give a limit that allows for doubt")
  }

  private static let example = "for instance: score >= 0.8"

  private func measure(_ name: String) throws(GateProblem) -> (MeasureInfo, check: String?) {
    if let info = measures.first(where: { $0.name == name && $0.name != MeasureInfo.checkName }) {
      return (info, nil)
    }
    let prefix = MeasureInfo.checkName + "."
    if name.hasPrefix(prefix), name.count > prefix.count,
      let info = measures.first(where: { $0.name == MeasureInfo.checkName })
    {
      return (info, String(name.dropFirst(prefix.count)))
    }
    let names = measures.map { $0.name == MeasureInfo.checkName ? "check.NAME" : $0.name } + ["passes"]
    throw GateProblem(
      "'\(name)' is not a measure",
      advice: suggestion(for: name, among: names) ?? "the measures are \(names.joined(separator: ", "))")
  }

  private mutating func demand(_ info: MeasureInfo) throws(GateProblem) -> GateSpec.Demand {
    if !info.takesLimit, tokens.first != .word("not") {
      throw GateProblem(
        "'\(info.name)' is only held against another target", advice: "for a limit take \(info.name).p95")
    }
    switch tokens.popFirst() {
    case .comparison(let comparison)?:
      let limit = try GateLimit(info).value(try word("a limit such as \(GateLimit(info).example)"))
      if let problem = GateLimit(info).problem(comparison, limit) { throw problem }
      return .bound(comparison, limit)
    case .word("not")?:
      try expect("worse")
      try expect("than")
      let name = try word("a target, or baseline")
      try expect("by")
      let margin = try GateLimit(info).margin(try word("a margin such as 0.05"))
      return .notWorse(than: name == "baseline" ? .baseline : .target(name), by: margin)
    case let token:
      throw GateProblem(
        "after '\(info.name)' comes >=, <= or 'not worse than', not \(token?.text ?? "the end")",
        advice: "for instance: \(info.name) \(info.isLowerBetter ? "<=" : ">=") \(GateLimit(info).example)")
    }
  }

  private mutating func passes() throws(GateProblem) -> GateSpec.Demand {
    let advice = "for instance: passes >= 4 of 5"
    guard case .comparison(.atLeast)? = tokens.popFirst(), case .word(let least)? = tokens.popFirst(),
      case .word("of")? = tokens.popFirst(), case .word(let all)? = tokens.popFirst(),
      let least = Int(least), let all = Int(all)
    else { throw GateProblem("'passes' is followed by >= and how many of how many repeats", advice: advice) }
    guard least >= 1, all >= least else {
      throw GateProblem("\(least) of \(all) repeats cannot be asked for", advice: advice)
    }
    return .passes(least: least, of: all)
  }

  private mutating func readRest(into spec: inout GateSpec) throws(GateProblem) {
    while let token = tokens.popFirst() {
      switch token {
      case .word("for"):
        if !spec.targets.isEmpty {
          throw GateProblem("'for' is said twice", advice: "list targets with commas")
        }
        spec.targets = try targets()
      case .word("tag"):
        if spec.tag != nil { throw GateProblem("'tag' is said twice", advice: "write a gate for each tag") }
        spec.tag = try word("a tag")
      case .word("case"):
        if spec.caseID != nil {
          throw GateProblem("'case' is said twice", advice: "write a gate for each case")
        }
        spec.caseID = try word("a case's id")
      case .word("point"): spec.isPoint = true
      case .word(let word):
        throw GateProblem(
          "'\(word)' is not understood here",
          advice: suggestion(for: word, among: ["for", "tag", "case", "point"])
            ?? "a rule ends with 'for TARGET', 'tag TAG', 'case ID' or 'point'")
      case .comma, .comparison:
        throw GateProblem("\(token.text) is not understood here", advice: "write one rule for each gate")
      }
    }
  }

  private mutating func targets() throws(GateProblem) -> [String] {
    var names = [try word("a target")]
    while tokens.first == .comma {
      tokens.removeFirst()
      names.append(try word("another target"))
    }
    return names
  }

  private mutating func word(_ what: String) throws(GateProblem) -> String {
    guard case .word(let word)? = tokens.first else {
      throw GateProblem("\(what) is missing before \(tokens.first?.text ?? "the end")")
    }
    tokens.removeFirst()
    return word
  }

  private mutating func expect(_ expected: String) throws(GateProblem) {
    let token = tokens.popFirst()
    guard token == .word(expected) else {
      throw GateProblem(
        "'\(expected)' is missing before \(token?.text ?? "the end")",
        advice: "for instance: score not worse than cloud by 0.05")
    }
  }
}
