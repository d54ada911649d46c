extension JSONView {
  /// The decoded string; nil when the value is none. Invalid UTF-8 and lone surrogate escapes become U+FFFD.
  package var string: String? {
    let storage = storage
    let entry = storage.pointee.tape[Int(index)]
    guard entry.tag.isString else { return nil }
    return storage.pointee.withDecoded(entry) { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the value is the string `""`; false when it is no string.
  package var isEmptyString: Bool {
    let entry = entry
    return entry.tag.isString && entry.end &- entry.start == 2
  }

  /// Whether the value is a string that decodes to exactly these bytes; allocates nothing.
  package func stringEquals(_ other: StaticString) -> Bool {
    let storage = storage
    let entry = storage.pointee.tape[Int(index)]
    guard entry.tag.isString else { return false }
    return other.withUTF8Buffer {
      storage.pointee.string(entry, equals: UnsafeRawPointer($0.baseAddress!), $0.count)
    }
  }

  /// Appends the decoded string's UTF-8 bytes, always valid ones; does nothing when the value is no string.
  package func appendUTF8(to bytes: inout [UInt8]) {
    let storage = storage
    let entry = storage.pointee.tape[Int(index)]
    guard entry.tag.isString else { return }
    if entry.tag.isVerbatim {
      bytes.append(contentsOf: storage.pointee.content(entry))
    } else {
      storage.pointee.withRepaired(entry) { bytes.append(contentsOf: $0) }
    }
  }

  /// The number as an exact integer, however it is written (`1.0` and `1e3` count); nil when the value is no
  /// number, has a fraction, or is beyond `Int64`.
  package var int: Int64? {
    let storage = storage
    let entry = storage.pointee.tape[Int(index)]
    guard entry.tag.isNumber else { return nil }
    return JSONNumber.integer(
      storage.pointee.text + Int(entry.start), count: Int(entry.end &- entry.start))
  }

  /// The number as the nearest double, always finite; nil when the value is no number.
  package var double: Double? {
    let storage = storage
    let entry = storage.pointee.tape[Int(index)]
    guard entry.tag.isNumber else { return nil }
    return JSONNumber.double(
      storage.pointee.text + Int(entry.start), count: Int(entry.end &- entry.start))
  }

  /// An integer when it is written as one and fits; `-0` keeps its sign as a double.
  var numberValue: JSONValue {
    let entry = entry
    if entry.tag == .plainInteger, let integer = int,
      integer != 0 || storage.pointee.text[Int(entry.start)] != UInt8(ascii: "-")
    {
      return .integer(integer)
    }
    return .number(double ?? 0)
  }
}

extension JSONTapeStorage {
  /// The bytes between a string's quotes.
  @inline(__always)
  func content(_ entry: JSONTapeEntry) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: text + Int(entry.start &+ 1), count: Int(entry.end &- entry.start &- 2))
  }

  /// Whether a string decodes to the given bytes.
  @inline(__always)
  mutating func string(_ entry: JSONTapeEntry, equals other: UnsafeRawPointer, _ count: Int) -> Bool {
    if entry.tag.isVerbatim {
      guard Int(entry.end &- entry.start) &- 2 == count else { return false }
      return sameBytes(text + Int(entry.start &+ 1), other, count)
    }
    return withRepaired(entry) { $0.count == count && sameBytes($0.baseAddress!, other, count) }
  }

  /// The string's bytes with its escapes decoded; invalid UTF-8 may remain.
  @inline(__always)
  mutating func withDecoded<T>(_ entry: JSONTapeEntry, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    entry.tag.isEscaped ? withRepaired(entry, body) : body(content(entry))
  }

  /// The string's bytes with its escapes decoded and invalid UTF-8 replaced.
  @inline(__always)
  mutating func withRepaired<T>(_ entry: JSONTapeEntry, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    withRepaired(content(entry), body)
  }

  /// A part of a string's bytes with its escapes decoded and invalid UTF-8 replaced.
  mutating func withRepaired<T>(
    _ content: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> T
  ) -> T {
    // One invalid byte becomes the three bytes of U+FFFD: nothing grows more.
    reserveScratch(content.count * 3 + 8)
    let count = JSONStringDecoder.decode(content, into: scratch)
    return body(UnsafeBufferPointer(start: scratch, count: count))
  }
}

@inline(__always)
private func sameBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafeRawPointer, _ count: Int) -> Bool {
  let right = right.assumingMemoryBound(to: UInt8.self)
  var position = 0
  while position < count {
    if left[position] != right[position] { return false }
    position &+= 1
  }
  return true
}
