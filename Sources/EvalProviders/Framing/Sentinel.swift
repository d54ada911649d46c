/// `[DONE]`, which ends Chat Completions and which relays also append to dialects that do not know it.
enum Sentinel {
  /// Whether the data of an event is the sentinel and nothing else but white space.
  static func matches(_ data: UnsafeRawBufferPointer) -> Bool {
    guard (6...16).contains(data.count), data[0] == UInt8(ascii: "[") || JSONBlank.contains(data[0]) else {
      return false
    }
    let start = data.firstIndex { !JSONBlank.contains($0) } ?? data.count
    return data[start...].starts(with: "[DONE]".utf8)
      && data[start...].dropFirst(6).allSatisfy(JSONBlank.contains)
  }
}
