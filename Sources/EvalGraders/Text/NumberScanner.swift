/// Finds decimal numbers in text, as people and models write them.
///
/// Known: signs (`-`, `+`, `−`), groups of three digits behind one kind of separator, fractions, `1.5e-3`,
/// `1.5 × 10^-3`, `%`, and a currency sign between sign and digits. Not numbers: digits that continue a word (`H2O`),
/// versions and addresses (`1.2.3`), hexadecimal (`0x1F`).
struct NumberScanner {
  struct Found: Equatable {
    var value: Double
    var isPercent: Bool
  }

  private let bytes: [UInt8]
  private let decimal: UInt8
  private let grouping: UInt8

  /// - Parameter decimalComma: `1.234,5` instead of `1,234.5`.
  init(_ text: String, decimalComma: Bool = false) {
    bytes = Array(text.utf8)
    decimal = UInt8(ascii: decimalComma ? "," : ".")
    grouping = UInt8(ascii: decimalComma ? "." : ",")
  }

  /// The numbers of a text in their order.
  static func numbers(in text: String, decimalComma: Bool = false) -> [Found] {
    NumberScanner(text, decimalComma: decimalComma).numbers()
  }

  /// The number that a text is, and nothing else; `nil` when there are more, none, or words around it.
  static func whole(_ text: String, decimalComma: Bool = false) -> Found? {
    let scanner = NumberScanner(text.trimmedFast, decimalComma: decimalComma)
    var position = scanner.signEnd(0)
    position += scanner.currencyLength(at: position)
    guard scanner.isStart(position), let (found, end) = scanner.number(at: position) else { return nil }
    return end == scanner.bytes.count ? found : nil
  }

  func numbers() -> [Found] {
    var found: [Found] = []
    var position = 0
    while position < bytes.count {
      guard isStart(position) else {
        position += 1
        continue
      }
      if position > 0, bytes[position - 1].isWordByte {
        position = tokenEnd(position)
      } else if let (number, end) = number(at: position) {
        found.append(number)
        position = end
      } else {
        position = tokenEnd(position)
      }
    }
    return found
  }

  private func isStart(_ position: Int) -> Bool {
    if isDigit(position) { return true }
    return byte(position) == decimal && isDigit(position + 1) && !(position > 0 && isDigit(position - 1))
  }

  /// Reads the number whose first digit, or point, stands at `start`; `nil` when it is none after all.
  private func number(at start: Int) -> (Found, end: Int)? {
    var position = start
    var text = isNegative(before: start) ? "-" : ""
    let whole = integer(&position)
    text += whole.isEmpty ? "0" : whole
    if byte(position) == decimal, isDigit(position + 1) {
      position += 1
      text += "." + digits(&position)
      if byte(position) == decimal, isDigit(position + 1) { return nil }
    }
    if whole == "0", byte(position) | 0x20 == UInt8(ascii: "x"), byte(position + 1).isHexDigit { return nil }
    let exponent = scientific(&position) + power(&position)
    guard let value = Double(exponent == 0 ? text : "\(text)e\(exponent)"), value.isFinite else { return nil }
    return (Found(value: value, isPercent: percent(&position)), position)
  }

  /// Digits with their groups joined.
  private func integer(_ position: inout Int) -> String {
    var text = digits(&position)
    guard (1...3).contains(text.utf8.count) else { return text }
    let separator = separatorLength(position)
    guard separator > 0 else { return text }
    let sign = bytes[position..<(position + separator)]
    while position + separator <= bytes.count, bytes[position..<(position + separator)] == sign {
      let group = position + separator
      guard (0..<3).allSatisfy({ isDigit(group + $0) }), !isDigit(group + 3) else { break }
      position = group
      text += digits(&position)
    }
    return text
  }

  /// The bytes of the group separator at `position`, 0 when there is none: the one of the notation, an underscore,
  /// an apostrophe, or a no-break or thin space.
  private func separatorLength(_ position: Int) -> Int {
    switch byte(position) {
    case grouping, UInt8(ascii: "_"), UInt8(ascii: "'"): 1
    case 0xC2 where byte(position + 1) == 0xA0: 2
    case 0xE2 where byte(position + 1) == 0x80 && [0x89, 0xAF, 0x99].contains(byte(position + 2)): 3
    default: 0
    }
  }

