import EvalCore

/// The formats that can be asserted (JSON Schema validation §7.3).
enum SchemaFormat: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date, time, duration, email, hostname, ipv4, ipv6, uri
  case uriReference = "uri-reference"
  case uuid
  case jsonPointer = "json-pointer"
  case regex

  func accepts(_ text: String) -> Bool {
    switch self {
    case .dateTime: SchemaDates.isDateTime(text)
    case .date: SchemaDates.isDate(text)
    case .time: SchemaDates.isTime(text)
    case .duration: SchemaDates.isDuration(text)
    case .email: SchemaNames.isEmail(text)
    case .hostname: SchemaNames.isHostname(text)
    case .ipv4: SchemaNames.isIPv4(text)
    case .ipv6: SchemaNames.isIPv6(text)
    case .uri: SchemaNames.isURI(text, isReference: false)
    case .uriReference: SchemaNames.isURI(text, isReference: true)
    case .uuid: SchemaNames.isUUID(text)
    case .jsonPointer: SchemaNames.isJSONPointer(text)
    case .regex: (try? Pattern(text, dialect: .ecmaScript)) != nil
    }
  }
}

/// Dates and times of RFC 3339.
enum SchemaDates {
  static func isDateTime(_ text: String) -> Bool {
    guard let mark = text.firstIndex(where: { $0 == "T" || $0 == "t" }) else { return false }
    return isDate(String(text[..<mark])) && isTime(String(text[text.index(after: mark)...]))
  }

  /// RFC 3339 `full-date`.
  static func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
      let day = digits(parts[2], 2), (1...12).contains(month)
    else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// RFC 3339 `full-time`, with a leap second where one can be: at 23:59:60 UTC.
  static func isTime(_ text: String) -> Bool {
    guard let mark = text.firstIndex(where: { "Zz+-".contains($0) }) else { return false }
    guard let offset = offsetMinutes(text[mark...]) else { return false }
    var clock = text[..<mark]
    if let point = clock.firstIndex(of: ".") {
      let fraction = clock[clock.index(after: point)...]
      guard !fraction.isEmpty, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
      clock = clock[..<point]
    }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = digits(parts[0], 2), let minute = digits(parts[1], 2),
      let second = digits(parts[2], 2), hour < 24, minute < 60, second <= 60
    else { return false }
    if second < 60 { return true }
    let utc = (hour * 60 + minute - offset + 2 * 24 * 60) % (24 * 60)
    return utc == 23 * 60 + 59
  }

  /// ISO 8601 durations as RFC 3339, appendix A, writes them.
  static func isDuration(_ text: String) -> Bool { durationPattern.map { matches($0, text) } ?? false }

  private static let durationPattern = try? Pattern(
    "^P(?:\\d+W|(?=\\d|T\\d)(?:(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D))?(?:T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S))?)$",
    dialect: .ecmaScript)

  private static func matches(_ pattern: Pattern, _ text: String) -> Bool {
    if case .match = pattern.firstMatch(in: text) { return true }
    return false
  }

  private static func offsetMinutes(_ text: Substring) -> Int? {
    if text == "Z" || text == "z" { return 0 }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hour = digits(parts[0], 2), let minute = digits(parts[1], 2), hour < 24,
      minute < 60
    else { return nil }
    return (hour * 60 + minute) * (text.first == "-" ? -1 : 1)
  }

  private static func digits(_ text: Substring, _ count: Int) -> Int? {
    guard text.utf8.count == count, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}

/// Addresses and names.
enum SchemaNames {
  /// An addr-spec of RFC 5321 with a dot-atom, a quoted string or an address literal.
  static func isEmail(_ text: String) -> Bool {
    guard let at = text.lastIndex(of: "@") else { return false }
    let local = text[..<at]
    let domain = text[text.index(after: at)...]
    guard !local.isEmpty, local.utf8.count <= 64 else { return false }
    if local.count > 2, local.hasPrefix("\""), local.hasSuffix("\"") {
      guard local.dropFirst().dropLast().utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return false }
    } else {
      let atoms = local.split(separator: ".", omittingEmptySubsequences: false)
      let special = Set("!#$%&'*+-/=?^_`{|}~".utf8)
      guard
        atoms.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { isAlphanumeric($0) || special.contains($0) } })
      else { return false }
    }
    if domain.hasPrefix("["), domain.hasSuffix("]") {
      let literal = String(domain.dropFirst().dropLast())
      return literal.hasPrefix("IPv6:") ? isIPv6(String(literal.dropFirst(5))) : isIPv4(literal)
    }
    return isHostname(String(domain))
  }

  /// RFC 1123 §2.1.
  static func isHostname(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      }
  }

  static func isIPv4(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let number = Int(part)
        else { return false }
        return number <= 255 && (part == "0" || !part.hasPrefix("0"))
      }
  }

  /// RFC 4291 §2.2.
  static func isIPv6(_ text: String) -> Bool {
    let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
    guard halves.count <= 2 else { return false }
    var count = 0
    for (index, half) in halves.enumerated() where !half.isEmpty {
      let groups = half.split(separator: ":", omittingEmptySubsequences: false)
      for (place, group) in groups.enumerated() {
        if place == groups.count - 1, index == halves.count - 1, group.contains(".") {
          guard isIPv4(String(group)) else { return false }
          count += 2
          continue
        }
        guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy(isHex) else { return false }
        count += 1
      }
    }
    return halves.count == 2 ? count < 8 : count == 8
  }

  static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.utf8.allSatisfy(isHex) }
  }

  /// RFC 6901 §3.
  static func isJSONPointer(_ text: String) -> Bool {
    guard text.isEmpty || text.hasPrefix("/") else { return false }
    var isTilde = false
    for byte in text.utf8 {
      if isTilde, byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return false }
      isTilde = byte == UInt8(ascii: "~")
    }
    return !isTilde
  }

  /// RFC 3986: the characters of each part, whole percent escapes, a port of digits, and a scheme unless it may be
  /// left out.
  static func isURI(_ text: String, isReference: Bool) -> Bool {
    guard let pattern = isReference ? referencePattern : uriPattern,
      case .match = pattern.firstMatch(in: text)
    else {
      return false
    }
    return true
  }

  private static let characters = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
  private static let authority =
    "(?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:\\[[0-9A-Fa-f:.v]+\\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?(?:/\(characters)*)*"
  private static let tail = "(?:\\?(?:\(characters)|[/?])*)?(?:#(?:\(characters)|[/?])*)?$"
  private static let uriPattern = try? Pattern(
    "^[A-Za-z][A-Za-z0-9+.-]*:(?:\(authority))|/?(?:\(characters)+(?:/\(characters)*)*)?)\(tail)",
    dialect: .ecmaScript)
  private static let referencePattern = try? Pattern(
    "^(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?:\(authority))|/?(?:\(characters)+(?:/\(characters)*)*)?)\(tail)",
    dialect: .ecmaScript)

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isWordByte && byte != UInt8(ascii: "_") }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
