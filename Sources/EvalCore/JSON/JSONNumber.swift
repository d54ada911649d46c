/// Reads and prints JSON numbers; the reading side expects text that the grammar has accepted.
enum JSONNumber {
  /// A number as `digits × 10^exponent`.
  private struct Decimal {
    var isNegative = false
    /// The first 19 significant digits.
    var significand: UInt64 = 0
    var exponent = 0
    /// Whether digits other than zero were left out of `significand`.
    var isTruncated = false
  }

  /// The number as an exact integer; nil when it has a fraction or is beyond `Int64`.
  static func integer(_ text: UnsafePointer<UInt8>, count: Int) -> Int64? {
    var decimal = decimal(text, count)
    if decimal.significand == 0 { return 0 }
    while decimal.exponent < 0, decimal.significand.isMultiple(of: 10) {
      decimal.significand /= 10
      decimal.exponent += 1
    }
    guard decimal.exponent >= 0, decimal.exponent < 20, !decimal.isTruncated else { return nil }
    var magnitude = decimal.significand
    for _ in 0..<decimal.exponent {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      magnitude = product
    }
    if decimal.isNegative {
      return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// The integer that `value` is exactly; nil when it has a fraction or is beyond `Int64`. `Int64(exactly:)`
  /// would need the C library's mathematics, which nothing else here links.
  static func exactInteger(_ value: Double) -> Int64? {
    guard value >= -0x1p63, value < 0x1p63 else { return nil }
    let integer = Int64(value)
    return Double(integer) == value ? integer : nil
  }

  /// The nearest double; infinite when the number is beyond the range of doubles.
  static func double(_ text: UnsafePointer<UInt8>, count: Int) -> Double {
    let decimal = decimal(text, count)
    if decimal.significand == 0 { return decimal.isNegative ? -0.0 : 0 }
    // Both factors are exact, so the one rounding gives the nearest double (Clinger 1990, the fast path).
    if decimal.significand < 1 << 53, abs(decimal.exponent) <= 22, !decimal.isTruncated {
      let magnitude = Double(decimal.significand)
      let power = powersOfTen[abs(decimal.exponent)]
      let value = decimal.exponent < 0 ? magnitude / power : magnitude * power
      return decimal.isNegative ? -value : value
    }
    let string = String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    return Double(string) ?? .infinity
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  private static func decimal(_ text: UnsafePointer<UInt8>, _ count: Int) -> Decimal {
    var decimal = Decimal()
    var position = 0
    if text[0] == UInt8(ascii: "-") {
      decimal.isNegative = true
      position = 1
    }
    var isFraction = false
    scan: while position < count {
      switch text[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        append(text[position] &- UInt8(ascii: "0"), to: &decimal, isFraction: isFraction)
      case UInt8(ascii: "."):
        isFraction = true
      default:
        decimal.exponent += exponent(text, from: position + 1, to: count)
        break scan
      }
      position &+= 1
    }
    return decimal
  }

  @inline(__always)
  private static func append(_ digit: UInt8, to decimal: inout Decimal, isFraction: Bool) {
    if decimal.significand < 1_000_000_000_000_000_000 {
      decimal.significand = decimal.significand &* 10 &+ UInt64(digit)
      if isFraction { decimal.exponent &-= 1 }
    } else {
      if digit != 0 { decimal.isTruncated = true }
      if !isFraction { decimal.exponent &+= 1 }
    }
  }

  /// The written exponent, held within a range that no sum can overflow.
  private static func exponent(_ text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    let isNegative = text[position] == UInt8(ascii: "-")
    if isNegative || text[position] == UInt8(ascii: "+") { position += 1 }
    var exponent = 0
    while position < end, exponent < 1_000_000_000_000 {
      exponent = exponent * 10 + Int(text[position] &- UInt8(ascii: "0"))
      position += 1
    }
    return isNegative ? -exponent : exponent
  }

  /// The shortest text that reads back as the same double, as Swift prints it; `null` for NaN and infinities.
  static func text(_ value: Double) -> String {
    value.isFinite ? value.description : "null"
  }

  /// The text of ECMAScript's `Number::toString`, which RFC 8785 section 3.2.2.3 prescribes; `null` for NaN
  /// and infinities.
  static func canonicalText(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == 0 { return "0" }
    let description = value.description
    if !description.utf8.contains(UInt8(ascii: "e")) {
      return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
    let (digits, point) = shortestDigits(value.magnitude)
    let sign = value < 0 ? "-" : ""
    switch point {
    case digits.count...21:
      return sign + digits + String(repeating: "0", count: point - digits.count)
    case 1...21:
      return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    case -5...0:
      return sign + "0." + String(repeating: "0", count: -point) + digits
    default:
      let exponent = point - 1
      let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
      return sign + digits.prefix(1) + fraction + (exponent < 0 ? "e-" : "e+") + String(exponent.magnitude)
    }
  }

  /// The shortest digits `d₁d₂…` and the place `n` of the point, so that the value is `0.d₁d₂… × 10ⁿ`.
  private static func shortestDigits(_ magnitude: Double) -> (digits: String, point: Int) {
    let description = magnitude.description
    let parts = description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let whole = String(mantissa[0])
    var digits = whole + (mantissa.count > 1 ? mantissa[1] : "")
    var point = whole.count + exponent
    while digits.hasPrefix("0") {
      digits.removeFirst()
      point -= 1
    }
    while digits.hasSuffix("0") { digits.removeLast() }
    return (digits, point)
  }
}