  /// The exponent of `e-3`, 0 when there is none.
  private func scientific(_ position: inout Int) -> Int {
    guard byte(position) | 0x20 == UInt8(ascii: "e") else { return 0 }
    var next = position + 1
    guard let exponent = signedInteger(&next), !byte(next).isWordByte else { return 0 }
    position = next
    return exponent
  }

  /// The exponent of `× 10^-3`, in plain text or TeX, 0 when there is none.
  private func power(_ position: inout Int) -> Int {
    var next = skipSpaces(position)
    let times = ["×", "x", "*", "·", "\\times", "\\cdot"].first { matches($0, at: next) }
    guard let times else { return 0 }
    next = skipSpaces(next + times.utf8.count)
    guard matches("10^", at: next) else { return 0 }
    next += 3
    let isBraced = byte(next) == UInt8(ascii: "{")
    if isBraced { next += 1 }
    guard let exponent = signedInteger(&next) else { return 0 }
    if isBraced {
      guard byte(next) == UInt8(ascii: "}") else { return 0 }
      next += 1
    }
    position = next
    return exponent
  }

  private func percent(_ position: inout Int) -> Bool {
    var next = skipSpaces(position)
    if byte(next) == UInt8(ascii: "\\") { next += 1 }
    guard byte(next) == UInt8(ascii: "%") else { return false }
    position = next + 1
    return true
  }

  private func signedInteger(_ position: inout Int) -> Int? {
    var next = position
    let isNegative = byte(next) == UInt8(ascii: "-") || matches("−", at: next)
    next = signEnd(next)
    let text = digits(&next)
    // Beyond four digits every double is 0 or infinite anyway.
    guard !text.isEmpty, let value = Int(text.prefix(5)) else { return nil }
    position = next
    return isNegative ? -value : value
  }

  /// Whether a minus belongs to the number: nothing that it could join to the number stands before it.
  private func isNegative(before start: Int) -> Bool {
    var position = start - currencyLength(before: start)
    if position > 0, bytes[position - 1] == UInt8(ascii: "-") {
      position -= 1
    } else if position > 2, matches("−", at: position - 3) {
      position -= 3
    } else {
      return false
    }
    guard position > 0 else { return true }
    let before = bytes[position - 1]
    return !before.isWordByte && !")].-".utf8.contains(before)
  }

  private static let currencies = ["$", "€", "£", "¥", "₹"]

  private func currencyLength(before position: Int) -> Int {
    NumberScanner.currencies.first { matches($0, at: position - $0.utf8.count) }?.utf8.count ?? 0
  }

  private func currencyLength(at position: Int) -> Int {
    NumberScanner.currencies.first { matches($0, at: position) }?.utf8.count ?? 0
  }

  private func signEnd(_ position: Int) -> Int {
    switch byte(position) {
    case UInt8(ascii: "-"), UInt8(ascii: "+"): position + 1
    default: matches("−", at: position) ? position + 3 : position
    }
  }

  private func digits(_ position: inout Int) -> String {
    let start = position
    while isDigit(position) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The end of a word with digits and points in it.
  private func tokenEnd(_ start: Int) -> Int {
    var position = start + 1
    while byte(position).isWordByte || (byte(position) == UInt8(ascii: ".") && isDigit(position + 1)) {
      position += 1
    }
    return position
  }

  private func skipSpaces(_ position: Int) -> Int {
    var position = position
    while byte(position) == 0x20 { position += 1 }
    return position
  }

  private func isDigit(_ position: Int) -> Bool {
    position < bytes.count && bytes[position] >= 0x30 && bytes[position] <= 0x39
  }

  /// The byte at `position`, 0 beyond the end.
  private func byte(_ position: Int) -> UInt8 { position < bytes.count ? bytes[position] : 0 }

  private func matches(_ text: String, at position: Int) -> Bool {
    position >= 0 && bytes[min(position, bytes.count)...].starts(with: text.utf8)
  }
}

extension UInt8 {
  /// An ASCII letter, digit or underscore.
  var isWordByte: Bool {
    (self >= 0x30 && self <= 0x39) || (self | 0x20 >= 0x61 && self | 0x20 <= 0x7A) || self == 0x5F
  }

  fileprivate var isHexDigit: Bool {
    (self >= 0x30 && self <= 0x39) || (self | 0x20 >= 0x61 && self | 0x20 <= 0x66)
  }
}
