#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Cuts the bytes of an event stream into events, whatever the reads (WHATWG HTML 9.2.5 and 9.2.6).
///
/// Works on bytes: a line ends at CRLF, LF or CR and at nothing else, so U+2028 inside a JSON string is no line end. Two
/// departures: an event that the end of the body cut off before its blank line is offered by `finish`, and lines that
/// are no fields but look like JSON are kept in `raw`, because some servers write their errors so.
///
/// An event that lies in one read is not copied: its data is a range of that read.
struct SSESplitter {
  struct Event {
    /// The place of the data in the buffer given to `next`; `nil` when it is in `joined`.
    var inPlace: Range<Int>?
    /// True when the event's name was `error`.
    var isError: Bool
  }

  /// The data of an event that came in more than one line or read; valid until the next call.
  private(set) var joined: [UInt8] = []
  /// Lines that are no fields and may be JSON, each with a line feed.
  private(set) var raw: [UInt8] = []
  /// The start of the first line that is neither a field nor JSON; empty when there is none.
  private(set) var stray: [UInt8] = []
  /// True after a line or an event grew beyond any answer; nothing is read any more.
  private(set) var isOverflown = false

  private enum PendingData {
    case none
    case inPlace(Range<Int>)
    case joined
  }

  private var line: [UInt8] = []
  private var data = PendingData.none
  private var isError = false
  private var isFirstLine = true
  private var skipsLineFeed = false
  private var joinedIsSpent = false
  private var nextLineFeed = -1
  private var nextReturn = -1

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  /// Far beyond any answer: a line of 16 MB and more is legal.
  static let limit = 64 << 20
  private static let rawLimit = 1 << 20

  /// The next event that ends in `bytes`.
  ///
  /// - Parameter position: where to go on; begins at 0 for each buffer.
  /// - Returns: `nil` when the buffer is used up; what it began is kept.
  mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) -> Event? {
    if position == 0 { (nextLineFeed, nextReturn) = (-1, -1) }
    if joinedIsSpent {
      joined.removeAll(keepingCapacity: true)
      joinedIsSpent = false
    }
    while position < bytes.count, !isOverflown {
      if skipsLineFeed {
        skipsLineFeed = false
        if bytes[position] == Self.lineFeed {
          position += 1
          continue
        }
      }
      let start = position
      let end = lineEnd(in: bytes, from: start)
      if end == bytes.count {
        line.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        if line.count > Self.limit { isOverflown = true }
        position = end
        break
      }
      position = end + 1
      if bytes[end] == Self.carriageReturn {
        if position == bytes.count {
          skipsLineFeed = true
        } else if bytes[position] == Self.lineFeed {
          position += 1
        }
      }
      if let event = take(bytes, start..<end) { return event }
    }
    keepData(of: bytes)
    return nil
  }

  /// The event that the end of the body cut off, if any; its data is in `joined`.
  mutating func finish() -> Event? {
    if joinedIsSpent { joined.removeAll() }
    joinedIsSpent = false
    if !line.isEmpty { _ = takeCarriedLine() }
    defer { data = .none }
    if case .none = data { return nil }
    return Event(inPlace: nil, isError: isError)
  }

  /// The next CR or LF at or after `start`, or the end of the buffer. Each kind is searched for once over the buffer.
  private mutating func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    if nextLineFeed < start { nextLineFeed = Self.find(Self.lineFeed, in: bytes, from: start) }
    if nextReturn < start { nextReturn = Self.find(Self.carriageReturn, in: bytes, from: start) }
    return min(nextLineFeed, nextReturn)
  }

  private static func find(_ byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let base = bytes.baseAddress, start < bytes.count,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return bytes.count }
    return UnsafeRawPointer(found) - base
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Event? {
    if line.isEmpty { return process(bytes, range, isCarried: false) }
    line.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
    keepData(of: bytes)
    return takeCarriedLine()
  }

  /// Processes the line that was put together from several reads.
  private mutating func takeCarriedLine() -> Event? {
    var carried: [UInt8] = []
    swap(&carried, &line)
    let event = carried.withUnsafeBytes { process($0, 0..<$0.count, isCarried: true) }
    carried.removeAll(keepingCapacity: true)
    swap(&carried, &line)
    return event
  }

  private mutating func process(
    _ bytes: UnsafeRawBufferPointer, _ whole: Range<Int>, isCarried: Bool
  ) -> Event? {
    var range = whole
    if isFirstLine {
      isFirstLine = false
      if range.count >= 3, bytes[range.lowerBound] == 0xEF, bytes[range.lowerBound + 1] == 0xBB,
        bytes[range.lowerBound + 2] == 0xBF
      {
        range = range.lowerBound + 3..<range.upperBound
      }
    }
    if range.isEmpty { return dispatch() }
    let first = bytes[range.lowerBound]
    if first == UInt8(ascii: ":") { return nil }
    if first == UInt8(ascii: "d"), let value = value(of: "data", in: bytes, range) {
      append(bytes, value, isCarried: isCarried)
    } else if first == UInt8(ascii: "e"), let value = value(of: "event", in: bytes, range) {
      isError = bytes[value].elementsEqual("error".utf8)
    } else if first == UInt8(ascii: "e"), let value = value(of: "error", in: bytes, range) {
      // Older builds of llama.cpp wrote their errors under a field of that name.
      isError = true
      append(bytes, value, isCarried: isCarried)
    } else if value(of: "id", in: bytes, range) == nil, value(of: "retry", in: bytes, range) == nil {
      keepRaw(bytes, range)
    }
    return nil
  }

  /// The value of the field `name`, without one space after the colon; `nil` when the line is another field.
  private func value(
    of name: StaticString, in bytes: UnsafeRawBufferPointer, _ line: Range<Int>
  ) -> Range<Int>? {
    let length = name.utf8CodeUnitCount
    guard line.count >= length, let base = bytes.baseAddress,
      memcmp(base + line.lowerBound, name.utf8Start, length) == 0
    else { return nil }
    var start = line.lowerBound + length
    if start == line.upperBound { return start..<start }
    guard bytes[start] == UInt8(ascii: ":") else { return nil }
    start += 1
    if start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
    return start..<line.upperBound
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer, _ value: Range<Int>, isCarried: Bool) {
    if case .none = data, !isCarried {
      data = .inPlace(value)
      return
    }
    switch data {
    case .none: break
    case .inPlace:
      keepData(of: bytes)
      joined.append(Self.lineFeed)
    case .joined: joined.append(Self.lineFeed)
    }
    joined.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[value]))
    data = .joined
    if joined.count > Self.limit { isOverflown = true }
  }

  /// Copies data that lies in a buffer about to go.
  private mutating func keepData(of bytes: UnsafeRawBufferPointer) {
    guard case .inPlace(let range) = data else { return }
    joined.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
    data = .joined
  }

  private mutating func dispatch() -> Event? {
    defer {
      data = .none
      isError = false
    }
    switch data {
    case .none: return nil
    case .inPlace(let range): return Event(inPlace: range, isError: isError)
    case .joined:
      joinedIsSpent = true
      return Event(inPlace: nil, isError: isError)
    }
  }

  private mutating func keepRaw(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    if raw.isEmpty {
      let first = bytes[range].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
        if stray.isEmpty { stray = Array(bytes[range].prefix(200)) }
        return
      }
    }
    guard raw.count + range.count < Self.rawLimit else { return }
    raw.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
    raw.append(Self.lineFeed)
  }
}
