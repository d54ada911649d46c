import EvalCore

/// Reads one response: bytes and stamps in, an `Answer` and a `Timeline` out.
///
/// It knows nothing of sockets, so that live, recorded and fixture bytes go through the same code. Every event that
/// ends in a read gets the stamp of that read.
struct StreamReading {
  /// What the body turned out to be.
  enum Shape: Sendable, Hashable {
    case undecided, sse, ndjson, jsonArray
    /// One JSON value: an answer that did not stream, or an error.
    case whole
    case html
    /// The body of a status other than 2xx.
    case error

    var isStream: Bool { self == .sse || self == .ndjson || self == .jsonArray }
  }

  private(set) var answer = Answer()
  private(set) var timeline = Timeline()
  private(set) var shape = Shape.undecided
  private(set) var status: Int?
  private(set) var headers = HTTPHeaders()
  /// Events so far: SSE events with data, NDJSON lines, array elements.
  private(set) var eventCount = 0
  /// The first event with generated output of any kind, counted from 0.
  private(set) var firstTokenEvent: Int?
  /// The first event with visible answer text.
  private(set) var firstTextEvent: Int?
  private(set) var tokenEventCount = 0
  /// The collected body where it is not a stream, or what was no event in one.
  private(set) var collected: [UInt8] = []
  /// The first event that was no JSON.
  private(set) var malformedEvent: String?
  private(set) var isOverflown = false
  private(set) var bodyBytes = 0
  private(set) var lastRead: Int64?

  private var decoder: any ResponseDecoder
  private let framing: StreamFraming
  private let asksForStream: Bool
  private let document = JSONDocument()
  private var sse = SSESplitter()
  private var ndjson = NDJSONSplitter()
  private var array = JSONArraySplitter()
  private var lastSequence = 0
  private var lastTokenRead = -1
  /// The end of the first line of what may be lines, and the read in which it came.
  private var firstLine: (end: Int, at: Int64, sequence: Int)?
  private var hasFinished = false
  /// A text in the place of an event: the server's last word when nothing ends the answer.
  private var strayText: JSONValue?
  /// Takes each piece of text as it comes.
  var onPiece: ((StreamPiece) -> Void)?

  /// - Parameters:
  ///   - framing: how the dialect frames what it streams.
  ///   - asksForStream: whether the request asked for a stream.
  ///   - zeroInputIsAbsent: whether the server says 0 when it does not count the prompt.
  init(
    decoder: any ResponseDecoder, framing: StreamFraming, asksForStream: Bool, zeroInputIsAbsent: Bool = false
  ) {
    self.decoder = decoder
    self.framing = framing
    self.asksForStream = asksForStream
    answer.zeroInputIsAbsent = zeroInputIsAbsent
  }

  mutating func head(status: Int, headers: HTTPHeaders) {
    self.status = status
    self.headers = headers
    if !(200..<300).contains(status) {
      shape = .error
    } else if headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true {
      shape = .sse
    }
  }

  /// - Returns: true when nothing worth reading can follow.
  mutating func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> Bool {
    if bytes.isEmpty { return answer.isComplete }
    bodyBytes += bytes.count
    lastRead = at
    lastSequence = readSequence
    if shape == .undecided {
      collect(bytes)
      decideShape(bytes.count, at, readSequence)
      guard shape.isStream else { return false }
      var leading: [UInt8] = []
      swap(&leading, &collected)
      leading.withUnsafeBytes { readLeading($0, at, readSequence) }
    } else {
      read(bytes, at, readSequence)
    }
    return answer.isComplete || isOverflown
  }

  /// What had come before the shape was known; the line that waited for a second one keeps its own stamp.
  private mutating func readLeading(_ bytes: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    let (end, lineAt, lineSequence) = firstLine ?? (0, at, sequence)
    if end > 0 { read(UnsafeRawBufferPointer(rebasing: bytes[..<end]), lineAt, lineSequence) }
    if !answer.isComplete { read(UnsafeRawBufferPointer(rebasing: bytes[end...]), at, sequence) }
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    switch shape {
    case .sse: readSSE(bytes, at, sequence)
    case .ndjson: readLines(bytes, at, sequence)
    case .jsonArray: readElements(bytes, at, sequence)
    case .undecided, .whole, .html, .error: collect(bytes)
    }
  }

