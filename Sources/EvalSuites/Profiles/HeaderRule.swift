import EvalCore

/// What may stand as a header.
enum HeaderRule {
  /// Names that the transport sets itself.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
  ]

  static func isReserved(_ name: String) -> Bool { reserved.contains(name.lowercased()) }

  /// A token of RFC 9110, section 5.6.2.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// What may be sent as a header's value: no line break and no other control character but a tab.
  static func isValue(_ value: String) -> Bool {
    value.unicodeScalars.allSatisfy { ($0.value >= 0x20 && $0.value != 0x7F) || $0 == "\t" }
  }
}
