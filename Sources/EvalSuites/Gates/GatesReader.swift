import EvalCore

/// Reads the suite's gates and holds the names in them against the suite.
struct GatesReader {
  let reader: Reader
  let targets: [String]
  let cases: [CaseSummary]

  static let rules: JSONValue = [
    "type": "array",
    "items": ["anyOf": [["type": "string", "minLength": 1], ["$ref": "#/$defs/gate"]]],
  ]
  static let schema: JSONValue = ["anyOf": [rules, ["$ref": "#/$defs/gates"]]]

  /// A list of rules, or an object with the list and how its results count.
  func read(_ view: JSONView) -> GateSettings {
    if view.kind == .array {
      var settings = GateSettings()
      settings.gates = gates(view)
      return settings
    }
    guard view.kind == .object else {
      reader.wrong(view, expected: "a list of gates, or an object with 'rules'")
      return GateSettings()
    }
    let draft = ObjectTable.gates.readAnyway(view, reader) ?? GatesDraft()
    var settings = draft.settings
    settings.gates = draft.rules.map { gates($0) } ?? []
    return settings
  }

  private func gates(_ view: JSONView) -> [GateSpec] {
    guard view.kind == .array else {
      reader.wrong(view, expected: "a list of gates")
      return []
    }
    var gates: [GateSpec] = []
    for item in view.elements {
      guard let gate = gate(item) else { continue }
      if let twin = gates.first(where: { $0.rule == gate.rule }) {
        let place = twin.location.map { " at line \($0.line)" } ?? ""
        reader.warning("this rule stands\(place) already", at: item, advice: "keep one of them")
        continue
      }
      gates.append(gate)
    }
    return gates
  }

  private func gate(_ view: JSONView) -> GateSpec? {
    if view.kind == .string { return gate(view, name: nil) }
    guard view.kind == .object else {
      reader.wrong(view, expected: "a rule such as \"score >= 0.8\", or an object with 'rule'")
      return nil
    }
    guard let draft = ObjectTable.gate.readAnyway(view, reader), let rule = draft.rule else { return nil }
    guard rule.kind == .string else {
      reader.wrong(rule, expected: "a rule such as \"score >= 0.8\"")
      return nil
    }
    return gate(rule, name: draft.name)
  }

  private func gate(_ view: JSONView, name: String?) -> GateSpec? {
    do throws(GateProblem) {
      var gate = try GateSpec.read(view.string ?? "", measures: reader.vocabulary.measures)
      gate.name = name
      gate.location = reader.location(of: view)
      let problems = gate.problems(targets: targets, cases: cases)
      for problem in problems { reader.error(problem.message, at: view, advice: problem.advice) }
      return problems.isEmpty ? gate : nil
    } catch {
      reader.error(error.message, at: view, advice: error.advice)
      return nil
    }
  }
}
