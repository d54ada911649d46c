/// How much of a run goes into its page. What is beyond is counted there, with how to see it.
package struct CaseLimits: Sendable {
  /// Bytes of all rows of the list, as written.
  package var listBytes = 1_500_000
  /// Bytes of everything that opens, as written.
  package var detailBytes = 5_000_000
  /// UTF-8 bytes of one text.
  package var textBytes = 32_768
  /// UTF-8 bytes of all texts of one case; beyond it each keeps its first `leastTextBytes`.
  package var caseBytes = 262_144
  package var leastTextBytes = 256
  /// Repeats of one target in one case.
  package var repeats = 5
  /// Cases that are drawn for their time alone.
  package var slowest = 200
  /// Arrivals of tokens in one attempt.
  package var arrivals = 200

  package init() {}
}

/// What makes a case worth a look; a case may have several.
package enum CaseKind: Int, Sendable, Hashable, CaseIterable {
  case mustPassFailed, leaked, failed, disagree, broke, refused, blocked, fellBack, unscored

  /// As a filter names it.
  package var label: String {
    switch self {
    case .mustPassFailed: "must-pass failed"
    case .leaked: "leaked"
    case .failed: "failed"
    case .disagree: "targets disagree"
    case .broke: "call failed"
    case .refused: "refused or empty"
    case .blocked: "blocked"
    case .fellBack: "fell back or escalated"
    case .unscored: "not scored"
    }
  }

  /// One sentence for the reader who asks what is counted.
  package var meaning: String {
    switch self {
    case .mustPassFailed: "It is marked as must-pass and did not pass."
    case .leaked: "Content went further than the suite or the policy allows."
    case .failed: "A check did not pass or a call failed."
    case .disagree: "One target passes and another does not, or their scores are 0.5 or more apart."
    case .broke: "No answer came, after all retries."
    case .refused: "The model declined or sent nothing."
    case .blocked: "The policy let no call go out."
    case .fellBack: "The policy called another arm after its first."
    case .unscored: "An answer came that a check could not judge."
    }
  }
}

/// A set of kinds, as one number in the page.
struct CaseKinds: OptionSet, Sendable, Hashable {
  let rawValue: Int

  init(rawValue: Int) { self.rawValue = rawValue }
  init(_ kind: CaseKind) { rawValue = 1 << kind.rawValue }

  func contains(_ kind: CaseKind) -> Bool { contains(CaseKinds(kind)) }
}
