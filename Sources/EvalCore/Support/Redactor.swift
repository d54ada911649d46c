/// The one choke point that takes every resolved secret out of a text, by value, before anything is written.
package struct Redactor: Sendable {
  /// What stands where a secret stood.
  package static let mark = "[redacted]"

  /// Longest first, so that a secret inside another leaves nothing behind.
  private let secrets: [[UInt8]]

  /// - Parameter secrets: resolved values. Shorter than 4 bytes they are ignored: they would redact ordinary words.
  package init(secrets: some Sequence<String>) {
    var forms: Set<String> = []
    for secret in secrets where secret.utf8.count >= 4 {
      forms.formUnion(Redactor.spellings(of: secret))
    }
    self.secrets = forms.map { Array($0.utf8) }.sorted { $0.count > $1.count }
  }

  /// The text without any secret, as plain text, percent-encoded, JSON-escaped, in a cell, in a page or in base64.
  package func redact(_ text: String) -> String {
    if secrets.isEmpty { return text }
    var text = text
    let clean = text.withUTF8 { bytes in secrets.contains { find($0, in: bytes, from: 0) != nil } == false }
    if clean { return text }
    return String(decoding: redact(Array(text.utf8)), as: UTF8.self)
  }

  package func redact(_ text: String?) -> String? { text.map { redact($0) } }

  package func redact(_ bytes: [UInt8]) -> [UInt8] {
    var none: [Int] = []
    return redact(bytes, moving: &none)
  }

  /// The bytes without any secret.
  ///
  /// - Parameter offsets: places in the bytes, which move with what they point at; one inside a secret goes to the end
  ///   of the mark.
  package func redact(_ bytes: [UInt8], moving offsets: inout [Int]) -> [UInt8] {
    var bytes = bytes
    let length = Redactor.mark.utf8.count
    for secret in secrets {
      var from = 0
      while let at = bytes.withUnsafeBufferPointer({ find(secret, in: $0, from: from) }) {
        bytes.replaceSubrange(at..<at + secret.count, with: Redactor.mark.utf8)
        from = at + length
        for place in offsets.indices where offsets[place] > at {
          offsets[place] = max(offsets[place], at + secret.count) - secret.count + length
        }
      }
    }
    return bytes
  }

  /// How many bytes of a text that still grows can be redacted now: none of those that follow may be the beginning of a
  /// secret or a part of one.
  package func settled(_ bytes: [UInt8]) -> Int {
    var end = bytes.count
    for secret in secrets {
      let longest = min(secret.count - 1, bytes.count)
      for length in stride(from: longest, to: 0, by: -1)
      where bytes.suffix(length).elementsEqual(secret.prefix(length)) {
        end = min(end, bytes.count - length)
        break
      }
    }
    // A whole secret that reaches over that place is not cut in two.
    while let start = secrets.lazy.compactMap({ self.start(of: $0, over: end, in: bytes) }).first {
      end = start
    }
    return end
  }

  /// Where a secret begins that lies on both sides of a place.
  private func start(of secret: [UInt8], over place: Int, in bytes: [UInt8]) -> Int? {
    let first = max(0, place - secret.count + 1)
    let last = min(place - 1, bytes.count - secret.count)
    guard first <= last else { return nil }
    return (first...last).first { bytes[$0..<$0 + secret.count].elementsEqual(secret) }
  }

  package func redact(_ value: JSONValue) -> JSONValue {
    if secrets.isEmpty { return value }
    switch value {
    case .string(let text): return .string(redact(text))
    case .array(let items): return .array(items.map { redact($0) })
    case .object(let object):
      return .object(JSONObject(object.members.map { (key: redact($0.key), value: redact($0.value)) }))
    default: return value
    }
  }

  private func find(_ needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
    guard bytes.count >= needle.count, from <= bytes.count - needle.count else { return nil }
    let first = needle[0]
    for start in from...(bytes.count - needle.count) where bytes[start] == first {
      var length = 1
      while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
      if length == needle.count { return start }
    }
    return nil
  }

  /// A secret is echoed in more than one spelling: in a URL, in a JSON string, in a basic-authentication header.
  private static func spellings(of secret: String) -> Set<String> {
    let encoded = percentEncoded(secret)
    var forms: Set<String> = [secret, encoded, encoded.lowercasedEscapes]
    let quoted = JSONValue.string(secret).serialized(.compact)
    let escaped = String(quoted.dropFirst().dropLast())
    forms.insert(escaped)
    // In a page's data, in its text, in XML, and in a quoted cell of a CSV file.
    let inPage: [Unicode.Scalar: String] = [
      "<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u{2028}": "\\u2028", "\u{2029}": "\\u2029",
    ]
    forms.insert(replaced(escaped, inPage))
    let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    forms.insert(replaced(secret, entities))
    forms.insert(replaced(secret, entities.merging(["'": "&#39;"]) { $1 }))
    forms.insert(replaced(secret, ["\"": "\"\""]))
    forms.insert(base64(Array(secret.utf8)))
    // Inside a longer text that was encoded as a whole, the secret starts at one of three places in a group of bytes.
    for shift in 0..<3 { forms.insert(base64Core(of: Array(secret.utf8), after: shift)) }
    return forms.filter { $0.utf8.count >= 4 }
  }

  private static func replaced(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
  }

  /// The digits that the secret alone decides when `shift` other bytes stand before it in its group.
  private static func base64Core(of secret: [UInt8], after shift: Int) -> String {
    let digits = Array(base64(Array(repeating: 0, count: shift) + secret))
    let first = (shift * 8 + 5) / 6
    let last = (shift + secret.count) * 8 / 6
    return first < last ? String(digits[first..<last]) : ""
  }

  private static func percentEncoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF")
    var encoded = ""
    for byte in text.utf8 {
      let scalar = Character(UnicodeScalar(byte))
      if byte < 0x80, scalar.isLetter || scalar.isNumber || "-._~".contains(scalar) {
        encoded.append(scalar)
      } else {
        encoded += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
      }
    }
    return encoded
  }
}

extension String {
  /// `%2F` as `%2f`, which some servers write.
  fileprivate var lowercasedEscapes: String {
    var left = 0
    return String(
      map { character in
        if character == "%" {
          left = 2
          return character
        }
        guard left > 0 else { return character }
        left -= 1
        return Character(character.lowercased())
      })
  }
}

/// Standard base64 with padding.
package func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var output: [UInt8] = []
  output.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let chunk = bytes[start..<min(start + 3, bytes.count)]
    let word = chunk.reduce(0) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(chunk.count)))
    for place in 0..<4 {
      let padded = place > chunk.count
      output.append(padded ? UInt8(ascii: "=") : alphabet[Int(word >> (18 - 6 * UInt32(place))) & 63])
    }
  }
  return String(decoding: output, as: UTF8.self)
}
