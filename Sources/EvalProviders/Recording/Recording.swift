package import EvalCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A recording opened for replay: an index in memory, the exchanges in the file.
package final class Recording: Sendable {
  package let path: String
  /// Every session's header, in the order of the file.
  package let headers: [RecordingHeader]
  /// What is doubtful about the file, such as a last line that a killed process left half written.
  package let findings: [Finding]
  let entries: [Entry]
  private let file: Int32
  private let places: [Key: Int]

  /// Where an exchange stands, and what decides whether it answers.
  struct Entry: Sendable {
    var hash: ContentHash
    var repeatIndex: Int32
    var attemptIndex: Int32
    var isComplete: Bool
    var line: Int32
    var offset: Int64
    var length: Int32
  }

  /// - Parameter attempt: `nil` stands for the answer that counts, whichever attempt it came from.
  private struct Key: Hashable {
    var hash: ContentHash
    var repeatIndex: Int32
    var attempt: Int32?
  }

  /// Reads the whole file once, and checks every line.
  ///
  /// - Throws: a `Problem` with the line for a file that is no recording or holds a line that cannot be read. Half a
  ///   line at the end is a finding.
  package init(path: String) throws(Problem) {
    self.path = path
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw Problem(
        .error, "the recording \(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    let scan: Scan
    do throws(Problem) {
      guard RecordingFile.isRegular(file) else {
        throw Problem(.error, "the recording \(path) is no file", advice: "name a file, not a pipe or folder")
      }
      scan = try Scan(file, path)
    } catch {
      close(file)
      throw error
    }
    self.file = file
    headers = scan.headers
    findings = scan.findings
    entries = scan.entries
    places = Self.places(of: scan.entries)
  }

  private static func places(of entries: [Entry]) -> [Key: Int] {
    var places: [Key: Int] = [:]
    for (place, entry) in entries.enumerated() {
      // The last one counts, but no failure takes the place of an answer.
      var key = Key(hash: entry.hash, repeatIndex: entry.repeatIndex, attempt: entry.attemptIndex)
      if entry.isComplete || places[key].map({ !entries[$0].isComplete }) ?? true { places[key] = place }
      guard entry.isComplete else { continue }
      key.attempt = nil
      places[key] = place
    }
    return places
  }

  deinit { close(file) }

  /// The recording's own words for reports.
  package var words: String {
    var seen: [String] = []
    for header in headers where !seen.contains(header.words) { seen.append(header.words) }
    return seen.joined(separator: "; ")
  }

  /// The exchange that answers a request; `nil` when none does.
  ///
  /// - Parameter includeFailures: serve the very attempt as it went, where it is recorded.
  func entry(for request: ExchangeRequest, includeFailures: Bool) -> Entry? {
    guard let hash = ContentHash(hex: request.hash), let index = Int32(exactly: request.repeatIndex),
      let attempt = Int32(exactly: request.attemptIndex)
    else { return nil }
    if includeFailures, let place = places[Key(hash: hash, repeatIndex: index, attempt: attempt)] {
      return entries[place]
    }
    return places[Key(hash: hash, repeatIndex: index, attempt: nil)].map { entries[$0] }
  }

  /// - Throws: when the file has changed since it was opened.
  func exchange(at entry: Entry) throws(RecordingFault) -> RecordedExchange {
    var bytes = [UInt8](repeating: 0, count: Int(entry.length))
    let count = bytes.withUnsafeMutableBytes { RecordingLines.read(file, into: $0, at: entry.offset) }
    guard count == bytes.count else { throw RecordingFault("the file has become shorter") }
    let exchange = try JSONDocument.reading(bytes) { root throws(RecordingFault) in
      try RecordedExchange(reading: root)
    }
    guard exchange.hash == entry.hash else { throw RecordingFault("the line is another one now") }
    return exchange
  }
}

/// The one pass over a file that is being opened.
private struct Scan {
  var headers: [RecordingHeader] = []
  var entries: [Recording.Entry] = []
  var findings: [Finding] = []

  init(_ file: Int32, _ path: String) throws(Problem) {
    var lines = RecordingLines(file: file)
    while let line = lines.next() {
      do {
        try read(line)
      } catch {
        guard line.isWhole || headers.isEmpty else {
          findings.append(
            Finding(
              code: "recording-torn",
              message: "\(path) ends in the middle of line \(line.number), which is left out",
              advice: "recording to the same file again removes it"))
          return
        }
        throw Problem(
          .error, error.message,
          at: SourceLocation(file: path, line: line.number, column: error.offset + 1),
          advice: headers.isEmpty ? "a recording is made with --record" : "remove the line, or record again")
      }
    }
    if headers.isEmpty { throw Problem(.error, "the recording \(path) is empty") }
  }

  private mutating func read(_ line: RecordingLines.Line) throws(RecordingFault) {
    try JSONDocument.reading(line.bytes) { root throws(RecordingFault) in
      if headers.isEmpty || RecordingHeader.isHeader(root) {
        headers.append(try RecordingHeader(reading: root))
        return
      }
      let exchange = try RecordedExchange(reading: root)
      entries.append(
        Recording.Entry(
          hash: exchange.hash, repeatIndex: Int32(exchange.repeatIndex),
          attemptIndex: Int32(exchange.attemptIndex), isComplete: exchange.isComplete,
          line: Int32(line.number), offset: line.offset, length: Int32(line.bytes.count)))
    }
  }
}
