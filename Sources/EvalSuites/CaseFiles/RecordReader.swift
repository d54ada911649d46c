import EvalCore

/// A record of a case file with its place.
struct Record {
  var bytes: [UInt8]
  /// In bytes, from the file's beginning.
  var offset: Int
  /// 1-based.
  var line: Int
  /// 1-based, in Unicode scalars.
  var column: Int
}

/// Reads a case file record by record through one buffer, so that a large file takes no more memory than a small
/// one.
struct RecordReader {
  enum Step {
    case record(Record)
    case end
    case fault(Problem)
  }

  private let file: OpenFile
  private var splitter: any RecordSplitter
  private var buffer: [UInt8] = []
  /// Where the buffer begins in the file.
  private var base = 0
  /// Where the search goes on in the buffer.
  private var position = 0
  private var line = 1
  private var column = 1
  private var isLast = false
  private let chunk: Int

  init(_ file: OpenFile, _ format: CaseFormat, chunk: Int = 256 * 1024) {
    self.file = file
    self.chunk = chunk
    splitter =
      switch format {
      case .jsonl: LineSplitter()
      case .json: ArraySplitter()
      case .csv: CSVSplitter()
      }
  }

  mutating func next() -> Step {
    do throws(FileFault) {
      if base == 0, buffer.isEmpty {
        try readMore()
        if let fault = skipMark() { return .fault(fault) }
      }
      while true {
        let split = buffer.withUnsafeBytes { splitter.next(in: $0, from: position, isLast: isLast) }
        switch split {
        case .needsMore: try readMore()
        case .end: return .end
        case .fault(let offset, let message):
          advance(to: offset)
          return .fault(Problem(.error, message, at: place))
        case .record(let range, let next):
          return .record(take(range, next: next))
        }
      }
    } catch {
      return .fault(Problem(.error, error.message, at: place, advice: error.advice))
    }
  }

  private var place: SourceLocation { SourceLocation(file: file.path, line: line, column: column) }

  private mutating func take(_ range: Range<Int>, next: Int) -> Record {
    advance(to: range.lowerBound)
    let record = Record(
      bytes: Array(buffer[range]), offset: base + range.lowerBound, line: line, column: column)
    advance(to: next)
    return record
  }

  /// Counts lines and columns up to an offset of the buffer.
  private mutating func advance(to end: Int) {
    buffer.withUnsafeBytes { bytes in
      for index in position..<end {
        let byte = bytes[index]
        if byte == 0x0A || byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A) {
          line += 1
          column = 1
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
      }
    }
    position = end
  }

  /// Drops what was read and appends the next part of the file; a record longer than the buffer makes it grow.
  private mutating func readMore() throws(FileFault) {
    // A splitter that found nothing yet begins again at `position`, where its record begins or before.
    buffer.removeSubrange(..<position)
    base += position
    position = 0
    // At least a byte order mark, which is looked at in one piece.
    let wanted = max(chunk, buffer.count, 4)
    let more = try file.bytes(at: base + buffer.count, count: wanted)
    isLast = more.count < wanted
    buffer += more
  }

  /// Steps over a UTF-8 byte order mark; another encoding's mark is a fault.
  private mutating func skipMark() -> Problem? {
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    guard buffer.starts(with: [0xFF, 0xFE]) || buffer.starts(with: [0xFE, 0xFF]) else { return nil }
    return Problem(.error, "this is UTF-16 text", at: place, advice: "save it as UTF-8")
  }
}
