#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A place on an axis with what stands there.
struct ChartTick: Sendable, Hashable {
  /// In the axis' own unit: a share of 0.2, though `20 %` stands there.
  var value: Double
  var text: String
  /// First to go where labels would touch: 2 and 5 of a decade.
  var isMinor = false
}

/// A number as whole digits with a power of ten, so that what stands at a tick is exactly where it is.
struct TickNumber: Sendable, Hashable {
  var digits: Int
  var exponent: Int

  var value: Double {
    exponent >= 0 ? Double(digits) * pow(10, Double(exponent)) : Double(digits) / pow(10, Double(-exponent))
  }

  /// Without a unit: `0.05`, `1,500`, `3e15`.
  var text: String {
    if digits == 0 { return "0" }
    let size = String(digits.magnitude).utf8.count + exponent
    let sign = digits < 0 ? "-" : ""
    if size > 15 || exponent < -9 { return scientific(sign) }
    if exponent >= 0 { return sign + TickNumber.whole(digits.magnitude, zeros: exponent) }
    var text = String(digits.magnitude)
    let missing = 1 - exponent - text.utf8.count
    if missing > 0 { text = String(repeating: "0", count: missing) + text }
    let whole = Int(text.dropLast(-exponent)) ?? 0
    return sign + Numbers.count(whole) + "." + text.suffix(-exponent)
  }

  private static func whole(_ digits: UInt, zeros: Int) -> String {
    Numbers.count(Int(String(digits) + String(repeating: "0", count: zeros)) ?? 0)
  }

  private func scientific(_ sign: String) -> String {
    var (digits, exponent) = (digits.magnitude, exponent)
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    let text = String(digits)
    let rest = text.dropFirst()
    exponent += rest.utf8.count
    return sign + text.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e\(exponent)"
  }
}

/// The ends of an axis and the round numbers between them.
struct ChartTicks: Sendable, Hashable {
  var low: Double
  var high: Double
  var ticks: [ChartTick]

  /// Steps of 1, 2 or 5 times a power of ten, from at or below the least value to at or above the greatest.
  ///
  /// Heckbert, *Nice numbers for graph labels*, Graphics Gems (1990), loose labels.
  /// - Parameter wanted: about so many steps.
  static func linear(_ range: ClosedRange<Double>, _ unit: Chart.Unit, wanted: Int) -> ChartTicks {
    let shown = TickUnit(unit, greatest: max(abs(range.lowerBound), abs(range.upperBound)))
    let (low, high) = (range.lowerBound / shown.size, range.upperBound / shown.size)
    let rough = (high - low) / Double(max(1, wanted))
    var exponent = Int(log10(rough).rounded(.down))
    let fraction = rough / pow(10, Double(exponent))
    let mantissa = fraction < 1.5 ? 1 : fraction < 3.5 ? 2 : fraction < 7.5 ? 5 : 1
    if fraction >= 7.5 { exponent += 1 }
    let step = TickNumber(digits: mantissa, exponent: exponent).value
    let first = whole(low / step, .down)
    let last = max(whole(high / step, .up), first + 1)
    let ticks = (first...last).map { place in
      let number = TickNumber(digits: place * mantissa, exponent: exponent)
      return ChartTick(value: number.value * shown.size, text: shown.text(number))
    }
    return ChartTicks(low: ticks[0].value, high: ticks[ticks.count - 1].value, ticks: ticks)
  }

  /// The next whole number, but not for the noise of a division.
  private static func whole(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
    let near = value.rounded()
    return Int(abs(value - near) < 1e-9 * max(1, abs(near)) ? near : value.rounded(rule))
  }

  /// 1, 2 and 5 of each decade where there are few, else the decades or some of them.
  /// - Parameter range: above 0.
  static func log(_ range: ClosedRange<Double>, _ unit: Chart.Unit, wanted: Int) -> ChartTicks {
    let first = Int(log10(range.lowerBound).rounded(.down))
    let last = Int(log10(range.upperBound).rounded(.up))
    let decades = max(1, last - first)
    var numbers: [TickNumber] = []
    if decades <= max(1, wanted) {
      for exponent in first...last {
        numbers += [1, 2, 5].map { TickNumber(digits: $0, exponent: exponent) }
      }
    } else {
      let step = (decades + max(1, wanted) - 1) / max(1, wanted)
      numbers = stride(from: first, through: last + step, by: step).map {
        TickNumber(digits: 1, exponent: $0)
      }
    }
    let from = numbers.lastIndex { $0.value <= range.lowerBound * (1 + 1e-9) } ?? 0
    let to = numbers.firstIndex { $0.value >= range.upperBound * (1 - 1e-9) } ?? numbers.count - 1
    let (lower, upper) = from < to ? (from, to) : (from, min(from + 1, numbers.count - 1))
    let ticks = numbers[lower...upper].map { number in
      // Each in its own unit: 100 ms, 1 s.
      let shown = TickUnit(unit, greatest: number.value)
      return ChartTick(
        value: number.value, text: shown.text(number.dividing(by: shown)), isMinor: number.digits != 1)
    }
    return ChartTicks(low: ticks[0].value, high: ticks[ticks.count - 1].value, ticks: ticks)
  }
}

/// The unit that is written: seconds for many milliseconds, per cent for a share.
private struct TickUnit {
  /// One of it in the axis' own unit.
  var size = 1.0
  var prefix = ""
  var suffix = ""
  /// A letter for so many zeros: `20k`.
  var letter = (power: 0, text: "")

  /// - Parameter greatest: the greatest magnitude that is written in it.
  init(_ unit: Chart.Unit, greatest: Double) {
    switch unit {
    case .number, .tokens: letter = TickUnit.letter(greatest)
    case .score: break
    case .share: (size, suffix) = (0.01, " %")
    case .points: size = 0.01
    case .dollars: (prefix, letter) = ("$", TickUnit.letter(greatest))
    case .tokensPerSecond: suffix = " tok/s"
    case .factor: prefix = "×"
    case .milliseconds:
      (size, suffix) = greatest < 1000 ? (1, " ms") : greatest < 600_000 ? (1000, " s") : (60_000, " min")
    }
  }

  private static func letter(_ greatest: Double) -> (power: Int, text: String) {
    switch greatest {
    case ..<10_000, 1e15...: (0, "")
    case ..<1e6: (3, "k")
    case ..<1e9: (6, "M")
    case ..<1e12: (9, "G")
    default: (12, "T")
    }
  }

  func text(_ number: TickNumber) -> String {
    var text = number.text
    if letter.power > 0, number.digits != 0 {
      text = TickNumber(digits: number.digits, exponent: number.exponent - letter.power).text + letter.text
    }
    if text.hasPrefix("-") { return "-" + prefix + text.dropFirst() + suffix }
    return prefix + text + suffix
  }
}

extension TickNumber {
  /// A power of ten in another unit; minutes, which are none, are rounded to what fits.
  fileprivate func dividing(by unit: TickUnit) -> TickNumber {
    switch unit.size {
    case 1: self
    case 0.01: TickNumber(digits: digits, exponent: exponent + 2)
    case 1000: TickNumber(digits: digits, exponent: exponent - 3)
    default: TickNumber(digits: Int((value / unit.size * 10).rounded()), exponent: -1)
    }
  }
}
