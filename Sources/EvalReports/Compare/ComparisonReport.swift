package import EvalAnalysis
import EvalCore

/// Where the numbers and texts of a comparison's report come from.
package struct ComparisonReportInput {
  /// Corrected together when there are several.
  package var comparisons: [Comparison]
  /// Both sides' answers to a case that changed; `nil` where they are not stored.
  package var answers: ((Comparison, Flip) throws -> (reference: String?, candidate: String?))?
  /// The smallest difference that matters, in 0…1; `nil` when nobody said.
  package var wanted: Double?

  package init(
    comparisons: [Comparison],
    answers: ((Comparison, Flip) throws -> (reference: String?, candidate: String?))? = nil,
    wanted: Double? = nil
  ) {
    self.comparisons = comparisons
    self.answers = answers
    self.wanted = wanted
  }
}

/// The report of one or more comparisons, composed once for every format.
package enum ComparisonReport {
  /// Changed cases that are listed, and those of them whose answers are shown.
  static let flipLimit = 20
  static let answerLimit = 5

  /// - Returns: first what makes the sides incomparable, then what differs and how surely, details in sections.
  /// - Throws: what reading the answers throws.
  package static func document(_ input: ComparisonReportInput) throws -> ReportDocument {
    var blocks: [ReportBlock] = []
    for (index, comparison) in input.comparisons.enumerated() {
      if input.comparisons.count > 1 { blocks.append(.heading(Sides(comparison).title)) }
      blocks += try self.blocks(comparison, input, number: index + 1)
    }
    blocks.append(.notes(notes(input)))
    return ReportDocument(title: title(input.comparisons), blocks: blocks)
  }

  private static func title(_ comparisons: [Comparison]) -> String {
    guard let first = comparisons.first else { return "Comparison" }
    guard comparisons.count > 1 else { return Sides(first).title }
    let sides = [first.candidate, first.reference].map(\.label)
    return sides[0] == sides[1]
      ? "Comparison of targets, run \(sides[0])" : "Comparison: \(sides[0]) against \(sides[1])"
  }

  private static func blocks(
    _ comparison: Comparison, _ input: ComparisonReportInput, number: Int
  ) throws -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    if let banner = banner(comparison) { blocks.append(.banner(banner)) }
    if let verdict = verdict(comparison) { blocks.append(verdict) }
    if !comparison.cautions.isEmpty { blocks.append(.findings(comparison.cautions)) }
    blocks += answers(comparison)
    if !comparison.differences.isEmpty { blocks.append(.table(table(comparison, wanted: input.wanted))) }
    blocks += ComparisonPictures.blocks(comparison, number: number)
    if !comparison.targetChanges.isEmpty {
      blocks.append(.section(title: "What the targets do not share", targetChanges(comparison)))
    }
    let unmatched = self.unmatched(comparison)
    if !unmatched.isEmpty { blocks.append(.section(title: "Without a partner", unmatched)) }
    if !comparison.flips.isEmpty {
      blocks.append(.section(title: "Cases that changed", try flips(comparison, input)))
    }
    if !comparison.slices.isEmpty {
      blocks.append(.section(title: "By tag, exploratory", slices(comparison)))
    }
    return blocks
  }

  /// The answer in one sentence; `nil` when nothing could be tested.
  private static func verdict(_ comparison: Comparison) -> ReportBlock? {
    let sides = Sides(comparison)
    let standings = comparison.differences.filter { $0.test != nil }.map { difference in
      let isAhead = difference.isBetter != false
      return Standing(
        measure: difference.measure, leader: isAhead ? sides.candidate : sides.reference,
        rivals: [
          .init(
            name: isAhead ? sides.reference : sides.candidate,
            difference: isAhead ? difference : difference.inverted)
        ])
    }
    let clauses = StandingWords(standings, targets: 2).clauses
    guard !clauses.isEmpty else { return nil }
    let isGrave = comparison.cautions.contains { $0.code == "error" }
    return .verdict(clauses.joined(separator: "; ") + ".", isGrave ? .warning : .plain)
  }

  private static func banner(_ comparison: Comparison) -> String? {
    let recorded = [comparison.reference, comparison.candidate].filter { $0.provenance == .recorded }
    switch recorded.count {
    case 0: return nil
    case 1: return "One side is recorded, not live: \(recorded[0].label)."
    default: return "Recorded, not live: times are the recordings', costs are what a live run would cost."
    }
  }

  /// The first lines: what differs, how surely, what could have been seen.
  private static func answers(_ comparison: Comparison) -> [ReportBlock] {
    let pairing = comparison.pairing
    var lines = [
      "\(Numbers.count(pairing.pairs.count)) \(pairing.pairs.count == 1 ? "case" : "cases") on both sides, "
        + "\(Numbers.count(pairing.trialPairs)) \(pairing.trialPairs == 1 ? "pair" : "pairs") of trials"
        + (pairing.coverage < 1 && pairing.coverage > 0
          ? "; \(pairing.onlyReference.count) and \(pairing.onlyCandidate.count) cases are on one side only"
          : "")
        + "."
    ]
    let tested = comparison.differences.filter { $0.test != nil }
    func sentence(_ difference: PairedDifference) -> ComparisonSentence {
      ComparisonSentence(difference: difference, familySize: comparison.familySize)
    }
    for (word, isBetter) in [("Better", true), ("Worse", false)] {
      for difference in tested where difference.isSure && difference.isBetter == isBetter {
        lines.append("\(word): \(sentence(difference).sure).")
      }
    }
    for difference in tested where !difference.isSure {
      lines.append("No difference seen in \(sentence(difference).unsure)")
    }
    return lines.map { .paragraph($0) }
  }

  private static func notes(_ input: ComparisonReportInput) -> [String] {
    var notes = [
      "Pairs are of the same case content and the same repeat; repeats are averaged first, cases of one cluster count as "
        + "one. Ranges are 95 % intervals of the candidate less the reference; times are the candidate's part of the "
        + "reference's, as the geometric mean over cases, waits and retries included.",
      "A difference is called better or worse when its p, corrected by Holm over all questions, is at most 0.05. "
        + "Could see: the smallest difference that such data show four times in five. Docs/Statistics.md.",
    ]
    for comparison in input.comparisons.prefix(1) {
      for (word, side) in [("Reference", comparison.reference), ("candidate", comparison.candidate)] {
        notes.append(
          "\(word.prefix(1).uppercased() + word.dropFirst()): \(side.label), target \(side.target.name) "
            + "(\(side.target.hash.short)), suite \(side.suiteName) (\(side.suiteHash.short)), evalrun "
            + "\(side.toolVersion), \(side.machine).")
      }
    }
    return notes
  }
}

/// How the two sides are called.
struct Sides {
  let reference: String
  let candidate: String

  /// By what is not the same: the targets, the runs, or both.
  init(_ comparison: Comparison) {
    let (left, right) = (comparison.reference, comparison.candidate)
    let isOneRun = left.isSameRun(as: right)
    if isOneRun {
      (reference, candidate) = (left.target.name, right.target.name)
    } else if left.target.name == right.target.name {
      (reference, candidate) = (left.label, right.label)
    } else {
      reference = "\(left.label):\(left.target.name)"
      candidate = "\(right.label):\(right.target.name)"
    }
    let isOneTarget = left.target.name == right.target.name
    title =
      "\(candidate) against \(reference)"
      + (isOneRun ? ", run \(left.label)" : isOneTarget ? ", target \(left.target.name)" : "")
  }

  let title: String
}
