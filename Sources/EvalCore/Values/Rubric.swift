/// One step of a criterion's scale, in terms that two readers of an answer would agree on.
package struct RubricLevel: Sendable, Hashable {
  /// What the judge writes: `1`, `2`, … or a word.
  package var label: String
  /// What is seen in an answer of this level; empty when the suite does not say.
  package var summary: String

  package init(label: String, summary: String) {
    self.label = label
    self.summary = summary
  }
}

/// One thing that a judge looks for.
package struct Criterion: Sendable, Hashable {
  package var name: String
  /// What is asked of the answer.
  package var question: String
  /// The scale from worst to best, at least two levels.
  package var levels: [RubricLevel]
  /// Its share in the rubric's value; above 0.
  package var weight: Double
  /// The least level that is good enough, as an index into `levels`; `nil` when any is.
  package var minimum: Int?
  /// Whether an answer below the minimum (the best level where none is stated) is worth nothing, whatever else is good.
  package var mustPass: Bool

  package init(
    name: String, question: String, levels: [RubricLevel], weight: Double = 1, minimum: Int? = nil,
    mustPass: Bool = false
  ) {
    self.name = name
    self.question = question
    self.levels = levels
    self.weight = weight
    self.minimum = minimum
    self.mustPass = mustPass
  }

  /// A level's value in 0…1: its index over the last one's. The scale's steps count alike.
  package func value(of level: Double) -> Double { level / Double(levels.count - 1) }

  /// The least value that is good enough, in 0…1; `nil` when any is.
  package var least: Double? {
    (minimum ?? (mustPass ? levels.count - 1 : nil)).map { value(of: Double($0)) }
  }
}

/// An answer that a person has scored, to show a judge what the levels mean.
package struct ScoredExample: Sendable, Hashable {
  package var input: String?
  package var answer: String
  /// Indices into the levels, by the criterion's name.
  package var levels: [String: Int]
  /// The person's reason.
  package var reason: String?

  package init(input: String?, answer: String, levels: [String: Int], reason: String?) {
    self.input = input
    self.answer = answer
    self.levels = levels
    self.reason = reason
  }
}

/// How several verdicts on one criterion become one.
package enum VerdictReducer: String, Sendable, Hashable, CaseIterable {
  /// The middle one; between two, their mean.
  case median
  case mean
  /// The level that more than half of the verdicts give; without one there is no score.
  case majority
}

/// Named criteria and who judges by them.
package struct Rubric: Sendable, Hashable {
  package var name: String
  /// What kind of answer is judged; `nil` when the suite does not say.
  package var summary: String?
  package var criteria: [Criterion]
  /// Profiles, at least one in a suite that was found right. Several are a panel.
  package var judges: [String]
  /// How often each judge is asked, at least 1.
  package var draws: Int
  package var reducer: VerdictReducer
  /// The most criteria that one call asks for, at least 1.
  package var criteriaPerCall: Int
  /// The share of answers, in 0…1, that each judge is asked about once more, only to see whether it agrees with itself.
  package var recheck: Double
  /// What is known to be true, for every answer.
  package var facts: [String]
  package var examples: [ScoredExample]

  package init(
    name: String, summary: String? = nil, criteria: [Criterion], judges: [String], draws: Int = 1,
    reducer: VerdictReducer = .median, criteriaPerCall: Int = 3, recheck: Double = 0, facts: [String] = [],
    examples: [ScoredExample] = []
  ) {
    self.name = name
    self.summary = summary
    self.criteria = criteria
    self.judges = judges
    self.draws = draws
    self.reducer = reducer
    self.criteriaPerCall = criteriaPerCall
    self.recheck = recheck
    self.facts = facts
    self.examples = examples
  }

  /// What a judge writes for a level where the material does not let it decide.
  package static let abstention = "cannot judge"

  /// The criteria of each judge call, in order.
  package var parts: [[Criterion]] {
    stride(from: 0, to: criteria.count, by: criteriaPerCall).map { start in
      Array(criteria[start..<min(start + criteriaPerCall, criteria.count)])
    }
  }
}

extension Rubric {
  /// Everything that can change a verdict, without the rubric's name.
  package var json: JSONValue {
    var object: JSONObject = [
      "criteria": .array(criteria.map(\.json)), "judges": .array(judges.map { .string($0) }),
      "draws": .integer(Int64(draws)), "reduce": .string(reducer.rawValue),
      "criteriaPerCall": .integer(Int64(criteriaPerCall)),
    ]
    object["description"] = summary.map { .string($0) }
    object["recheck"] = recheck > 0 ? .number(recheck) : nil
    object["facts"] = facts.isEmpty ? nil : .array(facts.map { .string($0) })
    object["examples"] = examples.isEmpty ? nil : .array(examples.map(\.json))
    return .object(object)
  }

  package var hash: ContentHash { ContentHash(of: json, kind: "rubric") }
}

extension Criterion {
  var json: JSONValue {
    var object: JSONObject = [
      "name": .string(name), "question": .string(question),
      "levels": .array(levels.map { ["label": .string($0.label), "text": .string($0.summary)] }),
      "weight": .number(weight),
    ]
    object["minimum"] = minimum.map { .integer(Int64($0)) }
    object["mustPass"] = mustPass ? true : nil
    return .object(object)
  }
}

extension ScoredExample {
  var json: JSONValue {
    let scores = levels.sorted { $0.key < $1.key }.map {
      (key: $0.key, value: JSONValue.integer(Int64($0.value)))
    }
    var object: JSONObject = ["answer": .string(answer), "levels": .object(JSONObject(scores))]
    object["input"] = input.map { .string($0) }
    object["why"] = reason.map { .string($0) }
    return .object(object)
  }
}
