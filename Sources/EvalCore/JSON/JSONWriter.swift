/// How a value is written.
package enum JSONStyle: Sendable, Hashable {
  /// No white space, members in their order.
  case compact
  /// Two spaces per level, one member or element per line, members in their order.
  case pretty
  /// RFC 8785 (JCS): keys sorted by UTF-16 units, numbers as ECMAScript prints them, no white space. One
  /// difference: integers beyond ±2^53 keep all their digits, so that unequal values never read the same.
  case canonical
}

/// Writes JSON text piece by piece. Commas, line breaks and escapes are the writer's; that every `begin`
/// meets its `end`, and every key its value, is the caller's. NaN and infinities become null.
///
/// In the canonical style only ``raw(_:)`` sorts keys: members written one by one keep the calls' order.
package struct JSONWriter: Sendable {
  /// What has been written.
  package var bytes: [UInt8] = []
  let style: JSONStyle
  private var depth = 0
  private var isFirst = true
  private var isAfterKey = false

  package init(_ style: JSONStyle = .compact) {
    self.style = style
  }

  /// The text so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }
  package mutating func endObject() { end(UInt8(ascii: "}")) }
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  package mutating func key(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    if style == .pretty { bytes.append(UInt8(ascii: " ")) }
    isAfterKey = true
  }

  package mutating func string(_ value: String) {
    separate()
    quote(value)
  }

  package mutating func int(_ value: Int64) { token(String(value)) }
  package mutating func int(_ value: Int) { token(String(value)) }
  package mutating func bool(_ value: Bool) { token(value ? "true" : "false") }
  package mutating func null() { token("null") }

  package mutating func double(_ value: Double) {
    token(style == .canonical ? JSONNumber.canonicalText(value) : JSONNumber.text(value))
  }

  /// Writes a whole value in the writer's style.
  package mutating func raw(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let bool): self.bool(bool)
    case .integer(let integer): int(integer)
    case .number(let double): self.double(double)
    case .string(let string): self.string(string)
    case .array(let elements):
      beginArray()
      for element in elements { raw(element) }
      endArray()
    case .object(let object):
      beginObject()
      for (key, value) in ordered(object) {
        self.key(key)
        raw(value)
      }
      endObject()
    }
  }

  private func ordered(_ object: JSONObject) -> [(key: String, value: JSONValue)] {
    guard style == .canonical else { return object.members }
    return object.members.sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) { Self.rank($0) < Self.rank($1) }
    }
  }

  /// Orders UTF-8 bytes as the UTF-16 units they stand for: they differ only in that surrogates, so the lead
  /// bytes F0 to F4, come before U+E000 to U+FFFF, so the lead bytes EE and EF.
  @inline(__always)
  private static func rank(_ byte: UInt8) -> UInt8 {
    byte < 0xEE ? byte : byte < 0xF0 ? byte &+ 5 : byte &- 2
  }

  private mutating func begin(_ opener: UInt8) {
    separate()
    bytes.append(opener)
    depth += 1
    isFirst = true
  }

  private mutating func end(_ closer: UInt8) {
    depth -= 1
    if !isFirst { breakLine() }
    bytes.append(closer)
    isFirst = false
    isAfterKey = false
  }

  private mutating func token(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  /// What stands before a value or key: nothing after a key, else a comma where one is due.
  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
    } else if depth > 0 {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      breakLine()
    }
    isFirst = false
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(0x0A)
    for _ in 0..<depth * 2 { bytes.append(0x20) }
  }

  /// Quotes `value`, escaping what RFC 8259 section 7 demands and nothing else.
  private mutating func quote(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { content in
      var start = 0
      for (position, byte) in content.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start..<position]))
        escape(byte)
        start = position + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: content[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 0xF
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(byte)
    }
  }
}
