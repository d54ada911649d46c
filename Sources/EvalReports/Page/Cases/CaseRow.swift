import EvalAnalysis
import EvalCore

/// One case in the list: what each target made of it.
struct CaseRow {
  let id: String
  let hash: ContentHash
  let tags: [String]
  let mustPass: Bool
  /// By the run's order of targets; `nil` where the target has no trial of this case.
  private(set) var cells: [CaseCell?]

  init(_ first: TrialRecord, targets: Int) {
    id = first.caseID
    hash = first.key.caseHash
    tags = first.tags
    mustPass = first.mustPass
    cells = Array(repeating: nil, count: targets)
  }

  mutating func add(_ trial: TrialRecord, target: Int, leaks: Int) {
    var cell = cells[target] ?? CaseCell()
    cell.add(trial, leaks: leaks)
    cells[target] = cell
  }

  var kinds: CaseKinds {
    var kinds = cells.reduce(into: CaseKinds()) { $0.formUnion($1?.kinds ?? []) }
    if isDisagreed { kinds.insert(CaseKinds(.disagree)) }
    return kinds
  }

  /// Nanoseconds of the slowest trial; `nil` when none has a time.
  var slowest: Int64? { cells.compactMap { $0?.slowest }.max() }

  private var isDisagreed: Bool {
    let verdicts = Set(cells.compactMap { $0?.verdict })
    if verdicts.count > 1 { return true }
    let scores = cells.compactMap { $0?.score }
    guard let least = scores.min(), let greatest = scores.max() else { return false }
    return greatest - least >= 0.5
  }

  /// `[id, [tag], kinds, [cell or null]]`; a cell is `[status, score, passes, verdicts, dollars, ms, kinds, trials]`.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    writer.string(id)
    writer.beginArray()
    for tag in tags { writer.string(tag) }
    writer.endArray()
    writer.int(kinds.rawValue)
    writer.beginArray()
    for cell in cells {
      if let cell { cell.write(to: &writer) } else { writer.null() }
    }
    writer.endArray()
    writer.endArray()
    return InlineJSON.escaped(writer.bytes)
  }
}

/// The trials of one case on one target, taken together.
struct CaseCell {
  private var trials = 0
  private var passes = 0
  private var verdicts = 0
  private var sum = 0.0
  private var scored = 0
  private var cost = Cost(dollars: 0)
  private var status = TrialStatus.ok
  private(set) var kinds = CaseKinds()
  /// Nanoseconds.
  private(set) var slowest: Int64?

  /// Gravest last.
  private static let grave: [TrialStatus] = [.ok, .empty, .refused, .blocked, .cancelled, .failed]

  mutating func add(_ trial: TrialRecord, leaks: Int) {
    trials += 1
    if let passed = trial.score.passed {
      verdicts += 1
      passes += passed ? 1 : 0
    }
    if let value = trial.score.value {
      sum += value
      scored += 1
    }
    cost = .sum(of: [cost] + trial.attempts.filter { $0.phase == .measured }.map(\.cost))
    slowest = [slowest, trial.waitedFor].compactMap(\.self).max()
    let grave = Self.grave
    if (grave.firstIndex(of: trial.status) ?? 0) > (grave.firstIndex(of: status) ?? 0) {
      status = trial.status
    }
    mark(trial, leaks: leaks)
  }

  private mutating func mark(_ trial: TrialRecord, leaks: Int) {
    func mark(_ kind: CaseKind, _ isSo: Bool) { if isSo { kinds.insert(CaseKinds(kind)) } }
    let failed = trial.status == .failed || trial.score.passed == false
    mark(.failed, failed)
    mark(.mustPassFailed, failed && trial.mustPass)
    mark(.leaked, leaks > 0)
    mark(.broke, trial.status == .failed)
    mark(.refused, trial.status == .refused || trial.status == .empty)
    mark(.blocked, trial.status == .blocked)
    mark(.unscored, trial.status == .ok && trial.score.unscored != nil)
    mark(
      .fellBack,
      trial.attempts.contains { $0.cause == "escalation" || $0.cause.hasPrefix("fallback") })
  }

  /// Of the majority of the verdicts; `nil` without any or when they are even.
  var verdict: Bool? { 2 * passes == verdicts ? nil : 2 * passes > verdicts }

  /// The mean; `nil` when no trial has a score.
  var score: Double? { scored == 0 ? nil : sum / Double(scored) }

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    writer.string(status.rawValue)
    writer.number(score, decimals: 4)
    writer.int(passes)
    writer.int(verdicts)
    writer.number(cost.dollars.map { $0 / Double(trials) }, decimals: 9)
    writer.number(slowest.map { Double($0) / 1_000_000 }, decimals: 1)
    writer.int(kinds.rawValue)
    writer.int(trials)
    writer.endArray()
  }
}

extension TrialRecord {
  /// Nanoseconds that a person waited for it: the attempts' own intervals added up, with the waits before them, so that
  /// a recording's times count and not those of its replay. `nil` without an attempt, or when one has no end.
  var waitedFor: Int64? {
    let measured = attempts.filter { $0.phase == .measured }
    guard !measured.isEmpty else { return nil }
    var sum: Int64 = 0
    for attempt in measured {
      guard let total = attempt.timeline.total else { return nil }
      sum += attempt.wait + (attempt.timeline.queue ?? 0) + total
    }
    return sum
  }
}