  /// The response is over.
  ///
  /// - Parameter isClean: false when the transport was cut: then the rest of a begun event is not looked at.
  mutating func finish(isClean: Bool) {
    guard !hasFinished else { return }
    hasFinished = true
    let at = lastRead ?? 0
    if isClean, !answer.isComplete { takeRest(at) }
    if shape == .whole || shape == .undecided { readWhole(collected) }
    if shape == .sse, !answer.isTerminated { readRaw(sse.raw) }
    if let strayText, answer.error == nil, !answer.isTerminated { answer.fail(strayText) }
    decoder.finish(into: &answer)
  }
}

// MARK: - Framing

extension StreamReading {
  /// Decides by the content type and the first byte that is no white space, once there is one.
  ///
  /// - Parameter added: how many bytes came with this read.
  private mutating func decideShape(_ added: Int, _ at: Int64, _ sequence: Int) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if collected.count < mark.count, mark.starts(with: collected) { return }
    let start = collected.starts(with: mark) ? mark.count : 0
    guard let place = collected[start...].firstIndex(where: { !JSONBlank.contains($0) }) else { return }
    let type = headers["content-type"]?.lowercased() ?? ""
    switch collected[place] {
    case UInt8(ascii: "<"): shape = .html
    case UInt8(ascii: "{"):
      let isLines = type.contains("ndjson") || type.contains("jsonl") || type.contains("json-seq")
      if framing == .ndjson, asksForStream, !isLines, type.contains("json") {
        decideLines(from: max(place, collected.count - added), at, sequence)
      } else {
        shape = isLines || framing == .ndjson && asksForStream ? .ndjson : .whole
      }
    case UInt8(ascii: "["): shape = framing == .jsonArray ? .jsonArray : .whole
    case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: ":"), UInt8(ascii: "i"), UInt8(ascii: "r"):
      shape = .sse
    default: shape = .whole
    }
  }

  /// Proxies give lines the type of one JSON text: a second line behind a first that is whole tells.
  private mutating func decideLines(from place: Int, _ at: Int64, _ sequence: Int) {
    if firstLine == nil, let end = collected[place...].firstIndex(of: UInt8(ascii: "\n")) {
      firstLine = (end + 1, at, sequence)
    }
    guard let end = firstLine?.end, collected[end...].contains(where: { !JSONBlank.contains($0) }) else {
      return
    }
    shape = (try? document.parse(Self.withoutMark(Array(collected[..<end])))) == nil ? .whole : .ndjson
  }

  private mutating func collect(_ bytes: UnsafeRawBufferPointer) {
    guard collected.count + bytes.count <= SSESplitter.limit else {
      isOverflown = true
      return
    }
    collected.append(contentsOf: bytes)
  }

  private mutating func readSSE(_ bytes: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    var position = 0
    while let event = sse.next(in: bytes, from: &position) {
      if let range = event.inPlace {
        let data = UnsafeRawBufferPointer(rebasing: bytes[range])
        take(data, isError: event.isError, at, sequence)
      } else {
        let joined = sse.joined
        joined.withUnsafeBytes { take($0, isError: event.isError, at, sequence) }
      }
      if answer.isComplete { return }
    }
    if sse.isOverflown { isOverflown = true }
  }

  private mutating func readLines(_ bytes: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    var position = 0
    while let range = ndjson.next(in: bytes, from: &position) {
      if range.isEmpty {
        let joined = ndjson.joined
        joined.withUnsafeBytes { take($0, isError: false, at, sequence) }
      } else {
        take(UnsafeRawBufferPointer(rebasing: bytes[range]), isError: false, at, sequence)
      }
      if answer.isComplete { return }
    }
    if ndjson.isOverflown { isOverflown = true }
  }

  private mutating func readElements(_ bytes: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    var position = 0
    while array.next(in: bytes, from: &position) {
      let element = array.element
      element.withUnsafeBytes { take($0, isError: false, at, sequence) }
      if answer.isComplete { return }
    }
    if array.isOverflown { isOverflown = true }
  }

  /// An event that the body's end cut off counts when it is the sentinel or whole JSON.
  private mutating func takeRest(_ at: Int64) {
    let sequence = lastSequence
    switch shape {
    case .sse:
      guard let event = sse.finish() else { return }
      let rest = sse.joined
      rest.withUnsafeBytes { takeIfWhole($0, isError: event.isError, at, sequence) }
    case .ndjson:
      guard ndjson.finish() else { return }
      let rest = ndjson.joined
      rest.withUnsafeBytes { takeIfWhole($0, isError: false, at, sequence) }
    default: break
    }
  }
}

// MARK: - Events

