import EvalCore

/// The form of a verdict on criteria: `{"verdict": CODE, "scores": {NAME: {"reason": …, "level": …}}}`.
enum VerdictForm {
  /// The schema that endpoints are asked to hold the judge to. It uses only what every provider's subset of JSON Schema
  /// has: levels are strings, so that a word and a number need no different types.
  static func schema(of criteria: [Criterion], code: String) -> JSONValue {
    var scores: JSONObject = [:]
    for criterion in criteria {
      let labels = criterion.levels.map { JSONValue.string($0.label) } + [.string(Rubric.abstention)]
      scores[criterion.name] = object([
        (key: "reason", value: ["type": "string"]),
        (key: "level", value: ["type": "string", "enum": .array(labels)]),
      ])
    }
    return object([
      (key: "verdict", value: ["type": "string", "enum": [.string(code)]]),
      (key: "scores", value: object(scores.members)),
    ])
  }

  /// The schema of a verdict that chooses one of several words.
  static func schema(choices: [String], code: String) -> JSONValue {
    object([
      (key: "verdict", value: ["type": "string", "enum": [.string(code)]]),
      (key: "reason", value: ["type": "string"]),
      (key: "better", value: ["type": "string", "enum": .array(choices.map { .string($0) })]),
    ])
  }

  private static func object(_ properties: [(key: String, value: JSONValue)]) -> JSONValue {
    [
      "type": "object", "properties": .object(JSONObject(properties)),
      "required": .array(properties.map { .string($0.key) }), "additionalProperties": false,
    ]
  }

  /// The form as the prompt shows it. Every level stands in it, so that none is suggested.
  static func example(of criteria: [Criterion], code: String) -> String {
    let scores = criteria.map { criterion in
      let labels = (criterion.levels.map(\.label) + [Rubric.abstention]).map { "\"\($0)\"" }
      return
        "\(JSONValue.string(criterion.name).serialized()): {\"reason\": \"…\", \"level\": \(labels.joined(separator: " or "))}"
    }
    return "{\"verdict\": \"\(code)\", \"scores\": {\(scores.joined(separator: ", "))}}"
  }

  /// The marks in a verdict, or what is wrong with it.
  static func marks(in verdict: JSONObject, _ criteria: [Criterion]) -> Either<[CriterionMark], String> {
    guard let scores = verdict["scores"]?.objectValue else { return .second("the verdict has no \"scores\"") }
    var marks: [CriterionMark] = []
    for criterion in criteria {
      guard let score = scores[criterion.name] else {
        return .second("the verdict says nothing about '\(criterion.name)'")
      }
      guard let word = score.objectValue.map({ $0["level"] ?? .null }) ?? .some(score),
        let label = label(word)
      else { return .second("the level of '\(criterion.name)' is no word: \(Quote.json(score))") }
      let reason = score["reason"]?.stringValue
      if label == Rubric.abstention {
        marks.append(mark(criterion, nil, reason))
      } else if let level = criterion.levels.firstIndex(where: { $0.label.lowercased() == label }) {
        marks.append(mark(criterion, level, reason))
      } else {
        let scale = criterion.levels.map(\.label).joined(separator: ", ")
        return .second("\(Quote.text(label)) is no level of '\(criterion.name)' (\(scale))")
      }
    }
    return .first(marks)
  }

  private static func mark(_ criterion: Criterion, _ level: Int?, _ reason: String?) -> CriterionMark {
    CriterionMark(
      criterion: criterion.name, level: level, levels: criterion.levels.count,
      label: level.map { criterion.levels[$0].label }, reason: reason)
  }

  /// A level as judges write it: a text or a whole number, in lower case.
  private static func label(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text.trimmed.lowercased()
    case .integer(let number): String(number)
    case .number(let number) where number == number.rounded() && number.magnitude < 1e6: String(Int(number))
    default: nil
    }
  }
}
