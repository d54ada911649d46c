import EvalCore

/// A number in the answer is what is expected, or within bounds.
struct NumberGrader: Grader {
  enum Pick: String, CaseIterable { case last, first, only, any }
  enum Decimal: String, CaseIterable {
    case point = "."
    case comma = ","
  }
  enum Percent: String, CaseIterable { case asWritten, fraction }

  static let descriptor = GraderDescriptor(
    name: "number",
    summary: "A number in the answer equals this one within a tolerance, or is within bounds.",
    argument: Shape.any(
      ["type": ["number", "string", "boolean", "null"]],
      [
        "type": "object", "additionalProperties": false, "minProperties": 1,
        "properties": [
          "equals": ["type": ["number", "string"]], "atLeast": ["type": ["number", "string"]],
          "atMost": ["type": ["number", "string"]],
        ],
      ]),
    options: [
      SharedOption.tolerance, SharedOption.relativeTolerance,
      OptionSpec(
        "pick", Shape.words(Pick.self),
        "Which number counts: the last unless given, the first, the only one, or any."),
      OptionSpec(
        "decimal", Shape.words(Decimal.self),
        "The decimal sign of the answer: a point unless given, or a comma."),
      OptionSpec(
        "percent", Shape.words(Percent.self),
        "What 45% reads as: 45 (asWritten, unless given) or 0.45 (fraction)."),
    ],
    example: ["number": 3.14, "tolerance": 0.01]
  ) { spec, _ throws(GraderProblem) in try NumberGrader(CheckReader(spec)) }

  private let bounds: Bounds
  private let pick: Pick
  private let tolerance: NumericTolerance
  private let decimal: Decimal
  private let percent: Percent

  private struct Bounds: Sendable {
    var isReference = false
    var equals: Double?
    var atLeast: Double?
    var atMost: Double?
  }

  init(_ reader: CheckReader) throws(GraderProblem) {
    pick = try reader.word("pick", default: .last)
    decimal = try reader.word("decimal", default: .point)
    percent = try reader.word("percent", default: .asWritten)
    tolerance = try NumericTolerance(reader)
    bounds = try NumberGrader.bounds(reader, percent)
    if bounds.equals == nil, !bounds.isReference, tolerance != NumericTolerance() {
      throw GraderProblem("a tolerance has no effect without a number to equal", path: "tolerance")
    }
  }

  func grade(_ subject: Subject) async -> Verdict {
    var bounds = bounds
    if bounds.isReference {
      guard let reference = Expected.reference.value(for: subject) else { return Expected.missing }
      guard let number = NumberGrader.number(reference, percent) else {
        return Expected.unusable("a number", reference)
      }
      bounds.equals = number
    }
    let found = NumberScanner.numbers(in: subject.answer.text, decimalComma: decimal == .comma)
    let values = found.map { NumberGrader.value($0, percent) }
    guard let first = values.first, let last = values.last else {
      return Verdict(
        .verdict(false),
        "expected \(describe(bounds)), there is no number in \(Quote.text(subject.answer.text))")
    }
    switch pick {
    case .first: return judge(first, bounds)
    case .last: return judge(last, bounds)
    case .only where values.count > 1:
      return Verdict(.verdict(false), "expected one number, there are \(values.count): \(list(values))")
    case .only: return judge(last, bounds)
    case .any:
      if let right = values.first(where: { holds($0, bounds) }) { return judge(right, bounds) }
      return Verdict(.verdict(false), "expected \(describe(bounds)), found \(list(values))")
    }
  }

  private func judge(_ value: Double, _ bounds: Bounds) -> Verdict {
    Verdict(.verdict(holds(value, bounds)), "expected \(describe(bounds)), found \(Quote.number(value))")
  }

  private func holds(_ value: Double, _ bounds: Bounds) -> Bool {
    if let equals = bounds.equals, !tolerance.accepts(value, expected: equals) { return false }
    if let atLeast = bounds.atLeast, value < atLeast { return false }
    if let atMost = bounds.atMost, value > atMost { return false }
    return true
  }

  private func list(_ values: [Double]) -> String {
    let shown = values.suffix(5).map(Quote.number).joined(separator: ", ")
    return values.count > 5 ? "…, \(shown)" : shown
  }

  private func describe(_ bounds: Bounds) -> String {
    var parts: [String] = []
    if let equals = bounds.equals { parts.append(Quote.number(equals) + tolerance.described) }
    if let atLeast = bounds.atLeast { parts.append("at least \(Quote.number(atLeast))") }
    if let atMost = bounds.atMost { parts.append("at most \(Quote.number(atMost))") }
    return parts.joined(separator: " and ")
  }

  /// A JSON number, or a text that is a number and nothing else.
  private static func number(_ json: JSONValue, _ percent: Percent) -> Double? {
    if let number = json.doubleValue { return number.isFinite ? number : nil }
    return json.stringValue.flatMap { NumberScanner.whole($0) }.map { value($0, percent) }
  }

  private static func value(_ found: NumberScanner.Found, _ percent: Percent) -> Double {
    found.isPercent && percent == .fraction ? found.value / 100 : found.value
  }

  private static func bounds(_ reader: CheckReader, _ percent: Percent) throws(GraderProblem) -> Bounds {
    if Expected.isReference(reader.argument) { return Bounds(isReference: true) }
    if let number = number(reader.argument, percent) { return Bounds(equals: number) }
    guard let object = reader.argument.objectValue, !object.isEmpty else {
      throw reader.wrongArgument(
        "a number is needed, an object with 'equals', 'atLeast' or 'atMost', or true for the case's reference"
      )
    }
    var bounds = Bounds()
    for member in object.members {
      guard let value = number(member.value, percent) else {
        throw GraderProblem("'\(member.key)' is a number", path: "number.\(member.key)")
      }
      switch member.key {
      case "equals": bounds.equals = value
      case "atLeast": bounds.atLeast = value
      case "atMost": bounds.atMost = value
      default:
        throw GraderProblem(
          "'\(member.key)' is not a bound of a number", path: "number.\(member.key)",
          advice: suggestion(for: member.key, among: ["equals", "atLeast", "atMost"]))
      }
    }
    if let low = bounds.atLeast, let high = bounds.atMost, low > high {
      throw GraderProblem("no number is at least \(low) and at most \(high)", path: "number.atLeast")
    }
    return bounds
  }
}
