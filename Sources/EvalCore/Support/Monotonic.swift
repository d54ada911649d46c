#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The clock of every stamp: nanoseconds of `CLOCK_MONOTONIC`, which never go back.
package enum Monotonic {
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// The wall clock, read once a run as an anchor.
package enum WallClock {
  /// Seconds since 1970.
  package static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}

extension Duration {
  /// Whole nanoseconds; saturates after 292 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product + attoseconds / 1_000_000_000
  }

  package var seconds: Double { Double(nanoseconds) / 1_000_000_000 }
}
