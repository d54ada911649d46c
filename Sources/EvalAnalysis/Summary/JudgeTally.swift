import EvalCore

/// Gathers what judges did over the trials of a run.
struct JudgeTally {
  /// What one judge is asked once.
  private struct Question: Hashable {
    var judge: String
    var place: JudgePlace

    init(_ call: JudgeCallRecord) {
      judge = call.judge
      place = call.place
      place.isRepair = false
    }
  }

  private struct Ledger {
    var summary: JudgeSummary
    var faults: [JudgeFault: Int] = [:]
    var times: [Double] = []
  }

  private struct Name: Hashable {
    var check: String
    var criterion: String
  }

  /// The verdicts on one criterion.
  private struct Marks {
    var levels = 0
    var verdicts = 0
    /// Those that count, by answer.
    var units: [Krippendorff.Unit] = []
    /// By judge, for each answer with at least two verdicts of its own: the share of equal pairs.
    var own: [String: [(number: Int, value: Double)]] = [:]
  }

  private var embedders = EmbedderTally()
  private var ledgers: [String: Ledger] = [:]
  private var places: [Name: Int] = [:]
  private var names: [Name] = []
  private var marks: [Marks] = []

  /// - Parameter number: the case's.
  mutating func add(_ trial: TrialRecord, at number: Int) {
    embedders.add(trial)
    let calls = trial.judgeCalls.filter { $0.place.purpose != .embed }
    guard !calls.isEmpty else { return }
    var last: [Question: JudgeCallRecord] = [:]
    var order: [Question] = []
    for call in calls {
      addCall(call)
      let question = Question(call)
      if last.updateValue(call, forKey: question) == nil { order.append(question) }
    }
    let ended = order.compactMap { last[$0] }
    for call in ended { addEnd(call) }
    addMarks(ended, at: number)
  }

  private mutating func addCall(_ call: JudgeCallRecord) {
    var ledger = ledgers[call.judge] ?? Ledger(summary: JudgeSummary(name: call.judge))
    let isAnswered = call.errorClass == nil
    ledger.summary.calls += 1
    if call.number > 1 { ledger.summary.retries += 1 }
    ledger.summary.forced[call.force, default: 0] += 1
    ledger.summary.input.add(call.usage?.input, answered: isAnswered)
    ledger.summary.output.add(call.usage?.output, answered: isAnswered)
    ledger.summary.add(call.cost)
    if isAnswered, call.provenance == .live, let duration = call.duration {
      ledger.times.append(milliseconds(duration))
    }
    ledgers[call.judge] = ledger
  }

  private mutating func addEnd(_ call: JudgeCallRecord) {
    guard var ledger = ledgers[call.judge] else { return }
    ledger.summary.questions += 1
    switch call.reading {
    case .unread(let fault, _): ledger.faults[fault, default: 0] += 1
    case .marks(let marks):
      ledger.summary.verdicts += 1
      ledger.summary.abstentions += marks.count { $0.level == nil }
    case .preference: ledger.summary.verdicts += 1
    case .embedded: break
    }
    if call.place.isRepair, call.reading.fault == nil { ledger.summary.repaired += 1 }
    ledgers[call.judge] = ledger
  }

  private mutating func addMarks(_ calls: [JudgeCallRecord], at number: Int) {
    /// By criterion and turn: every level with its judge, and whether it counts.
    var answers: [Name: [Int: [(judge: String, level: Int, counts: Bool)]]] = [:]
    var found: [Name] = []
    for call in calls {
      guard case .marks(let marked) = call.reading else { continue }
      for mark in marked {
        let name = Name(check: call.place.check, criterion: mark.criterion)
        let place = place(of: name)
        marks[place].levels = max(marks[place].levels, mark.levels)
        guard let level = mark.level else { continue }
        if answers[name] == nil { found.append(name) }
        answers[name, default: [:]][call.place.turn ?? -1, default: []].append(
          (call.judge, level, call.place.purpose == .score))
      }
    }
    for name in found {
      for (_, verdicts) in (answers[name] ?? [:]).sorted(by: { $0.key < $1.key }) {
        addAnswer(verdicts, to: place(of: name), at: number)
      }
    }
  }

  private mutating func addAnswer(
    _ verdicts: [(judge: String, level: Int, counts: Bool)], to place: Int, at number: Int
  ) {
    let counting = verdicts.filter(\.counts).map(\.level)
    if !counting.isEmpty {
      marks[place].verdicts += counting.count
      marks[place].units.append(Krippendorff.Unit(cluster: number, levels: counting))
    }
    for (judge, own) in Dictionary(grouping: verdicts, by: \.judge) where own.count > 1 {
      var same = 0
      for left in own.indices { same += own[(left + 1)...].count { $0.level == own[left].level } }
      let pairs = own.count * (own.count - 1) / 2
      marks[place].own[judge, default: []].append((number, Double(same) / Double(pairs)))
    }
  }

