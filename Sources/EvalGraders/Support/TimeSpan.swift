import EvalCore

/// A length of time in a check, as suites write it: `"500ms"`, `"10s"`, `"2m"`, or seconds as a number.
enum TimeSpan {
  static let shape: JSONValue = Shape.any(
    ["type": "number", "exclusiveMinimum": 0],
    ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m)$|\\{\\{"])

  /// Nanoseconds, above 0.
  static func nanoseconds(_ value: JSONValue, at path: String) throws(GraderProblem) -> Int64 {
    guard let seconds = seconds(value), seconds > 0, seconds < 1e9 else {
      throw GraderProblem(
        "\(value.serialized()) is no length of time", path: path,
        advice: "write \"500ms\", \"10s\", \"2m\", or seconds as a number above 0")
    }
    return Int64((seconds * 1e9).rounded())
  }

  private static func seconds(_ value: JSONValue) -> Double? {
    if let number = value.doubleValue { return number }
    guard let text = value.stringValue?.trimmed else { return nil }
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0)]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
    guard let found = NumberScanner.whole(String(text.dropLast(unit.count))), !found.isPercent else {
      return nil
    }
    return found.value * factor
  }

  /// `850 ms`, `2.5 s`.
  static func words(_ nanoseconds: Int64) -> String {
    if nanoseconds < 1_000_000 { return "\(Quote.share(Double(nanoseconds) / 1e6)) ms" }
    if nanoseconds < 1_000_000_000 { return "\(nanoseconds / 1_000_000) ms" }
    return "\(Quote.share(Double(nanoseconds) / 1e9)) s"
  }
}

/// The argument `{"atMost": …}` of limits, or its value alone.
enum AtMost {
  static func value(_ reader: CheckReader) throws(GraderProblem) -> (value: JSONValue, path: String) {
    guard let object = reader.argument.objectValue else { return (reader.argument, reader.spec.kind) }
    if let other = object.keys.first(where: { $0 != "atMost" }) {
      throw GraderProblem(
        "'\(other)' is not a limit", path: "\(reader.spec.kind).\(other)",
        advice: suggestion(for: other, among: ["atMost"]) ?? "write {\"atMost\": …}, or the limit alone")
    }
    guard let value = object["atMost"] else { throw reader.wrongArgument("'atMost' is missing") }
    return (value, "\(reader.spec.kind).atMost")
  }

  static func shape(_ value: JSONValue) -> JSONValue {
    Shape.any(
      value,
      [
        "type": "object", "additionalProperties": false, "required": ["atMost"],
        "properties": ["atMost": value],
      ])
  }
}
