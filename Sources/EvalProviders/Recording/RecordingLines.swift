import EvalCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Goes through the lines of a file by `pread`, a piece at a time, so that a large recording is never in memory.
struct RecordingLines {
  struct Line {
    /// Without the line break.
    var bytes: [UInt8]
    /// In bytes from the start of the file.
    var offset: Int64
    /// From 1.
    var number: Int
    /// False when the file ends before the line does.
    var isWhole: Bool
  }

  private static let pieceSize = 1 << 18

  private let file: Int32
  /// What was read and not given out: `buffer[start...]`, which stands at `offset` in the file.
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset: Int64 = 0
  private var number = 0

  init(file: Int32) { self.file = file }

  mutating func next() -> Line? {
    var searched = start
    while true {
      if let end = Self.lineBreak(in: buffer, from: searched) { return take(to: end, isWhole: true) }
      searched = buffer.count
      let dropped = start
      guard fill() else { break }
      searched -= dropped
    }
    return start < buffer.count ? take(to: buffer.count, isWhole: false) : nil
  }

  private mutating func take(to end: Int, isWhole: Bool) -> Line {
    number += 1
    let line = Line(bytes: Array(buffer[start..<end]), offset: offset, number: number, isWhole: isWhole)
    let taken = end - start + (isWhole ? 1 : 0)
    start += taken
    offset += Int64(taken)
    return line
  }

  /// Drops what was given out and reads another piece.
  private mutating func fill() -> Bool {
    let place = offset + Int64(buffer.count - start)
    let file = file
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { room, count in
      count = Self.read(file, into: UnsafeMutableRawBufferPointer(room), at: place)
    }
    buffer = start == buffer.count ? piece : Array(buffer[start...]) + piece
    start = 0
    return !piece.isEmpty
  }

  private static func lineBreak(in bytes: [UInt8], from: Int) -> Int? {
    guard from < bytes.count else { return nil }
    return bytes.withUnsafeBytes { bytes in
      memchr(bytes.baseAddress! + from, 0x0A, bytes.count - from).map {
        UnsafeRawPointer($0) - bytes.baseAddress!
      }
    }
  }

  /// - Returns: how many bytes came: fewer than asked at the end of the file or after an error.
  static func read(_ file: Int32, into room: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    var got = 0
    while got < room.count {
      let count = pread(file, room.baseAddress! + got, room.count - got, off_t(offset) + off_t(got))
      if count > 0 {
        got += count
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return got
  }
}

extension JSONDocument {
  /// Reads one line.
  static func reading<Value>(
    _ bytes: [UInt8], _ body: (JSONView) throws(RecordingFault) -> Value
  ) throws(RecordingFault) -> Value {
    let document = JSONDocument()
    do { try document.parse(bytes) } catch { throw RecordingFault(error) }
    return try body(document.root)
  }
}