extension StreamReading {
  private mutating func take(
    _ data: UnsafeRawBufferPointer, isError: Bool, _ at: Int64, _ sequence: Int
  ) {
    let index = eventCount
    eventCount += 1
    if timeline.firstEvent == nil { timeline.firstEvent = at }
    if Sentinel.matches(data) {
      answer.complete()
      timeline.terminal = at
      return
    }
    do { try document.parse(data) } catch {
      noteUnreadable(data, isError: isError)
      return
    }
    if takeText(isError: isError) { return }
    let wasTerminated = answer.isTerminated
    answer.beginEvent()
    if let onPiece {
      decodeShowing(isError: isError, onPiece)
    } else {
      decoder.event(document.root, isError: isError, into: &answer)
    }
    // Some servers name a reason to end in every event.
    if answer.isTerminated, !wasTerminated || !answer.written.isEmpty { timeline.terminal = at }
    if !answer.written.isEmpty { stamp(index, at, sequence) }
  }

  /// An event that is a text, or an error event that is null or a number: no decoder knows more of it.
  ///
  /// - Returns: false when the event is another.
  private mutating func takeText(isError: Bool) -> Bool {
    let root = document.root
    if root.kind == .object || root.kind == .array { return false }
    if isError {
      answer.fail(root.kind == .string ? root.value : Self.wordless)
    } else if root.kind == .string, !root.isEmptyString {
      strayText = root.value
    }
    return true
  }

  private static let wordless = JSONValue.string("the server sent an error event without words")

  private mutating func takeIfWhole(
    _ data: UnsafeRawBufferPointer, isError: Bool, _ at: Int64, _ sequence: Int
  ) {
    if Sentinel.matches(data) || (try? document.parse(data)) != nil {
      take(data, isError: isError, at, sequence)
    } else if data.contains(where: { !JSONBlank.contains($0) }) {
      collected = Array(data)
    }
  }

  private mutating func decodeShowing(isError: Bool, _ show: (StreamPiece) -> Void) {
    let (text, reasoning) = (answer.text.bytes.count, answer.reasoning.bytes.count)
    decoder.event(document.root, isError: isError, into: &answer)
    if answer.reasoning.bytes.count > reasoning { show(.reasoning(answer.reasoning.text(after: reasoning))) }
    if answer.text.bytes.count > text { show(.text(answer.text.text(after: text))) }
  }

  private mutating func stamp(_ index: Int, _ at: Int64, _ sequence: Int) {
    let written = answer.written
    tokenEventCount += 1
    if firstTokenEvent == nil { firstTokenEvent = index }
    if written.contains(.text), firstTextEvent == nil { firstTextEvent = index }
    timeline.stamp(written, at: at, isSameRead: sequence == lastTokenRead)
    lastTokenRead = sequence
  }

  /// Words that are no JSON are passed over, as a keep-alive; a broken object or array has cost us a piece of the
  /// answer.
  private mutating func noteUnreadable(_ data: UnsafeRawBufferPointer, isError: Bool) {
    guard let first = data.first(where: { !JSONBlank.contains($0) }) else {
      if isError { answer.fail(Self.wordless) }
      return
    }
    let text = String(decoding: data.prefix(200), as: UTF8.self)
    if isError {
      answer.fail(.string(text))
    } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      if malformedEvent == nil { malformedEvent = text }
    } else {
      answer.note("an event is no JSON: \(text)")
    }
  }
}

// MARK: - Whole bodies

extension StreamReading {
  private mutating func readWhole(_ bytes: [UInt8]) {
    guard (try? document.parse(Self.withoutMark(bytes))) != nil else { return }
    shape = .whole
    if takeText(isError: false) { return }
    answer.beginEvent()
    decoder.body(document.root, into: &answer)
  }

  /// Lines of an event stream that were no fields: an error written without `data:`, or a whole answer from a server
  /// that did not stream after all.
  private mutating func readRaw(_ bytes: [UInt8]) {
    if (try? document.parse(bytes)) == nil {
      for line in bytes.split(separator: UInt8(ascii: "\n")) where answer.error == nil {
        if (try? document.parse(Array(line))) != nil { failIfError() }
      }
    } else if eventCount == 0 {
      answer.beginEvent()
      decoder.body(document.root, into: &answer)
    } else {
      failIfError()
    }
  }

  private mutating func failIfError() {
    if answer.error == nil, let error = ErrorBody.find(in: document.root) { answer.fail(error) }
  }

  /// The start of an event stream that holds nothing of one.
  var strayStart: String? {
    guard shape == .sse, eventCount == 0, sse.raw.isEmpty, !sse.stray.isEmpty else { return nil }
    return String(decoding: sse.stray, as: UTF8.self)
  }

  private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }
}
