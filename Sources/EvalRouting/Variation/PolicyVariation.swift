package import EvalCore

/// One thing that a sweep changes in a policy, and the values it takes: `rules[2].when.tokensIn.atMost=500:8000:500`.
///
/// Behind `=` stand values and ranges with commas between them. A range `first:last:step` holds both ends where the step
/// meets them. A value is JSON, or a plain word, which is a string.
package struct PolicyVariation: Sendable {
  package let path: PolicyPath
  /// In the order written, each once; at least one.
  package let values: [JSONValue]

  /// The most values of one variation.
  package static let valueLimit = 100_000

  /// - Throws: what is wrong with it, with the place.
  package init(_ text: String, option: String = "--vary") throws(Problem) {
    let whole = OptionText(text, option: option)
    guard let (place, list) = whole.trimmed.cut(at: "=") else {
      throw whole.problem(
        "'\(text)' does not say which values to try",
        advice: "write PLACE=VALUES, such as rules[2].when.tokensIn.atMost=500:8000:500")
    }
    path = try PolicyPath(place)
    var values: [JSONValue] = []
    for part in list.split(",") { values += try PolicyVariation.values(of: part) }
    guard values.count <= PolicyVariation.valueLimit else { throw PolicyVariation.tooMany(list) }
    var seen: Set<JSONValue> = []
    self.values = values.filter { seen.insert($0).inserted }
  }

  private static func values(of part: OptionText) throws(Problem) -> [JSONValue] {
    guard !part.isEmpty else {
      throw part.problem(
        "expected a value", advice: "a number, true, false, a word, or a range FIRST:LAST:STEP")
    }
    let ends = part.split(":")
    if ends.count > 1, Decimal(ends[0].text) != nil { return try range(part, ends) }
    if let value = try? JSONValue.parse(part.text) { return [value] }
    guard let first = part.text.first, !"\"[{".contains(first) else {
      throw part.problem("'\(part.text)' is not valid JSON")
    }
    return [.string(part.text)]
  }

  private static func range(_ part: OptionText, _ ends: [OptionText]) throws(Problem) -> [JSONValue] {
    guard ends.count == 3 else {
      throw part.problem("a range takes FIRST:LAST:STEP, not '\(part.text)'")
    }
    var numbers: [Decimal] = []
    for end in ends {
      guard let number = Decimal(end.text) else { throw end.problem("'\(end.text)' is not a number") }
      numbers.append(number)
    }
    guard let grid = Decimal.onOneScale(numbers) else {
      throw part.problem("the numbers of this range lie too far apart")
    }
    let (first, last, step) = (grid.digits[0], grid.digits[1], grid.digits[2])
    guard step != 0 else { throw ends[2].problem("a step of 0 leads nowhere") }
    guard (last >= first) == (step > 0) || first == last else {
      throw ends[2].problem("a step of \(ends[2].text) never leads from \(ends[0].text) to \(ends[1].text)")
    }
    guard (last - first) / step < PolicyVariation.valueLimit else { throw tooMany(part) }
    return stride(from: first, through: last, by: step).map { Decimal.value($0, places: grid.places) }
  }

  private static func tooMany(_ part: OptionText) -> Problem {
    part.problem("that is more than \(valueLimit) values", advice: "take a larger step")
  }
}

/// A number as it was written: whole digits and decimal places, so that ten steps of 0.1 end at 1 and not beside it.
private struct Decimal {
  var digits: Int
  var places: Int

  /// - Parameter text: a JSON number without an exponent.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first, parts.last?.isEmpty == false,
      whole != "", whole != "-", let digits = Int(parts.joined()), !text.hasPrefix("+")
    else { return nil }
    self.digits = digits
    places = parts.count == 2 ? parts[1].utf8.count : 0
    guard places <= 15, digits.magnitude <= 1_000_000_000_000_000 else { return nil }
  }

  /// All with as many places as the one with most; `nil` where that overflows.
  static func onOneScale(_ numbers: [Decimal]) -> (digits: [Int], places: Int)? {
    let places = numbers.map(\.places).max() ?? 0
    var digits: [Int] = []
    for number in numbers {
      var scaled = number.digits
      for _ in number.places..<places {
        let (product, overflow) = scaled.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        scaled = product
      }
      guard scaled.magnitude < 1 << 60 else { return nil }
      digits.append(scaled)
    }
    return (digits, places)
  }

  static func value(_ digits: Int, places: Int) -> JSONValue {
    if places == 0 { return .integer(Int64(digits)) }
    return Double("\(digits)e-\(places)").map { .number($0) } ?? .null
  }
}
