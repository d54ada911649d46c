import EvalCore

/// What one embedder did, apart from everything that the subjects did.
package struct EmbedderSummary: Sendable, Hashable, CostBook {
  package var name: String
  /// The model that was asked for; `nil` when the run does not say.
  package var model: String?
  /// Texts that checks needed, each counted once a check.
  package var texts = 0
  /// Of these, known from earlier in the run, and from the database.
  package var fromRun = 0
  package var fromDatabase = 0
  package var calls = 0
  /// Of these, calls again after one that failed.
  package var retries = 0
  /// Requests that ended without vectors of use.
  package var failures = 0
  package var input = TokenCount()
  /// US dollars, the sum over calls whose cost is known; for recorded calls what they would cost live.
  package var knownCost = 0.0
  package var unknownCosts = 0
  package var isLowerBound = false
  /// Milliseconds of the live calls that were answered.
  package var time = Distribution([])
}

/// Gathers what embedders did over the trials of a run.
struct EmbedderTally {
  private struct Ledger {
    var summary: EmbedderSummary
    var times: [Double] = []
  }

  private var ledgers: [String: Ledger] = [:]

  mutating func add(_ trial: TrialRecord) {
    for use in trial.embeddingUses { add(use) }
    for call in trial.judgeCalls where call.place.purpose == .embed { add(call) }
  }

  private mutating func add(_ use: EmbeddingUse) {
    var ledger = ledgers[use.embedder] ?? Ledger(summary: EmbedderSummary(name: use.embedder))
    ledger.summary.texts += use.texts
    ledger.summary.fromRun += use.fromRun
    ledger.summary.fromDatabase += use.fromDatabase
    ledgers[use.embedder] = ledger
  }

  private mutating func add(_ call: JudgeCallRecord) {
    var ledger = ledgers[call.judge] ?? Ledger(summary: EmbedderSummary(name: call.judge))
    let isAnswered = call.errorClass == nil
    ledger.summary.calls += 1
    if call.number > 1 {
      // The one before had failed, and this is its request again.
      ledger.summary.retries += 1
      ledger.summary.failures -= 1
    }
    if call.reading.fault != nil { ledger.summary.failures += 1 }
    ledger.summary.input.add(call.usage?.input, answered: isAnswered)
    ledger.summary.add(call.cost)
    if isAnswered, call.provenance == .live, let duration = call.duration {
      ledger.times.append(milliseconds(duration))
    }
    ledgers[call.judge] = ledger
  }

  /// By name.
  /// - Parameter models: by profile.
  func summaries(_ models: [String: String]) -> [EmbedderSummary] {
    ledgers.values.map { ledger in
      var summary = ledger.summary
      summary.model = models[summary.name].flatMap { $0.isEmpty ? nil : $0 }
      summary.time = Distribution(ledger.times)
      return summary
    }.sorted { $0.name < $1.name }
  }
}
