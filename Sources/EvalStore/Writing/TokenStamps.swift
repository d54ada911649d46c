import EvalCore

/// The reads that held tokens, as bytes: for each its nanoseconds since the one before (the first since 0), zigzag, and
/// its number of events, both as LEB128 variable-length integers.
enum TokenStamps {
  /// `nil` for no reads.
  static func encode(_ reads: [TokenRead]) -> [UInt8]? {
    if reads.isEmpty { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(reads.count * 5 + 8)
    var last: Int64 = 0
    for read in reads {
      let step = read.at &- last
      append(UInt64(bitPattern: step << 1 ^ step >> 63), to: &bytes)
      append(UInt64(read.events), to: &bytes)
      last = read.at
    }
    return bytes
  }

  /// Bytes that end within a read lose that read.
  /// - Parameter offset: nanoseconds to add to each stamp.
  static func decode(_ bytes: UnsafeRawBufferPointer, offset: Int64 = 0) -> [TokenRead] {
    var reads: [TokenRead] = []
    var rest = bytes[...]
    var last: Int64 = 0
    while let zigzag = take(&rest), let events = take(&rest) {
      last &+= Int64(zigzag >> 1) ^ -Int64(zigzag & 1)
      reads.append(TokenRead(at: last &+ offset, events: Int(events)))
    }
    return reads
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func take(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = bytes.popFirst() {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
