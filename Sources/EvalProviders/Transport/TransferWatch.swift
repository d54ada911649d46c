import EvalCore

/// Decides when a running transfer has used up one of its time limits.
///
/// The connect limit is libcurl's own, because libcurl divides it among the addresses of a host.
struct TransferWatch {
  private let firstTokenBy: Int64?
  private let totalBy: Int64?
  private let stall: Int64?
  private var stallBy: Int64?
  private var lastMark: Int

  /// - Parameters:
  ///   - start: monotonic nanoseconds.
  ///   - progressMark: the sink's mark before the first byte.
  init(_ timeouts: TransferTimeouts, start: Int64, progressMark: Int) {
    firstTokenBy = timeouts.firstToken.map { Self.later(start, $0.nanoseconds) }
    totalBy = timeouts.total.map { Self.later(start, $0.nanoseconds) }
    stall = timeouts.stall?.nanoseconds
    lastMark = progressMark
  }

  /// Notes the sink's mark after a read that came at `at`.
  ///
  /// - Returns: when the stall limit now runs out, if this read moved it.
  mutating func noteRead(progressMark: Int, at: Int64) -> Int64? {
    guard progressMark != lastMark else { return nil }
    lastMark = progressMark
    guard let stall else { return nil }
    stallBy = Self.later(at, stall)
    return stallBy
  }

  /// The limit that runs out first if nothing more happens, and when; `nil` when none is set.
  func next(sawToken: Bool) -> (kind: TransferTimeout, at: Int64)? {
    var next: (kind: TransferTimeout, at: Int64)?
    func consider(_ kind: TransferTimeout, _ at: Int64?) {
      guard let at, at < next?.at ?? .max else { return }
      next = (kind, at)
    }
    if !sawToken { consider(.firstToken, firstTokenBy) }
    consider(.stall, stallBy)
    consider(.total, totalBy)
    return next
  }

  private static func later(_ moment: Int64, _ by: Int64) -> Int64 {
    let (sum, overflow) = moment.addingReportingOverflow(by)
    return overflow ? .max : sum
  }
}
