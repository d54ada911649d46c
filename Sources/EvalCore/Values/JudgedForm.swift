/// What a check puts to judges and what it makes of their levels, without who the judges are: with their profiles it names
/// a judge whose errors can be known.
package struct JudgedForm: Sendable, Hashable {
  /// Everything that can change a verdict: criteria, how verdicts are taken together, the threshold, the words.
  package let content: JSONValue
  package let hash: ContentHash

  /// - Parameters:
  ///   - threshold: the least value that passes; `nil` without one.
  ///   - promptHash: of the words that judges are asked with.
  package init(_ rubric: Rubric, threshold: Double?, promptHash: ContentHash) {
    guard case .object(var object) = rubric.json else {
      self.init(stored: .null)
      return
    }
    // Who judges is known from the calls, and second looks count in no verdict.
    _ = object.removeValue(forKey: "judges")
    _ = object.removeValue(forKey: "recheck")
    object["threshold"] = threshold.map { .number($0) }
    object["prompt"] = .string(promptHash.hex)
    self.init(stored: .object(object))
  }

  /// Reads back a form that was stored.
  package init(stored: JSONValue) {
    content = stored
    hash = ContentHash(of: stored, kind: "judged form")
  }

  package var criteria: [Criterion] {
    (content["criteria"]?.arrayValue ?? []).compactMap(Criterion.init(stored:))
  }

  /// What kind of answer is judged; `nil` when the suite does not say.
  package var summary: String? { content["description"]?.stringValue }

  /// Whether an answer with these levels passes, by the same rule as for a judge's.
  /// - Parameter levels: a person's, as indices, by the criterion's name.
  /// - Returns: `nil` when one is missing, or when nothing says what passes.
  package func passes(_ levels: [String: Int]) -> Bool? {
    let criteria = self.criteria
    guard !criteria.isEmpty else { return nil }
    var scores: [CriterionScore] = []
    for criterion in criteria {
      guard let level = levels[criterion.name], criterion.levels.indices.contains(level) else { return nil }
      let value = criterion.value(of: Double(level))
      scores.append(
        CriterionScore(
          criterion: criterion.name, value: value, spread: nil, verdicts: 1,
          passed: criterion.least.map { value >= $0 }))
    }
    let judgement = Judgement.ofRubric(scores, criteria, threshold: content["threshold"]?.doubleValue)
    if case .scored(_, let passed) = judgement { return passed }
    return nil
  }
}

extension Judgement {
  /// The rubric's value, `Σ w·value / Σ w` over its criteria, and 0 when one that must pass does not. It passes when every
  /// minimum is reached and the value reaches the threshold; without either there is no verdict.
  package static func ofRubric(
    _ scores: [CriterionScore], _ criteria: [Criterion], threshold: Double?
  ) -> Judgement {
    let pairs = zip(criteria, scores)
    let weights = criteria.reduce(0) { $0 + $1.weight }
    let isBroken = pairs.contains { $0.mustPass && $1.passed == false }
    let value = isBroken ? 0 : pairs.reduce(0) { $0 + $1.0.weight * $1.1.value } / weights
    guard value.isFinite else { return .unscored(.graderFailed, "the criteria have no weight") }
    let bounded = min(max(value, 0), 1)
    let minimums = scores.compactMap(\.passed)
    if minimums.isEmpty, threshold == nil { return .scored(value: bounded, passed: nil) }
    // A sum of shares may miss a threshold by a rounding.
    let reaches = threshold.map { bounded >= $0 - 1e-9 } ?? true
    return .scored(value: bounded, passed: minimums.allSatisfy(\.self) && reaches)
  }
}

extension Criterion {
  /// Reads back what `json` wrote; `nil` for anything else.
  init?(stored: JSONValue) {
    guard let name = stored["name"]?.stringValue, let question = stored["question"]?.stringValue else {
      return nil
    }
    let levels = (stored["levels"]?.arrayValue ?? []).map { level in
      RubricLevel(label: level["label"]?.stringValue ?? "", summary: level["text"]?.stringValue ?? "")
    }
    guard levels.count > 1 else { return nil }
    self.init(
      name: name, question: question, levels: levels, weight: stored["weight"]?.doubleValue ?? 1,
      minimum: stored["minimum"]?.intValue.map { Int($0) }, mustPass: stored["mustPass"]?.boolValue ?? false)
  }
}
