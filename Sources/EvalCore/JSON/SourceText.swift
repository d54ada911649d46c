/// The bytes of a text file with the starts of its lines, to say where something stands.
package struct SourceText: Sendable {
  /// What messages call the file.
  package let name: String
  package let bytes: [UInt8]
  /// Offsets of the first byte of each line; a byte order mark is before the first.
  private let lineStarts: [Int]
  /// Unicode scalars before each block of bytes: a suite on one long line is not counted through for every place.
  private let scalarCounts: [Int]
  private static let blockSize = 1024

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    for (offset, byte) in bytes.enumerated() {
      let isCRBeforeLF = byte == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
      if byte == 0x0A || byte == 0x0D && !isCRBeforeLF { starts.append(offset + 1) }
    }
    lineStarts = starts
    var counts: [Int] = []
    var count = 0
    for block in stride(from: 0, through: bytes.count, by: Self.blockSize) {
      counts.append(count)
      count += bytes[block..<min(block + Self.blockSize, bytes.count)].count { $0 & 0xC0 != 0x80 }
    }
    scalarCounts = counts
  }

  /// The number of Unicode scalars that begin before an offset.
  private func scalars(before offset: Int) -> Int {
    let block = offset / Self.blockSize
    return scalarCounts[block] + bytes[block * Self.blockSize..<offset].count { $0 & 0xC0 != 0x80 }
  }

  /// The number of lines, at least 1; after a final line break stands one more, empty line.
  package var lineCount: Int { lineStarts.count }

  /// Line and column of a byte, both counted from 1. Columns count Unicode scalars; LF, CR LF and CR end a
  /// line; a byte order mark is no column. An offset beyond the text stands for its end.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, lineStarts[0]), bytes.count)
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    // A scalar's continuation bytes belong to the column of its first byte.
    let before = scalars(before: offset) - scalars(before: min(lineStarts[low], offset))
    let isInside = offset < bytes.count && bytes[offset] & 0xC0 == 0x80 && before > 0
    return (low + 1, isInside ? before : before + 1)
  }

  /// The text of a line, counted from 1, without its line break; empty when there is no such line.
  package func lineText(_ line: Int) -> String {
    guard line >= 1, line <= lineStarts.count else { return "" }
    let start = lineStarts[line - 1]
    var end = line < lineStarts.count ? lineStarts[line] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Where a byte stands.
  package func location(of offset: Int) -> SourceLocation {
    let (line, column) = position(of: offset)
    return SourceLocation(file: name, line: line, column: column)
  }

  /// A syntax error as a problem with its place.
  package func problem(_ error: JSONSyntaxError) -> Problem {
    Problem(.error, error.message, at: location(of: error.offset))
  }
}
