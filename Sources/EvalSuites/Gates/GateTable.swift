import EvalCore

/// The object form of a suite's gates.
struct GatesDraft: Draft {
  var rules: JSONView?
  var settings = GateSettings()
}

/// The object form of one gate.
struct GateDraft: Draft {
  var rule: JSONView?
  var name: String?
}

extension ObjectTable where Into == GatesDraft {
  static let gates = ObjectTable(
    "gates", "the gates",
    [
      Key("rules", \.rules, .later(GatesReader.rules), "The rules, each a text or a gate.").required(),
      Key(
        "maxErrorRate", \.settings.maxErrorRate, .number(0...1),
        "The largest share of trials that may fail for reasons that are not the model's; above it a target's gates are invalid. 0.05 unless given."
      ),
      Key(
        "minCoverage", \.settings.minCoverage, .number(0...1),
        "The least share of planned trials that must have been judged; below it a target's gates are invalid. 0.9 unless given."
      ),
      Key(
        "inconclusive", \.settings.inconclusive, .word,
        "What an inconclusive gate counts as; an outcome of its own, exit code 3, unless given."),
    ])
}

extension ObjectTable where Into == GateDraft {
  static let gate = ObjectTable(
    "gate", "a gate",
    [
      Key(
        "rule", \.rule, .later(["type": "string", "minLength": 1]),
        "The rule, for instance `score >= 0.8 for on-device`."
      ).required(),
      Key("name", \.name, .name, "How reports call it; the rule unless given."),
    ])
}
