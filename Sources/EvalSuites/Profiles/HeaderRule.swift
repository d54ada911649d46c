import EvalCore

/// What may stand as a header, and what looks like a secret that a suite must not hold.
enum HeaderRule {
  /// Names that the transport sets itself.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "expect", "upgrade", "te", "trailer",
  ]

  private static let secretWords: Set<String> = [
    "authorization", "cookie", "key", "apikey", "token", "secret", "password", "passwd", "pwd", "credential",
    "credentials", "signature", "sig", "auth", "jwt", "bearer",
  ]

  /// Whether a header or query name usually carries a secret: one of its words is one of a known few.
  static func isSecretName(_ name: String) -> Bool {
    words(of: name).contains { secretWords.contains($0) || $0.hasSuffix("token") || $0.hasSuffix("apikey") }
  }

  /// Whether a value looks like a credential whatever it is called.
  static func isSecretValue(_ value: String) -> Bool {
    let lowered = value.lowercased()
    if ["bearer ", "basic "].contains(where: { lowered.hasPrefix($0) }) { return true }
    return isKey(value)
  }

  /// Whether a value begins like the keys of known services and is as long as one.
  static func isKey(_ value: String) -> Bool {
    let prefixes = ["sk-", "sk_", "gsk_", "ghp_", "xai-", "AIza", "hf_", "AKIA"]
    return value.utf8.count >= 16 && prefixes.contains { value.hasPrefix($0) }
      && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

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

  /// `X-Api_KeyName` is x, api, key and name.
  private static func words(of name: String) -> [String] {
    var words: [String] = [""]
    var wasLower = false
    for character in name {
      if !character.isLetter && !character.isNumber {
        words.append("")
        wasLower = false
        continue
      }
      if character.isUppercase, wasLower { words.append("") }
      wasLower = character.isLowercase
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}
