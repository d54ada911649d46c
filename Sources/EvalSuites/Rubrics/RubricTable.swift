import EvalCore

/// A rubric while it is read. Criteria name levels and examples name criteria, so those are read after the others.
struct RubricDraft: Draft {
  var description: String?
  var judges: [String] = []
  var criteria: JSONView?
  var facts: [String] = []
  var examples: JSONView?
  var draws = 1
  var reducer = VerdictReducer.median
  var criteriaPerCall = 3
  var recheck = 0.0
  var places: [String: (view: JSONView, origin: Origin)] = [:]

  mutating func note(_ key: String, at view: JSONView, in origin: Origin) { places[key] = (view, origin) }
}

struct CriterionDraft: Draft {
  var question = ""
  var levels: [RubricLevel] = []
  var weight = 1.0
  var minimum: JSONView?
  var mustPass = false
  var places: [String: JSONView] = [:]

  mutating func note(_ key: String, at view: JSONView, in origin: Origin) { places[key] = view }
}

struct ExampleDraft: Draft {
  var input: String?
  var answer = ""
  var scores: JSONView?
  var why: String?
}

extension ObjectTable where Into == RubricDraft {
  static let rubric = ObjectTable(
    "rubric", "a rubric",
    [
      Key("description", \.description, .name, "What kind of answer is judged, for the judge to read."),
      Key(
        "judge", \.judges, .strings,
        "The profile that judges, or several for a panel; as in the defaults unless given."),
      Key(
        "criteria", \.criteria,
        .later(["type": "object", "minProperties": 1, "additionalProperties": ["$ref": "#/$defs/criterion"]]),
        "What is looked for, by name."
      ).required(),
      Key("facts", \.facts, .array(of: .name), "What is known to be true, for every answer."),
      Key(
        "examples", \.examples, .later(["type": "array", "items": ["$ref": "#/$defs/scoredExample"]]),
        "Answers that a person has scored."),
      Key("draws", \.draws, .integer(1...25), "How often each judge is asked; 1 unless given."),
      Key("reduce", \.reducer, .word, "How several verdicts become one; median unless given."),
      Key(
        "criteriaPerCall", \.criteriaPerCall, .integer(1...20),
        "The most criteria of one judge call, else they are split; 3 unless given."),
      Key(
        "recheck", \.recheck, .number(0...1),
        "The share of answers that each judge is asked about again, only to see whether it agrees with itself; 0 unless given."
      ),
    ])
}

extension ObjectTable where Into == CriterionDraft {
  static let criterion = ObjectTable(
    "criterion", "a criterion",
    [
      Key("question", \.question, .name, "What is asked of the answer.").required(),
      Key(
        "levels", \.levels, .levels,
        "The scale from worst to best: what is seen in an answer of each level, as a list (levels 1, 2, …), by a word for each level, or as a bare number of levels."
      ).required(),
      Key("weight", \.weight, .above(0), "Its share in the rubric's value; 1 unless given."),
      Key(
        "minimum", \.minimum, .later(["type": ["integer", "string"]]),
        "The least level that is good enough: below it the answer does not pass."),
      Key(
        "mustPass", \.mustPass, .bool,
        "Whether an answer below the minimum, the best level unless given, is worth 0; false unless given."),
    ])
}

extension ObjectTable where Into == ExampleDraft {
  static let scoredExample = ObjectTable(
    "scoredExample", "a scored example",
    [
      Key("input", \.input, .text, "What was asked."),
      Key("answer", \.answer, .name, "The answer that was scored.").required(),
      Key(
        "scores", \.scores,
        .later([
          "type": "object", "minProperties": 1, "additionalProperties": ["type": ["integer", "string"]],
        ]),
        "The level of each criterion that a person gave it."
      ).required(),
      Key("why", \.why, .text, "The person's reason."),
    ])
}

extension Shape where Value == [RubricLevel] {
  /// The most levels of a scale: nobody tells more apart.
  static var most: Int { 20 }

  static var levels: Shape {
    let list: JSONValue = [
      "type": "array", "items": ["type": "string"], "minItems": 2, "maxItems": .integer(Int64(most)),
    ]
    let words: JSONValue = [
      "type": "object", "additionalProperties": ["type": "string"], "minProperties": 2,
      "maxProperties": .integer(Int64(most)),
    ]
    let number = Shape<Int>.integer(2...most)
    return Shape(["anyOf": [list, words, number.schema]]) { view, reader in
      switch view.kind {
      case .number:
        return number.read(view, reader).map { count in
          (1...count).map { RubricLevel(label: "\($0)", summary: "") }
        }
      case .array: return read(Array(view.elements).enumerated().map { ("\($0 + 1)", $1) }, view, reader)
      case .object: return read(view.members.map { ($0.key.string ?? "", $0.value) }, view, reader)
      default:
        reader.wrong(view, expected: "a list of what is seen at each level, worst first")
        return nil
      }
    }
  }

  private static func read(
    _ pairs: [(label: String, view: JSONView)], _ view: JSONView, _ reader: Reader
  ) -> [RubricLevel]? {
    guard (2...most).contains(pairs.count) else {
      reader.wrong(view, expected: "a scale of 2 to \(most) levels")
      return nil
    }
    var levels: [RubricLevel] = []
    for (label, text) in pairs {
      guard let summary = Shape<String>.text.read(text, reader) else { return nil }
      // The judge writes the label, and case and blanks do not tell labels apart there.
      if label.isEmpty || levels.contains(where: { $0.label.lowercased() == label.lowercased() }) {
        reader.error("two levels are called '\(label)'", at: text, advice: "rename one")
        return nil
      }
      if label.lowercased() == Rubric.abstention {
        reader.error(
          "'\(Rubric.abstention)' is what a judge writes that cannot decide", at: text,
          advice: "call the level otherwise")
        return nil
      }
      levels.append(RubricLevel(label: label, summary: summary))
    }
    return levels
  }
}
