/// `500ms`, `10s`, `2m`, `1h`, or seconds as a number; `nil` for anything else and for negative values.
package func parseDuration(_ text: String) -> Duration? {
  let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
  let unit = units.first { text.hasSuffix($0.suffix) } ?? ("", 1)
  guard let number = Double(text.dropLast(unit.suffix.count)), number.isFinite, number >= 0, number < 1e9
  else {
    return nil
  }
  return .nanoseconds(Int64((number * unit.seconds * 1_000_000_000).rounded()))
}
