import CPCRE2

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What one search may spend: steps of the pattern, which do not depend on the machine, and as a last resort
/// processor time, for patterns whose single steps are long.
struct SearchBudget {
  /// About 50 ms of a compiled pattern.
  static let steps = 10_000_000
  static let nanoseconds: Int64 = 250_000_000
  static let matchLimit: UInt32 = 10_000_000
  static let heapKibibytes: UInt32 = 64 * 1024
  static let stackBytes = 16 << 20
  /// What the callout returns to stop the search.
  static let exhausted: Int32 = PCRE2_ERROR_CALLOUT

  private var spent = 0
  /// When the first slice of steps was spent; reading the clock costs as much as a short search.
  private var start: Int64?

  mutating func spend() -> Bool {
    spent &+= 1
    if spent & 0xFFF != 0 { return true }
    let now = SearchBudget.threadTime()
    guard let start else {
      start = now
      return true
    }
    return spent < SearchBudget.steps && now - start < SearchBudget.nanoseconds
  }

  private static func threadTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// PCRE2 calls this before each item of the pattern that it tries.
let spendStep:
  @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32 = {
    _, budget in
    guard let budget = budget?.assumingMemoryBound(to: SearchBudget.self) else { return 0 }
    return budget.pointee.spend() ? 0 : SearchBudget.exhausted
  }
