package import EvalCore

/// Which cases passed where: a map of cases by targets.
package enum RunOverview {
  /// Reads the run once and keeps a few bytes for each case and target.
  ///
  /// - Parameters:
  ///   - scoreSets: the run's new gradings, which are listed.
  ///   - limit: the most cases to show; those where targets disagree come first, then those without an answer, then the
  ///     failed ones.
  /// - Throws: what the source throws.
  package static func document(
    _ source: some TrialSource, scoreSets: [ScoreSetInfo] = [], limit: Int = 40
  ) throws -> ReportDocument {
    var map = OutcomeMap(source.run)
    try source.forEachTrial { map.add($0) }
    let run = source.run
    var blocks: [ReportBlock] = []
    if let banner = RunReport.banner(run) { blocks.append(.banner(banner)) }
    blocks.append(.paragraph(headline(map, run)))
    let shown = map.mostTelling(limit)
    var table = ReportTable(columns: [.init("case", .left)] + map.names.map { .init($0) })
    for number in shown { table.rows.append([ReportCell(map.ids[number])] + map.cells(number)) }
    blocks.append(.table(table))
    if !scoreSets.isEmpty {
      blocks.append(.section(title: "Scores", [.table(ScoreSetList.table(scoreSets, run: run))]))
    }
    var notes: [String] = []
    if shown.count < map.ids.count {
      notes.append(
        "\(Numbers.part(shown.count, of: map.ids.count)) cases: first those where targets disagree, then those without "
          + "an answer, then failures. All of them: evalrun report \(run.id) --format csv")
    }
    notes.append(
      "✓ passed, ✗ failed, n/m passed of m repeats, 0.83 a score without threshold, ? could not be judged, · no check, "
        + "— not run; a word says why there is no answer.")
    notes.append("One case from input to score: evalrun show \(run.id) CASE")
    blocks.append(.notes(notes))
    return ReportDocument(title: RunReport.title(run), blocks: blocks)
  }

  private static func headline(_ map: OutcomeMap, _ run: RunInfo) -> String {
    let status = run.status == .finished ? "" : "run \(run.status.rawValue) · "
    let passed = map.names.indices.map { "\(map.names[$0]) \(map.passed(by: $0))" }.joined(separator: ", ")
    return "\(status)\(Numbers.part(map.trials, of: run.plannedTrials)) trials finished · passed: \(passed)"
  }
}

/// What became of every case under every target, small enough to hold for a large run.
struct OutcomeMap {
  private struct Mark {
    var trials: UInt32 = 0
    var passed: UInt32 = 0
    var failed: UInt32 = 0
    /// Trials without an answer, with the last one's reason.
    var unanswered: UInt32 = 0
    var status: TrialStatus = .ok
    var errorClass: ErrorClass?
    var unscored: UInt32 = 0
    /// Scores without a verdict.
    var valued: UInt32 = 0
    var sum: Float = 0
  }

  let names: [String]
  private(set) var ids: [String] = []
  private(set) var trials = 0
  private var numbers: [ContentHash: Int] = [:]
  private var places: [String: Int] = [:]
  private var marks: [Mark] = []

  init(_ run: RunInfo) {
    names = run.targets.map(\.name)
    for (place, name) in names.enumerated() { places[name] = place }
  }

  mutating func add(_ trial: TrialRecord) {
    guard let place = places[trial.target] else { return }
    let number = self.number(of: trial)
    trials += 1
    var mark = marks[number * names.count + place]
    mark.trials &+= 1
    if let passed = trial.score.passed, trial.status != .failed {
      if passed { mark.passed &+= 1 } else { mark.failed &+= 1 }
    } else if trial.status != .ok, trial.score.value == nil || trial.status == .failed {
      mark.unanswered &+= 1
      mark.status = trial.status
      mark.errorClass = trial.errorClass
    } else if let value = trial.score.value {
      mark.valued &+= 1
      mark.sum += Float(value)
    } else if trial.score.unscored != nil {
      mark.unscored &+= 1
    }
    marks[number * names.count + place] = mark
  }

  private mutating func number(of trial: TrialRecord) -> Int {
    if let known = numbers[trial.key.caseHash] { return known }
    let number = ids.count
    numbers[trial.key.caseHash] = number
    ids.append(trial.caseID)
    marks += Array(repeating: Mark(), count: names.count)
    return number
  }

  /// `9 of 12` trials of one target.
  func passed(by place: Int) -> String {
    var passed = 0
    var trials = 0
    for number in ids.indices {
      passed += Int(marks[number * names.count + place].passed)
      trials += Int(marks[number * names.count + place].trials)
    }
    return Numbers.part(passed, of: trials)
  }

  /// The cases that tell most, most telling kind first, within a kind in the order of the run.
  func mostTelling(_ limit: Int) -> [Int] {
    var kinds: [[Int]] = Array(repeating: [], count: 4)
    for number in ids.indices { kinds[kind(number)].append(number) }
    return Array(kinds.joined().prefix(max(0, limit)))
  }

  private func kind(_ number: Int) -> Int {
    let marks = self.marks[number * names.count..<(number + 1) * names.count]
    let shares = marks.compactMap { mark -> Double? in
      let judged = mark.passed + mark.failed + mark.unanswered
      return judged > 0 ? Double(mark.passed) / Double(judged) : nil
    }
    if let first = shares.first, shares.contains(where: { $0 != first }) { return 0 }
    if marks.contains(where: { $0.unanswered > 0 }) { return 1 }
    return marks.contains { $0.failed > 0 } ? 2 : 3
  }

  func cells(_ number: Int) -> [ReportCell] {
    names.indices.map { OutcomeMap.cell(marks[number * names.count + $0]) }
  }

  private static func cell(_ mark: Mark) -> ReportCell {
    if mark.trials == 0 { return .missing }
    if mark.trials == 1 {
      if mark.passed == 1 { return ReportCell("✓", tone: .good) }
      if mark.failed == 1 { return ReportCell("✗", tone: .bad) }
      if mark.unanswered == 1 { return ReportCell(reason(mark), tone: .bad) }
    }
    let judged = mark.passed + mark.failed + mark.unanswered
    if judged > 0 {
      return ReportCell(
        "\(mark.passed)/\(judged)", note: mark.unanswered > 0 ? "\(mark.unanswered) \(reason(mark))" : nil,
        tone: mark.passed == judged ? .good : mark.passed == 0 ? .bad : .warning)
    }
    if mark.valued > 0 {
      return ReportCell(Quantity.score.text(Double(mark.sum) / Double(mark.valued)))
    }
    return mark.unscored > 0 ? ReportCell("?", tone: .warning) : ReportCell("·", tone: .quiet)
  }

  private static func reason(_ mark: Mark) -> String {
    mark.status == .failed ? mark.errorClass?.rawValue ?? "failed" : mark.status.rawValue
  }
}
