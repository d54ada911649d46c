import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// JSON that lies inside a page's `<script>`, which no text in it can end.
enum InlineJSON {
  /// The same JSON without `<`, `>`, `&` and the line ends that only JavaScript knows: all of them stand in strings,
  /// where `\uXXXX` means the same.
  static func escaped(_ json: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(json.count + json.count / 16)
    var index = 0
    while index < json.count {
      let byte = json[index]
      switch byte {
      case UInt8(ascii: "<"): result += Array("\\u003c".utf8)
      case UInt8(ascii: ">"): result += Array("\\u003e".utf8)
      case UInt8(ascii: "&"): result += Array("\\u0026".utf8)
      case 0xE2 where index + 2 < json.count && json[index + 1] == 0x80 && json[index + 2] & 0xFE == 0xA8:
        result += Array((json[index + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
        index += 2
      default: result.append(byte)
      }
      index += 1
    }
    return result
  }
}

extension JSONWriter {
  /// A number with so many decimals at most; `nil` as null.
  mutating func number(_ value: Double?, decimals: Int) {
    guard let value, value.isFinite else { return null() }
    let scale = pow(10, Double(decimals))
    let rounded = (value * scale).rounded() / scale
    if let whole = Int64(exactly: rounded) { return int(whole) }
    double(rounded.isFinite ? rounded : value)
  }
}

/// Hands out how much of a case's texts goes into the page.
struct TextAllowance {
  private let limits: CaseLimits
  private var left: Int

  init(_ limits: CaseLimits) {
    self.limits = limits
    left = limits.caseBytes
  }

  /// A text as a string, or as `{"text", "bytes"}` with its beginning and its whole length where it is too long.
  mutating func write(_ text: String, to writer: inout JSONWriter) {
    let limit = min(limits.textBytes, max(left, limits.leastTextBytes))
    let length = text.utf8.count
    left = max(0, left - min(limit, length))
    guard length > limit else { return writer.string(text) }
    writer.beginObject()
    writer.key("text")
    writer.string(TextAllowance.beginning(of: text, limit))
    writer.key("bytes")
    writer.int(length)
    writer.endObject()
  }

  /// Nothing for no text.
  mutating func write(_ key: String, _ text: String?, to writer: inout JSONWriter) {
    guard let text, !text.isEmpty else { return }
    writer.key(key)
    write(text, to: &writer)
  }

  /// At most so many bytes, and no part of a scalar.
  private static func beginning(of text: String, _ bytes: Int) -> String {
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: bytes)
    while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }
}
