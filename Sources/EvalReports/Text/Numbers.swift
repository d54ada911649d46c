#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Numbers as people read them: sensible digits, units, `—` for what is missing.
package enum Numbers {
  /// Stands for a value that is missing, never for 0.
  package static let missing = "—"

  /// A number with so many decimals, halves away from zero; no exponent.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return missing }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    var digits = String(Int64(scaled))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + grouped(digits) }
    if digits.utf8.count <= decimals {
      digits = String(repeating: "0", count: decimals + 1 - digits.utf8.count) + digits
    }
    return sign + grouped(String(digits.dropLast(decimals))) + "." + String(digits.suffix(decimals))
  }

  /// A number with so many significant digits and at most `maximum` decimals.
  static func significant(_ value: Double, _ digits: Int = 3, maximum: Int = 9) -> String {
    fixed(value, decimals(for: value, digits, maximum: maximum))
  }

  private static func decimals(for value: Double, _ digits: Int, maximum: Int) -> Int {
    guard value != 0, value.isFinite else { return 0 }
    var decimals = digits - 1 - Int(log10(abs(value)).rounded(.down))
    // 9.996 with three digits is 10.0, not 10.00.
    if decimals > 0, (abs(value) * pow(10, Double(decimals))).rounded() >= pow(10, Double(digits)) {
      decimals -= 1
    }
    return min(max(decimals, 0), maximum)
  }

  /// To twelve significant digits: what is behind them is the noise of sums, and differs between machines.
  static func rounded(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    let decimals = 11 - Int(log10(abs(value)).rounded(.down))
    guard abs(decimals) <= 300 else { return value }
    let scale = pow(10, Double(abs(decimals)))
    return decimals >= 0 ? (value * scale).rounded() / scale : (value / scale).rounded() * scale
  }

  /// `1,234,567`.
  package static func count(_ value: Int) -> String {
    (value < 0 ? "-" : "") + grouped(String(value.magnitude))
  }

  private static func grouped(_ digits: String) -> String {
    guard digits.utf8.count > 3 else { return digits }
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result
  }

  /// `9 of 12`.
  static func part(_ part: Int, of whole: Int) -> String { "\(count(part)) of \(count(whole))" }
}

/// What a number measures, which decides its digits and unit.
enum Quantity: Sendable, Hashable {
  /// A score in 0…1.
  case score
  /// A share in 0…1, shown in per cent.
  case share
  case milliseconds
  case dollars
  case tokensPerSecond
  /// A mean number of things.
  case amount

  func text(_ value: Double) -> String { prefix + number(value, like: value) + unit(value) }

  private var prefix: String { self == .dollars ? "$" : "" }

  /// Both ends in the unit and digits of the larger one.
  func text(_ range: ClosedRange<Double>) -> String {
    let (low, high) = (range.lowerBound, range.upperBound)
    return prefix + number(low, like: high) + "–" + number(high, like: high) + unit(high)
  }

  private func number(_ value: Double, like scale: Double) -> String {
    switch self {
    case .score: return Numbers.fixed(value, 3)
    case .share: return Quantity.percent(value)
    case .milliseconds:
      let divisor = Quantity.divisor(scale)
      // A zero, or a low end far below the high one, has no digits of its own to keep.
      return value == 0 ? "0" : Numbers.significant(value / divisor, 3, maximum: 4)
    case .dollars:
      if value == 0 { return "0" }
      return abs(value) >= 1 ? Numbers.fixed(value, 2) : Numbers.significant(value, 3, maximum: 9)
    case .tokensPerSecond: return Numbers.significant(value, 3, maximum: 3)
    case .amount: return Numbers.fixed(value, value.rounded() == value ? 0 : 1)
    }
  }

  /// Never 0 or 100 unless it is exactly that.
  private static func percent(_ share: Double) -> String {
    if share == 0 { return "0" }
    if share == 1 { return "100" }
    return Numbers.fixed(min(max(share * 100, 0.1), 99.9), 1)
  }

  private static func divisor(_ milliseconds: Double) -> Double {
    // Just below a thousand rounds up to the next unit.
    if abs(milliseconds) < 999.5 { return 1 }
    return abs(milliseconds) < 599_500 ? 1000 : 60_000
  }

  private func unit(_ scale: Double) -> String {
    switch self {
    case .score, .amount, .dollars: return ""
    case .share: return " %"
    case .milliseconds:
      switch Quantity.divisor(scale) {
      case 1: return " ms"
      case 1000: return " s"
      default: return " min"
      }
    case .tokensPerSecond: return " tok/s"
    }
  }
}
