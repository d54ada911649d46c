import EvalCore

/// Arithmetic on JSON numbers that does not lose what the text said.
enum JSONNumbers {
  /// Below 0, 0 or above 0 as `left` is less than, equal to or more than `right`. Integers compare exactly.
  static func order(_ left: JSONValue, _ right: JSONValue) -> Int {
    if case .integer(let first) = left, case .integer(let second) = right {
      return first < second ? -1 : first == second ? 0 : 1
    }
    let first = left.doubleValue ?? 0
    let second = right.doubleValue ?? 0
    return first < second ? -1 : first == second ? 0 : 1
  }

  /// Whether `value` is a whole multiple of `divisor` in decimal arithmetic, where 0.3 is a multiple of 0.1.
  ///
  /// Both are taken as their shortest decimal texts and compared as integers of a common scale. Where these do not fit
  /// into 128 bits, binary remainders decide.
  static func isMultiple(_ value: JSONValue, of divisor: JSONValue) -> Bool {
    guard let left = Decimal(value), let right = Decimal(divisor), right.digits != 0 else { return false }
    let scale = min(left.exponent, right.exponent)
    if let first = left.scaled(to: scale), let second = right.scaled(to: scale) {
      return first.isMultiple(of: second)
    }
    guard let first = value.doubleValue, let second = divisor.doubleValue else { return false }
    return first.truncatingRemainder(dividingBy: second) == 0
  }

  /// A magnitude as `digits · 10^exponent`.
  private struct Decimal {
    var digits: UInt128
    var exponent: Int

    init?(_ value: JSONValue) {
      switch value {
      case .integer(let integer): (digits, exponent) = (UInt128(integer.magnitude), 0)
      case .number(let double):
        guard double.isFinite else { return nil }
        let parts = double.magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
        guard let digits = UInt128(String(mantissa[0]) + fraction) else { return nil }
        self.digits = digits
        exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
      default: return nil
      }
    }

    /// The digits at a smaller exponent; `nil` when they do not fit.
    func scaled(to scale: Int) -> UInt128? {
      guard digits != 0 else { return 0 }
      guard exponent - scale < 40 else { return nil }
      var result = digits
      for _ in 0..<(exponent - scale) {
        let (product, overflow) = result.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        result = product
      }
      return result
    }
  }

  /// The places of the first two elements that are equal as JSON.
  static func firstDuplicate(_ elements: [JSONValue]) -> (Int, Int)? {
    if elements.count < 16 {
      for second in elements.indices {
        for first in 0..<second where elements[first].jsonEquals(elements[second]) { return (first, second) }
      }
      return nil
    }
    // Canonical texts are equal where the values are: numbers print alike and names are sorted.
    var seen: [ExactName: Int] = [:]
    for (index, element) in elements.enumerated() {
      if let first = seen.updateValue(index, forKey: ExactName(element.serialized(.canonical))) {
        return (first, index)
      }
    }
    return nil
  }
}
