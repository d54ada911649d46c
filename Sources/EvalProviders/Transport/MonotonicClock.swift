#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The one clock of all stamps: `CLOCK_MONOTONIC`.
///
/// `ContinuousClock` would not do: on Linux it reads `CLOCK_BOOTTIME`.
enum MonotonicClock {
  /// Nanoseconds since an arbitrary start; only differences mean anything.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole nanoseconds, rounded down and capped at ±292 years.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowToo) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflowToo ? (seconds < 0 ? .min : .max) : sum
  }
}
