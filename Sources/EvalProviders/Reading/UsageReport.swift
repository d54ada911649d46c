import EvalCore

/// The counts of one report as a server sent them, before they are trusted.
struct UsageReport {
  var input: Int?
  var cachedInput: Int?
  var cacheWrite: Int?
  var output: Int?
  var reasoning: Int?
  /// The sum as the server gives it.
  var total: Int?

  /// A count, when it can be one: an integer of at least 0, also written as text, and small enough to be added to
  /// others. Anything else is not reported.
  static func count(_ view: JSONView?) -> Int? {
    guard let value = view?.integer, (0...1_000_000_000_000).contains(value) else { return nil }
    return Int(value)
  }

  fileprivate var counts: [Int?] { [input, cachedInput, cacheWrite, output, reasoning, total] }
}

/// Merges the reports of one answer.
///
/// A later report replaces an earlier one, field by field where it has a count, and is never added. A report of
/// nothing but zeros says nothing.
struct UsageMerge {
  private var merged = UsageReport()
  private(set) var hasCounts = false

  mutating func add(_ report: UsageReport) {
    guard report.counts.contains(where: { ($0 ?? 0) > 0 }) else { return }
    hasCounts = true
    merged.input = report.input ?? merged.input
    merged.cachedInput = report.cachedInput ?? merged.cachedInput
    merged.cacheWrite = report.cacheWrite ?? merged.cacheWrite
    merged.output = report.output ?? merged.output
    merged.reasoning = report.reasoning ?? merged.reasoning
    merged.total = report.total ?? merged.total
  }

  /// Forgets the output count, for an answer whose last report was only an opening figure.
  mutating func dropOutput() { merged.output = nil }

  /// What is known of the call's tokens; `nil` when nothing was reported.
  ///
  /// - Parameter zeroInputIsAbsent: for servers that say 0 when they do not count the prompt.
  func usage(zeroInputIsAbsent: Bool = false) -> Usage? {
    guard hasCounts else { return nil }
    var usage = Usage(
      input: merged.input, cachedInput: merged.cachedInput, cacheWrite: merged.cacheWrite,
      output: merged.output,
      reasoning: merged.reasoning)
    if zeroInputIsAbsent, usage.input == 0 { usage.input = nil }
    // xAI leaves reasoning out of its completion count; the total tells (vercel/ai#12425).
    if let input = merged.input, let output = merged.output, let reasoning = merged.reasoning, reasoning > 0,
      let total = merged.total, input + output != total, input + output + reasoning == total
    {
      usage.output = output + reasoning
    }
    return usage == Usage() ? nil : usage
  }
}
