import EvalCore

extension RecordedExchange {
  /// - Parameter value: the line; members that are not known are passed over.
  /// - Throws: the first thing that is missing or cannot be.
  init(reading value: JSONView) throws(RecordingFault) {
    guard value.kind == .object else { throw RecordingFault("the line is no object") }
    hash = try Self.hash(value)
    endpoint = try Self.text(value, "endpoint")
    model = try Self.text(value, "model")
    repeatIndex = Int(try Self.count(value, "repeat"))
    attemptIndex = Int(try Self.count(value, "attempt"))
    profile = value["profile"]?.string ?? ""
    startedAt = value["startedAt"]?.double ?? 0
    outcome = try Self.text(value, "outcome")
    body = value["body"]?.value
    stamps = try Stamps(reading: value["stamps"], in: value)
    end = try TransferEnd(recorded: value["end"])
    if let status = value["status"] { try readHead(status, value["headers"]) }
    stream = try Self.stream(value)
    reads = try Self.reads(value["reads"], of: stream.count)
    if let connection = value["connection"] {
      self.connection = ConnectionInfo(
        isCold: connection["new"]?.bool, httpVersion: connection["http"]?.string,
        bytesSent: connection["sent"]?.int.map { Int($0) },
        bytesReceived: connection["received"]?.int.map { Int($0) })
    }
  }

  private static func hash(_ value: JSONView) throws(RecordingFault) -> ContentHash {
    guard let hash = value["hash"]?.string.flatMap(ContentHash.init(hex:)) else {
      throw RecordingFault("'hash' is not 64 hexadecimal digits", at: value["hash"])
    }
    return hash
  }

  private static func text(_ value: JSONView, _ key: StaticString) throws(RecordingFault) -> String {
    guard let text = value[key]?.string else {
      throw RecordingFault("'\(key)' is no text", at: value[key])
    }
    return text
  }

  private static func count(_ value: JSONView, _ key: StaticString) throws(RecordingFault) -> Int64 {
    guard let count = value[key]?.int, (0...Int64(Int32.max)).contains(count) else {
      throw RecordingFault("'\(key)' is no number from 0", at: value[key])
    }
    return count
  }

  private mutating func readHead(_ status: JSONView, _ fields: JSONView?) throws(RecordingFault) {
    guard let code = status.int, (100...999).contains(code) else {
      throw RecordingFault("'status' is no HTTP status", at: status)
    }
    self.status = Int(code)
    for field in fields.map({ Array($0.elements) }) ?? [] {
      guard let name = field[0]?.string, let text = field[1]?.string else {
        throw RecordingFault("a header is not a pair of name and value", at: field)
      }
      headers.append((name, text))
    }
  }

  private static func stream(_ value: JSONView) throws(RecordingFault) -> [UInt8] {
    if let text = value["stream"] {
      guard text.kind == .string else { throw RecordingFault("'stream' is no text", at: text) }
      var bytes: [UInt8] = []
      text.appendUTF8(to: &bytes)
      return bytes
    }
    guard let encoded = value["streamBase64"] else { return [] }
    guard let bytes = encoded.string.flatMap(Base64.decode) else {
      throw RecordingFault("'streamBase64' is no base64", at: encoded)
    }
    return bytes
  }

  private static func reads(_ value: JSONView?, of length: Int) throws(RecordingFault) -> [Read] {
    var reads: [Read] = []
    var last = Read(end: 0, at: 0)
    for element in value.map({ Array($0.elements) }) ?? [] {
      guard let end = element[0]?.int, let at = element[1]?.int, end > last.end, end <= length, at >= last.at
      else { throw RecordingFault("a read is not [end, nanoseconds] after the one before", at: element) }
      last = Read(end: Int(end), at: at)
      reads.append(last)
    }
    guard last.end == length else {
      throw RecordingFault("the reads end at byte \(last.end) of a stream of \(length)", at: value)
    }
    return reads
  }
}

extension RecordedExchange.Stamps {
  fileprivate init(reading value: JSONView?, in line: JSONView) throws(RecordingFault) {
    guard let value, let done = value["done"]?.int, done >= 0 else {
      throw RecordingFault("'stamps' has no 'done'", at: value)
    }
    self.init(
      connectionReady: value["connectionReady"]?.int, firstByte: value["firstByte"]?.int,
      head: value["head"]?.int, done: done)
  }
}

extension TransferEnd {
  fileprivate init(recorded value: JSONView?) throws(RecordingFault) {
    if let limit = value?["timeout"]?.string.flatMap(TransferTimeout.init) {
      self = .timeout(limit)
    } else if let code = value?["curl"]?.int {
      self = .failed(code: Int(code), message: value?["message"]?.string ?? "")
    } else if let code = value?["exit"]?.int {
      self = .exited(code: Int(code), message: value?["message"]?.string ?? "")
    } else {
      switch value?.string {
      case "complete"?: self = .complete
      case "terminal"?: self = .stoppedBySink
      case "cancelled"?: self = .cancelled
      default: throw RecordingFault("'end' is no end of a transfer", at: value)
      }
    }
  }
}

enum Base64 {
  /// The bytes of standard base64 with padding; `nil` for anything else.
  static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 4) else { return nil }
    let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3)
    var word: UInt32 = 0
    for (place, digit) in digits.enumerated() {
      let isPadding = place >= digits.count - padding
      guard let value = isPadding ? 0 : Self.value(digit), !isPadding || digit == UInt8(ascii: "=") else {
        return nil
      }
      word = word << 6 | value
      guard place % 4 == 3 else { continue }
      bytes += [UInt8(word >> 16 & 255), UInt8(word >> 8 & 255), UInt8(word & 255)]
      word = 0
    }
    return Array(bytes.dropLast(padding))
  }

  private static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
