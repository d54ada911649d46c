/// The time that nineteen of twenty trials stay under, in a fixed amount of memory.
///
/// Times are counted in buckets that are 1/64 of their value wide at most (as HdrHistogram has them), so the line is at
/// most that much above the nearest-rank percentile.
struct SlowLine {
  private var buckets: [Int] = []
  private var count = 0

  /// - Parameter nanoseconds: a negative time counts as 0, one of more than 36 years as that.
  mutating func add(_ nanoseconds: Int64) {
    let bucket = SlowLine.bucket(UInt64(min(max(0, nanoseconds), 1 << 60)))
    if bucket >= buckets.count {
      buckets += Array(repeating: 0, count: bucket + 1 - buckets.count)
    }
    buckets[bucket] += 1
    count += 1
  }

  /// Nanoseconds above which a trial is slow; `nil` for fewer than 20 trials, where one in twenty is none.
  var nanoseconds: Int64? {
    guard count >= 20 else { return nil }
    let rank = (count * 95 + 99) / 100
    var seen = 0
    for (bucket, here) in buckets.enumerated() {
      seen += here
      if seen >= rank { return SlowLine.end(of: bucket) }
    }
    return nil
  }

  /// 64 buckets for each power of two; below 128 ns one each.
  private static func bucket(_ value: UInt64) -> Int {
    guard value >= 128 else { return Int(value) }
    let shift = 57 - value.leadingZeroBitCount
    return (shift << 6) + Int(value >> UInt64(shift))
  }

  private static func end(of bucket: Int) -> Int64 {
    guard bucket >= 128 else { return Int64(bucket) }
    let shift = (bucket >> 6) - 1
    return Int64((UInt64(bucket & 63) + 65) << UInt64(shift)) - 1
  }
}
