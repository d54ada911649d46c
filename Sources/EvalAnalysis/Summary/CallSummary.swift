package import EvalCore

/// Under what circumstances a call was made; times of different ones are never pooled.
package struct CallCondition: Sendable, Hashable {
  package enum Connection: String, Sendable, Hashable, CaseIterable {
    /// An open connection was used again.
    case warm
    /// A connection had to be made.
    case cold
    /// There is no connection, or nobody said.
    case unknown
  }

  package enum TurnPosition: String, Sendable, Hashable, CaseIterable {
    case first
    /// A later turn or a step after a tool call: the model may have the start of the prompt in its cache.
    case later
  }

  package var source: Provenance
  /// `unknown` for every recorded call: the recording's connection is not this run's.
  package var connection: Connection
  package var turn: TurnPosition

  package init(source: Provenance, connection: Connection, turn: TurnPosition) {
    self.source = source
    self.connection = source == .recorded ? .unknown : connection
    self.turn = turn
  }

  /// Live first, warm first, first turns first.
  static let order: [CallCondition] = TurnPosition.allCases.flatMap { turn in
    Connection.allCases.map { CallCondition(source: .live, connection: $0, turn: turn) }
      + [CallCondition(source: .recorded, connection: .unknown, turn: turn)]
  }
}

/// The times of one target's calls under one condition, in milliseconds. Only answers that are whole count.
///
/// A call is what a turn, or a step after a tool call, asks for: its last attempt is the served one. `total` and
/// `firstToken` are the served attempt's own; `userTotal` and `userFirstToken` start when the first attempt was due
/// and hold every retry and wait.
package struct LatencyGroup: Sendable, Hashable {
  package var condition: CallCondition
  /// Calls with a whole answer.
  package var calls: Int
  /// Calls without: failed, refused or empty.
  package var failures: Int
  /// To the first token of any channel, prompts that were not reported as cached; `nil` when there is none.
  package var firstToken: Distribution?
  /// The same for prompts that the provider read from its cache, at least in part.
  package var firstTokenCached: Distribution?
  /// To the first visible text.
  package var firstContent: Distribution?
  package var firstContentCached: Distribution?
  package var total: Distribution
  /// Success-only percentiles above; here each failure is slower than everything. `nil` without failures.
  package var adjustedFirstToken: Distribution?
  package var adjustedTotal: Distribution?
  package var userFirstToken: Distribution?
  package var userTotal: Distribution
  /// Until the connection could carry the request; `nil` for warm and recorded calls.
  package var connect: Distribution?
  /// Refusals, which are fast and are no answers; `nil` without any.
  package var refusedTotal: Distribution?
  /// The same times as curves.
  package var curves = LatencyCurves()
  /// Of the prompts, cached or not, that more calls had; `nil` without a call that has the stamps.
  package var split: FirstTokenSplit?
}

/// How fast tokens came after the first.
package struct DecodingSummary: Sendable, Hashable {
  package var source: Provenance
  /// Tokens a second, `1/tpot`, one value a call.
  package var tokensPerSecond: Distribution
  /// Calls whose stream was held back on the way; they have no rate.
  package var buffered: Int
}

/// One kind of tokens over the attempts of a target.
package struct TokenCount: Sendable, Hashable {
  package var sum = 0
  /// Attempts that reported it.
  package var reported = 0
  /// Answered attempts that did not.
  package var unreported = 0

  package init() {}

  /// Tokens an attempt; `nil` when none reported it.
  package var mean: Double? { reported > 0 ? Double(sum) / Double(reported) : nil }

  mutating func add(_ count: Int?, answered: Bool) {
    if let count {
      sum += count
      reported += 1
    } else if answered {
      unreported += 1
    }
  }
}

/// The tokens of all attempts, retries and failures included.
package struct TokenSummary: Sendable, Hashable {
  /// The whole prompt, cache reads and writes in it.
  package var input = TokenCount()
  package var cachedInput = TokenCount()
  package var cacheWrite = TokenCount()
  /// Everything generated, reasoning in it.
  package var output = TokenCount()
  package var reasoning = TokenCount()
  /// Attempts whose parts are larger than their wholes.
  package var inconsistent = 0

  package init() {}
}

/// What a target's attempts cost, in US dollars; for recorded answers what they would cost live.
package struct CostSummary: Sendable, Hashable {
  /// The sum over attempts whose cost is known.
  package var known: Double
  /// The part of `known` that this run paid; 0 for recorded answers.
  package var paid: Double
  package var attempts: Int
  /// Attempts whose price or usage is not known.
  package var unknown: Int
  /// Attempts that may have cost more than is known, as a call that was cut.
  package var cut: Int
  /// The mean over trials whose cost is known to the last attempt.
  package var perTrial: Estimate
  /// Cost over passed trials; no value when none passed.
  package var perSuccess: Estimate

  /// True when the whole may be more than `known`.
  package var isLowerBound: Bool { unknown > 0 || cut > 0 }
}

/// Attempts beyond the first ones.
package struct RetrySummary: Sendable, Hashable {
  package var attempts: Int
  /// Trials with at least one retry.
  package var retriedTrials: Int
  package var retries: Int
  package var fallbacks: Int
  package var escalations: Int
  /// What was retried, most frequent first.
  package var causes: [TrialCounts.FailureCount]
  /// Milliseconds waited before each retry.
  package var waits: Distribution
  /// Milliseconds waited by all of them.
  package var totalWait: Double
}
