package import EvalCore

/// What the judges of a run did, apart from everything that the subjects did.
package struct JudgingSummary: Sendable, Hashable {
  /// By name.
  package var judges: [JudgeSummary]
  /// One for each check and criterion, in the order in which they were met.
  package var criteria: [CriterionAgreement]
  /// One for each comparison and pair of targets.
  package var pairs: [PairSummary] = []
  /// One for each comparison among more than two targets whose strengths are defined.
  package var rankings: [RankingSummary] = []
  /// One for each check of whose judges labels by people are known.
  package var measured: [MeasuredCheck] = []
  /// By name.
  package var embedders: [EmbedderSummary] = []
  /// Counts up with every change of the words that judges are asked with; `nil` when the run does not say.
  package var promptVersion: Int?
  package var promptHash: String?
}

/// One judge's ledger. A question is what a judge is asked once, with its retries and its repair.
package struct JudgeSummary: Sendable, Hashable, CostBook {
  package var name: String
  /// The model that was asked for; `nil` when the run does not say.
  package var model: String?
  package var calls = 0
  package var questions = 0
  /// Questions that ended with a verdict.
  package var verdicts = 0
  /// Of these, after an answer that held none.
  package var repaired = 0
  /// Calls again after one that failed.
  package var retries = 0
  /// Why questions ended without a verdict, most frequent first.
  package var faults: [FaultCount] = []
  /// Marks in which the judge said that it cannot judge.
  package var abstentions = 0
  /// Calls by how the judge was held to the form of its verdict.
  package var forced: [VerdictForce: Int] = [:]
  package var input = TokenCount()
  package var output = TokenCount()
  /// US dollars, the sum over calls whose cost is known; for recorded calls what they would cost live.
  package var knownCost = 0.0
  package var unknownCosts = 0
  package var isLowerBound = false
  /// Milliseconds of the live calls that were answered.
  package var time = Distribution([])

  package struct FaultCount: Sendable, Hashable {
    package var fault: JudgeFault
    package var count: Int
  }

  /// Questions without a verdict.
  package var unread: Int { faults.reduce(0) { $0 + $1.count } }
}

/// A ledger that adds up what calls cost.
protocol CostBook {
  var knownCost: Double { get set }
  var unknownCosts: Int { get set }
  var isLowerBound: Bool { get set }
}

extension CostBook {
  mutating func add(_ cost: Cost) {
    if let dollars = cost.dollars { knownCost += dollars } else { unknownCosts += 1 }
    isLowerBound = isLowerBound || cost.isLowerBound
  }
}

/// How far the verdicts on one criterion agree.
package struct CriterionAgreement: Sendable, Hashable {
  package var check: String
  package var criterion: String
  /// Answers with at least one verdict.
  package var answers: Int
  package var verdicts: Int
  /// How many levels the scale has.
  package var levels: Int
  /// Krippendorff's alpha over all verdicts that count, ordinal, or nominal for two levels; no value when no answer has
  /// two verdicts, or all are one level.
  package var alpha: Estimate
  /// The mean over answers of the greatest verdict less the least, in 0…1; no value with one verdict an answer.
  package var spread: Estimate
  /// By judge: the share of pairs of its own verdicts on the same answer that are one level, its second looks included.
  package var selfConsistency: [SelfConsistency]

  package struct SelfConsistency: Sendable, Hashable {
    package var judge: String
    package var same: Estimate
  }
}

/// One criterion of a rubric over all cases of a target.
package struct CriterionSummary: Sendable, Hashable {
  package var name: String
  /// The mean value in 0…1 of those judged.
  package var value: Estimate
  /// Trials that reached the minimum, and those that were held against one.
  package var passes: Int
  package var verdicts: Int
}
