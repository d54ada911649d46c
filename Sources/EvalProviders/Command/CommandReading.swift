import EvalCore

/// Reads what one program writes: bytes and stamps in, an `Answer` and a `Timeline` out.
///
/// It knows no process, so that live and recorded bytes go through the same code.
struct CommandReading {
  private(set) var answer = Answer()
  private(set) var timeline = Timeline()
  /// The first line that could not be read, with what is wrong about it.
  private(set) var fault: String?
  /// Events, or reads of text, with generated output.
  private(set) var tokenEventCount = 0
  /// Those of them that were deltas: snapshots are not counted as tokens.
  private(set) var deltaCount = 0
  private(set) var byteCount = 0
  private(set) var isOverflown = false
  /// Takes each piece of text as it comes.
  var onPiece: ((StreamPiece) -> Void)?

  private let output: CommandOptions.Output
  /// False for an answer in one piece, which has no first token.
  private let isStream: Bool
  private let document = JSONDocument()
  private var lines = NDJSONSplitter()
  private var lastTokenRead = -1
  private var lastRead: Int64?
  private var hasFinished = false
  /// Line breaks at the end of the text so far: the last of all does not belong to the answer.
  private var heldBreaks: [UInt8] = []
  /// What `onPiece` has been given, in bytes.
  private var shown = (text: 0, reasoning: 0)

  init(output: CommandOptions.Output, isStream: Bool) {
    self.output = output
    self.isStream = isStream
  }

  /// - Returns: true when there is more than any answer holds.
  mutating func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> Bool {
    if bytes.isEmpty { return isOverflown }
    byteCount += bytes.count
    lastRead = at
    switch output {
    case .events: readLines(bytes, at, readSequence)
    case .text: readText(bytes, at, readSequence)
    }
    return isOverflown
  }

  /// The program has ended.
  ///
  /// - Parameter isClean: false when it failed or was stopped: then the rest of a begun line is not looked at.
  mutating func finish(isClean: Bool) {
    guard !hasFinished else { return }
    hasFinished = true
    guard isClean else { return }
    switch output {
    case .events:
      guard lines.finish(), let at = lastRead else { return }
      let rest = lines.joined
      // Half a line is what a cut answer ends in, no fault of the program's writing.
      guard (try? document.parse(rest)) != nil else { return }
      rest.withUnsafeBytes { take($0, at, lastTokenRead) }
    case .text:
      if heldBreaks.last == 0x0A { heldBreaks.removeLast() }
      if heldBreaks.last == 0x0D { heldBreaks.removeLast() }
      answer.addText(bytes: heldBreaks)
      show(isWhole: true)
      answer.end(raw: nil, .unknown)
    }
  }

  // MARK: Events

  private mutating func readLines(_ bytes: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    var position = 0
    while let range = lines.next(in: bytes, from: &position) {
      if range.isEmpty {
        let joined = lines.joined
        joined.withUnsafeBytes { take($0, at, sequence) }
      } else {
        take(UnsafeRawBufferPointer(rebasing: bytes[range]), at, sequence)
      }
    }
    let size = max(answer.text.bytes.count, answer.reasoning.bytes.count)
    if lines.isOverflown || size > Self.limit { isOverflown = true }
  }

  private mutating func take(_ line: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    if timeline.firstEvent == nil { timeline.firstEvent = at }
    do {
      try document.parse(line)
    } catch {
      return note("a line is no JSON", line)
    }
    let wasTerminated = answer.isTerminated
    answer.beginEvent()
    if let what = CommandEvents.read(document.root, into: &answer) { note(what, line) }
    if !wasTerminated, answer.isTerminated { timeline.terminal = at }
    if answer.written.isEmpty { return }
    let root = document.root
    if root["snapshot"] == nil, root["reasoningSnapshot"] == nil { deltaCount += 1 }
    stamp(at, sequence)
    show(isWhole: true)
  }

  private mutating func note(_ what: String, _ line: UnsafeRawBufferPointer) {
    guard fault == nil else { return }
    let text = CommandEvents.shortened(String(decoding: line.prefix(1024), as: UTF8.self), to: 200)
    fault = "\(what): \(text)"
  }

  private mutating func stamp(_ at: Int64, _ sequence: Int) {
    tokenEventCount += 1
    guard isStream else { return }
    timeline.stamp(answer.written, at: at, isSameRead: sequence == lastTokenRead)
    lastTokenRead = sequence
  }

  // MARK: Text

  private static let limit = SSESplitter.limit

  private mutating func readText(_ bytes: UnsafeRawBufferPointer, _ at: Int64, _ sequence: Int) {
    if timeline.firstEvent == nil { timeline.firstEvent = at }
    guard answer.text.bytes.count + heldBreaks.count + bytes.count <= Self.limit else {
      isOverflown = true
      return
    }
    let end = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
    answer.beginEvent()
    if end > 0 {
      answer.addText(bytes: heldBreaks)
      answer.addText(bytes: bytes[..<end])
      heldBreaks.removeAll()
    }
    heldBreaks += bytes[end...]
    // A read of nothing but line breaks is no token.
    if answer.written.isEmpty { return }
    deltaCount += 1
    stamp(at, sequence)
    show(isWhole: false)
  }

  // MARK: Showing

  /// - Parameter isWhole: false where the last character may still lack bytes, which then wait for them.
  private mutating func show(isWhole: Bool) {
    guard let onPiece else { return }
    let (text, reasoning) = (answer.text.bytes, answer.reasoning.bytes)
    if let piece = Self.piece(of: reasoning, after: shown.reasoning, isWhole: true) {
      onPiece(.reasoning(piece.text))
      shown.reasoning = piece.end
    }
    if let piece = Self.piece(of: text, after: shown.text, isWhole: isWhole) {
      onPiece(.text(piece.text))
      shown.text = piece.end
    }
  }

  /// What is new; after a snapshot that has become shorter nothing is until it has grown again.
  private static func piece(
    of bytes: [UInt8], after shown: Int, isWhole: Bool
  ) -> (text: String, end: Int)? {
    let end = isWhole ? bytes.count : endOfCharacters(bytes)
    guard end > shown else { return nil }
    return (String(decoding: bytes[shown..<end], as: UTF8.self), end)
  }

  /// Where the last whole scalar of UTF-8 ends, if the bytes end within one; else their end.
  private static func endOfCharacters(_ bytes: [UInt8]) -> Int {
    guard let lead = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes.count }
    let length =
      switch bytes[lead] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return lead + length > bytes.count ? lead : bytes.count
  }
}
