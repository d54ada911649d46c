import EvalCore

/// The members of the answer's JSON object agree with those of a reference object, field by field.
struct FieldsGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "fields",
    summary: "The answer is a JSON object that agrees with a reference object, field by field.",
    argument: Shape.any(
      Shape.reference,
      [
        "type": "object", "minProperties": 1,
        "additionalProperties": Shape.any(
          Shape.words(FieldRule.Comparison.self),
          [
            "type": "object", "additionalProperties": false,
            "properties": [
              "compare": Shape.words(FieldRule.Comparison.self),
              "weight": ["type": "number", "exclusiveMinimum": 0], "tolerance": Shape.nonNegative,
              "relativeTolerance": Shape.nonNegative, "metric": Shape.words(Similarity.self),
              "threshold": ["type": "number", "minimum": 0, "maximum": 1], "ignoreCase": Shape.bool,
            ],
          ]),
      ]),
    options: [
      OptionSpec("expected", ["type": "object"], "The reference object; the case's reference unless given."),
      OptionSpec(
        "allowExtra", Shape.bool,
        "Accept members that the reference object does not have; true unless given. Else each is a field that disagrees."
      ),
    ] + AnswerJSON.options,
    example: [
      "fields": ["name": "ignoreCase", "price": ["compare": "number", "tolerance": 0.01, "weight": 2]],
      "threshold": 0.8,
    ]
  ) { spec, _ throws(GraderProblem) in try FieldsGrader(CheckReader(spec, graded: true)) }

  private let source: AnswerJSON
  /// `nil` takes every member of the reference object.
  private let rules: [FieldRule]?
  private let expected: JSONObject?
  private let allowExtra: Bool
  private let threshold: Double

  init(_ reader: CheckReader) throws(GraderProblem) {
    source = try AnswerJSON(reader)
    allowExtra = try reader.bool("allowExtra", default: true)
    threshold = reader.spec.threshold ?? 1
    if reader.has("expected") {
      guard let object = reader.spec.options["expected"]?.objectValue, !object.isEmpty else {
        throw GraderProblem("'expected' is an object that is not empty", path: "expected")
      }
      expected = object
    } else {
      expected = nil
    }
    if Expected.isReference(reader.argument) {
      rules = nil
      return
    }
    guard let object = reader.argument.objectValue, !object.isEmpty else {
      throw reader.wrongArgument("an object of fields is needed, or true for all fields of the reference")
    }
    var rules: [FieldRule] = []
    for member in object.members { rules.append(try FieldRule(member.key, member.value)) }
    self.rules = rules
  }

  func grade(_ subject: Subject) async -> Verdict {
    let reference: JSONObject
    if let expected {
      reference = expected
    } else {
      guard let value = Expected.reference.value(for: subject) else { return Expected.missing }
      guard let object = JSONEqualsGrader.structured(value).objectValue else {
        return Expected.unusable("an object", value)
      }
      reference = object
    }
    switch source.read(subject.answer.text) {
    case .second(let why): return Verdict(.graded(0, threshold: threshold), why)
    case .first(let found):
      guard let object = found.objectValue else {
        return Verdict(.graded(0, threshold: threshold), "expected a JSON object, found \(Quote.json(found))")
      }
      return judge(object, reference)
    }
  }

  private func judge(_ found: JSONObject, _ reference: JSONObject) -> Verdict {
    let rules = rules ?? reference.keys.map { FieldRule(exactly: $0) }
    var sum = 0.0
    var weights = 0.0
    var differences: [String] = []
    for rule in rules {
      let (share, message) = rule.agreement(rule.place.value(in: reference), rule.place.value(in: found))
      guard let share else { return Verdict(.unscored(.graderFailed, "\(rule.place.text): \(message)")) }
      sum += rule.weight * share
      weights += rule.weight
      if share < 1 { differences.append("\(rule.place.text): \(message)") }
    }
    if !allowExtra {
      let known = Set(reference.keys).union(rules.map(\.place.text))
      for name in found.keys where !known.contains(name) {
        weights += 1
        differences.append("\(name): not in the reference")
      }
    }
    guard weights > 0 else {
      return Verdict(.unscored(.notApplicable, "the reference object has no members"))
    }
    let all = rules.count
    let explanation =
      differences.isEmpty
      ? "all of \(Quote.count(all, "field")) agree"
      : "\(Quote.count(differences.count, "field")) disagree\(differences.count == 1 ? "s" : ""): \(differences.prefix(3).joined(separator: "; "))"
    return Verdict(.graded(sum / weights, threshold: threshold), explanation)
  }
}
