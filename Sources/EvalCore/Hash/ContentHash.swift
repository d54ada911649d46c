/// The name of a case, profile, policy, rubric or suite: the SHA-256 of its kind, a zero byte, and its canonical
/// JSON. Two values have one name when they are of one kind and mean the same JSON.
package struct ContentHash: Sendable, Hashable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  package let hex: String

  /// - Parameter kind: what the value is, such as `case`; keeps equal values of different kinds apart.
  package init(of value: JSONValue, kind: String) {
    hex = SHA256.hex(Array(kind.utf8) + [0] + value.bytes(.canonical))
  }

  /// A hash that was stored; nil unless it is 64 lower-case hexadecimal digits.
  package init?(hex: String) {
    guard hex.utf8.count == 64,
      hex.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.hex = hex
  }

  /// The first 12 digits: enough for people, not for identity.
  package var short: String { String(hex.prefix(12)) }

  package var description: String { hex }
}