  private mutating func place(of name: Name) -> Int {
    if let known = places[name] { return known }
    places[name] = names.count
    names.append(name)
    marks.append(Marks())
    return names.count - 1
  }

  /// - Returns: `nil` when nobody judged or embedded.
  func summary(_ run: RunInfo) -> JudgingSummary? {
    let judging = run.settings["judging"]
    var models: [String: String] = [:]
    for judge in judging?["judges"]?.arrayValue ?? [] {
      models[judge["name"]?.stringValue ?? ""] = judge["content"]?["model"]?.stringValue
    }
    let embedders = embedders.summaries(models)
    guard !ledgers.isEmpty || !embedders.isEmpty else { return nil }
    return JudgingSummary(
      judges: ledgers.values.map { summary($0, models) }.sorted { $0.name < $1.name },
      criteria: names.indices.map { agreement(of: names[$0], marks[$0], seed: run.seed) },
      embedders: embedders, promptVersion: judging?["promptVersion"]?.intValue.map { Int($0) },
      promptHash: judging?["promptHash"]?.stringValue)
  }

  private func summary(_ ledger: Ledger, _ models: [String: String]) -> JudgeSummary {
    var summary = ledger.summary
    summary.model = models[summary.name].flatMap { $0.isEmpty ? nil : $0 }
    summary.time = Distribution(ledger.times)
    summary.faults = ledger.faults.map { JudgeSummary.FaultCount(fault: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.fault.rawValue) < ($0.count, $1.fault.rawValue) }
    return summary
  }

  private func agreement(of name: Name, _ marks: Marks, seed: UInt64) -> CriterionAgreement {
    let spreads = marks.units.filter { $0.levels.count > 1 }.map { unit in
      let spread = (unit.levels.max() ?? 0) - (unit.levels.min() ?? 0)
      return (number: unit.cluster, value: Double(spread) / Double(max(1, marks.levels - 1)))
    }
    return CriterionAgreement(
      check: name.check, criterion: name.criterion, answers: marks.units.count, verdicts: marks.verdicts,
      levels: marks.levels,
      alpha: Krippendorff.estimate(
        marks.units, levels: marks.levels, scale: marks.levels > 2 ? .ordinal : .nominal, seed: seed),
      spread: Mean.estimate(CaseValues(byCase: spreads), bounds: 0...1),
      selfConsistency: marks.own.sorted { $0.key < $1.key }.map { judge, shares in
        .init(judge: judge, same: Mean.ofScores(CaseValues(byCase: shares)))
      })
  }
}

extension CaseValues {
  /// The means of each case's values, in the order of the cases' numbers.
  /// - Parameter clusters: by case; a case beyond them stands alone.
  init(byCase entries: [(number: Int, value: Double)], clusters: [Int?] = []) {
    self.init()
    for (number, entries) in Dictionary(grouping: entries, by: \.number).sorted(by: { $0.key < $1.key }) {
      let sum = entries.reduce(0) { $0 + $1.value }
      append(
        sum / Double(entries.count), trials: entries.count,
        cluster: clusters.indices.contains(number) ? clusters[number] : nil)
      isBinary = isBinary && entries.allSatisfy { $0.value == 0 || $0.value == 1 }
    }
  }
}

/// Gathers the criteria of one check's rubric over a target's trials.
struct CriterionTally {
  private var names: [String] = []
  private var values: [String: [(number: Int, value: Double)]] = [:]
  private var passes: [String: (passed: Int, judged: Int)] = [:]

  mutating func add(_ scores: [CriterionScore], at number: Int) {
    for score in scores {
      if values[score.criterion] == nil { names.append(score.criterion) }
      values[score.criterion, default: []].append((number, score.value))
      guard let passed = score.passed else { continue }
      passes[score.criterion, default: (0, 0)].judged += 1
      if passed { passes[score.criterion]?.passed += 1 }
    }
  }

  func summaries(_ table: CaseTable) -> [CriterionSummary] {
    names.map { name in
      let means = CaseValues(byCase: values[name] ?? [], clusters: table.clusters)
      return CriterionSummary(
        name: name, value: Mean.ofScores(means), passes: passes[name]?.passed ?? 0,
        verdicts: passes[name]?.judged ?? 0)
    }
  }
}
