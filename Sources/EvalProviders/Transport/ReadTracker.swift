/// Tells which of libcurl's body callbacks belong to one read from the socket.
///
/// libcurl calls back once per HTTP chunk, and may read from a socket several times before it returns. Chunks
/// of one read follow each other in libcurl's buffer; the next read starts at the buffer's beginning again.
/// Where that says nothing, as for decompressed bytes, each callback counts as a read of its own.
struct ReadTracker {
  /// Index of the current read; -1 before the first.
  private(set) var sequence = -1
  private var turn: UInt64?
  private var end: UnsafeRawPointer?

  /// Notes a callback.
  ///
  /// - Parameters:
  ///   - bytes: what libcurl handed over; only its address is looked at.
  ///   - turn: which call into libcurl this is a callback of.
  /// - Returns: whether it is the first of a new read.
  mutating func isNewRead(_ bytes: UnsafeRawBufferPointer, turn: UInt64) -> Bool {
    guard let start = bytes.baseAddress else { return sequence < 0 }
    defer { end = start + bytes.count }
    if turn == self.turn, let end, start >= end { return false }
    self.turn = turn
    sequence += 1
    return true
  }
}
