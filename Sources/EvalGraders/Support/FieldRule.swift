import EvalCore

/// How one field of an object is compared.
struct FieldRule: Sendable {
  enum Comparison: String, CaseIterable, Sendable { case exact, ignoreCase, number, set, text, present }

  /// A member's name, or a JSONPath that selects one node.
  struct Place: Sendable {
    let text: String
    fileprivate let path: JSONPath?

    func value(in object: JSONObject) -> JSONValue? {
      guard let path else { return object[text] }
      return path.nodes(in: .object(object))?.first?.value
    }
  }

  let place: Place
  var weight = 1.0
  private var comparison = Comparison.exact
  private var tolerance = NumericTolerance()
  private var metric = Similarity.tokenF1
  private var ignoreCase = false
  private var threshold: Double?

  init(exactly name: String) { place = Place(text: name, path: nil) }

  init(_ field: String, _ json: JSONValue) throws(GraderProblem) {
    let at = "fields.\(field)"
    let path = field.hasPrefix("$") ? try JSONPath(field, at: at) : nil
    if let path, !path.isSingular {
      throw GraderProblem("a field's path selects one node: no *, .., slice or filter", path: at)
    }
    place = Place(text: field, path: path)
    guard let object = json.objectValue else {
      comparison = try FieldRule.word(json, at)
      return
    }
    for member in object.members { try take(member.key, member.value, "\(at).\(member.key)") }
    try refuseIdle(object, at)
  }

  private mutating func take(_ key: String, _ value: JSONValue, _ at: String) throws(GraderProblem) {
    switch key {
    case "compare": comparison = try FieldRule.word(value, at)
    case "metric": metric = try FieldRule.word(value, at)
    case "ignoreCase":
      guard let flag = value.boolValue else { throw GraderProblem("'ignoreCase' is true or false", path: at) }
      ignoreCase = flag
    case "weight", "tolerance", "relativeTolerance", "threshold":
      guard let number = value.doubleValue, number >= 0, number.isFinite, key != "weight" || number > 0,
        key != "threshold" || number <= 1
      else { throw GraderProblem("\(value.serialized()) is no \(key)", path: at) }
      if key == "weight" { weight = number }
      if key == "tolerance" { tolerance.absolute = number }
      if key == "relativeTolerance" { tolerance.relative = number }
      if key == "threshold" { threshold = number }
    default:
      let known = [
        "compare", "weight", "tolerance", "relativeTolerance", "metric", "threshold", "ignoreCase",
      ]
      throw GraderProblem(
        "'\(key)' is not a setting of a field", path: at, advice: suggestion(for: key, among: known))
    }
  }

  private func refuseIdle(_ object: JSONObject, _ at: String) throws(GraderProblem) {
    let users: [(key: String, by: [Comparison])] = [
      ("tolerance", [.number]), ("relativeTolerance", [.number]), ("metric", [.text]),
      ("threshold", [.text, .set]),
      ("ignoreCase", [.set, .text]),
    ]
    for user in users where object[user.key] != nil && !user.by.contains(comparison) {
      throw GraderProblem(
        "'\(user.key)' has no effect on the comparison '\(comparison.rawValue)'", path: "\(at).\(user.key)",
        advice: "it belongs to \(user.by.map(\.rawValue).joined(separator: " and "))")
    }
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ value: JSONValue, _ at: String
  ) throws(GraderProblem) -> Word where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    if let word = value.stringValue.flatMap(Word.init) { return word }
    throw GraderProblem(
      "\(value.serialized()) is not one of \(words.joined(separator: ", "))", path: at,
      advice: value.stringValue.flatMap { suggestion(for: $0, among: words) })
  }
}

extension FieldRule {
  /// How far two values agree, from 0 to 1, and why not wholly; `nil` when they cannot be compared.
  func agreement(_ expected: JSONValue?, _ found: JSONValue?) -> (share: Double?, message: String) {
    if comparison == .present {
      let isThere = found.map { !$0.isNull } ?? false
      return (isThere ? 1 : 0, "expected something, found nothing")
    }
    guard let expected, !expected.isNull else {
      // What the reference leaves out, the answer must leave out.
      guard let found, !found.isNull else { return (1, "") }
      return (0, "expected nothing, found \(Quote.json(found))")
    }
    guard let found, !found.isNull else { return (0, "expected \(Quote.json(expected)), found nothing") }
    let message = "expected \(Quote.json(expected)), found \(Quote.json(found))"
    switch comparison {
    case .exact, .present: return (JSONComparison().equal(expected, found) ? 1 : 0, message)
    case .ignoreCase: return (FieldRule.folded(expected) == FieldRule.folded(found) ? 1 : 0, message)
    case .number: return (numbersAgree(expected, found) ? 1 : 0, message)
    case .set: return (judged(sets(expected, found)), message)
    case .text:
      guard let left = ExpectedTexts.texts(of: expected)?.first,
        let right = ExpectedTexts.texts(of: found)?.first
      else { return (0, message) }
      guard let value = metric(left, right, ignoreCase: ignoreCase) else {
        return (nil, "the texts are too long")
      }
      return (judged(value), "\(metric.rawValue) \(Quote.share(value)), \(message)")
    }
  }

  private func judged(_ value: Double) -> Double {
    guard let threshold else { return value }
    return value >= threshold ? 1 : 0
  }

  private static func folded(_ value: JSONValue) -> JSONValue {
    guard let text = value.stringValue else { return value }
    return .string(TextFolding(ignoreCase: true, trim: true, normalizeWhitespace: true)(text))
  }

  private func numbersAgree(_ expected: JSONValue, _ found: JSONValue) -> Bool {
    guard let left = FieldRule.number(expected), let right = FieldRule.number(found) else { return false }
    return tolerance.accepts(right, expected: left)
  }

  private static func number(_ value: JSONValue) -> Double? {
    value.doubleValue ?? value.stringValue.flatMap { NumberScanner.whole($0)?.value }
  }

  /// F1 of two arrays taken as sets: `2·|A ∩ B|/(|A| + |B|)`.
  private func sets(_ expected: JSONValue, _ found: JSONValue) -> Double {
    guard let left = expected.arrayValue, let right = found.arrayValue else { return 0 }
    let first = Set(left.map(key))
    let second = Set(right.map(key))
    if first.isEmpty, second.isEmpty { return 1 }
    return 2 * Double(first.intersection(second).count) / Double(first.count + second.count)
  }

  private func key(_ value: JSONValue) -> String {
    guard let text = value.stringValue else { return value.serialized(.canonical) }
    return "\"" + (ignoreCase ? text.folded : text)
  }
}
