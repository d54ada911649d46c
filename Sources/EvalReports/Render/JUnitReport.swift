import EvalAnalysis
import EvalCore

extension ReportFormat {
  package static let junit = ReportFormat(
    name: "junit", fileExtension: "junit.xml",
    summary: "JUnit XML for CI: a test case for each case and target"
  ) { input, _, sink in
    try JUnitReport(input).write(to: sink)
  }
}

/// Writes a run as JUnit XML: a test suite for each target, in it a test case for each case.
///
/// The schema of Jenkins' xUnit plugin and the stricter one of Ant both take it (`Docs/CI.md`). The source is read once for
/// the totals, which stand first, and once for each target; nothing grows with the number of trials.
struct JUnitReport {
  /// Characters of an answer that a test case shows.
  private static let answerLimit = 2000
  /// Repeats that a test case tells of.
  private static let repeatLimit = 5

  private let input: ReportInput
  private let run: RunInfo

  fileprivate struct Totals {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var seconds = 0.0
  }

  init(_ input: ReportInput) {
    self.input = input
    run = input.summary.run
  }

  func write(to sink: ReportSink) throws {
    var totals: [String: Totals] = [:]
    try forEachCase { totals[$0.target, default: Totals()].add($0.outcome, seconds: $0.seconds) }
    sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
    for (place, target) in input.summary.targets.enumerated() {
      let lost = target.counts.unfinished
      var total = totals[target.name] ?? Totals()
      if lost > 0 { total.addUnfinished() }
      sink(open(target.name, number: place, total))
      sink(properties(of: target.name))
      try forEachCase { if $0.target == target.name { try write($0, to: sink) } }
      if lost > 0 { sink(unfinished(lost, of: target.counts.planned, target.name)) }
      sink(JUnitReport.end)
    }
    if let verdict = input.summary.verdict { sink(gates(verdict, number: input.summary.targets.count)) }
    sink("</testsuites>\n")
  }

  /// The gates as a suite of their own: what is invalid is an error, what is undecided is skipped unless the settings say
  /// what it counts as.
  private func gates(_ verdict: GateVerdict, number: Int) -> String {
    var total = Totals()
    var cases = ""
    for result in verdict.results {
      let words = GateWords(result)
      let outcome = JUnitCase.outcome(result.outcome, verdict.settings.inconclusive)
      total.add(outcome, seconds: 0)
      let head = testCase(words.name, "gates", 0)
      let message = attributes([("message", words.reason)])
      let type = attributes([("type", words.outcome)])
      switch outcome {
      case .passed: cases += "\(head)/>\n"
      case .skipped: cases += "\(head)>\n      <skipped\(message)/>\n    </testcase>\n"
      case .failed, .broken:
        let word = outcome == .failed ? "failure" : "error"
        let body = XMLText.escape(result.failingCases.joined(separator: ", "))
        cases += "\(head)>\n      <\(word)\(message)\(type)>\(body)</\(word)>\n    </testcase>\n"
      }
    }
    return open("gates", number: number, total) + "    <properties/>\n" + cases + JUnitReport.end
  }

  private static let end = "    <system-out></system-out>\n    <system-err></system-err>\n  </testsuite>\n"

  /// Visits the cases of each target: the trials of one come one after the other.
  private func forEachCase(_ body: (JUnitCase) throws -> Void) throws {
    var trials: [TrialRecord] = []
    try input.source.forEachTrial { trial in
      guard trial.status != .cancelled else { return }
      if let first = trials.first,
        first.key.caseHash != trial.key.caseHash || first.target != trial.target
      {
        try body(JUnitCase(trials, repeats: run.repeats))
        trials.removeAll(keepingCapacity: true)
      }
      trials.append(trial)
    }
    if !trials.isEmpty { try body(JUnitCase(trials, repeats: run.repeats)) }
  }

  private func open(_ target: String, number: Int, _ total: Totals) -> String {
    let pairs = [
      ("name", "\(run.suiteName): \(target)"), ("package", run.suiteName), ("id", String(number)),
      ("timestamp", UTCTime.iso(run.startedAt)), ("hostname", "localhost"), ("tests", String(total.tests)),
      ("failures", String(total.failures)), ("errors", String(total.errors)),
      ("skipped", String(total.skipped)), ("time", seconds(total.seconds)),
    ]
    return "  <testsuite\(attributes(pairs))>\n"
  }

  private func properties(of target: String) -> String {
    let info = run.targets.first { $0.name == target }
    var rows = [
      ("suite", run.suitePath), ("run", run.id), ("answers", run.provenance.rawValue),
      ("kind", info?.kind ?? "profile"),
    ]
    if let model = info?.content["model"]?.stringValue { rows.append(("model", model)) }
    if let recording = run.recording { rows.append(("recording", recording)) }
    rows += [
      ("repeats", String(run.repeats)), ("seed", String(run.seed)), ("evalrun", run.toolVersion),
      ("machine", run.machine),
    ]
    let lines = rows.map { "      <property\(attributes([("name", $0), ("value", $1)]))/>\n" }
    return "    <properties>\n\(lines.joined())    </properties>\n"
  }

  private func write(_ one: JUnitCase, to sink: ReportSink) throws {
    let head = testCase(one.id, one.target, one.seconds)
    let reason = attributes([("message", one.message), ("type", one.type)])
    switch one.outcome {
    case .passed: sink(head + "/>\n")
    case .skipped:
      sink("\(head)>\n      <skipped\(attributes([("message", one.message)]))/>\n    </testcase>\n")
    case .failed, .broken:
      let word = one.outcome == .failed ? "failure" : "error"
      sink("\(head)>\n      <\(word)\(reason)>")
      for (number, trial) in one.telling.prefix(JUnitReport.repeatLimit).enumerated() {
        if number > 0 { sink("\n\n") }
        sink(XMLText.escape(try story(of: trial)).replacing("&#10;", with: "\n"))
      }
      let more = one.telling.count - JUnitReport.repeatLimit
      if more > 0 { sink("\n\nand \(more) more repeats") }
      sink("</\(word)>\n    </testcase>\n")
    }
  }

  /// The checks of a trial with their reasons, the last error, and the beginning of the answer.
  private func story(of trial: TrialRecord) throws -> String {
    var lines: [String] = []
    if run.repeats > 1 {
      lines.append("repeat \(trial.key.repeatIndex + 1) of \(run.repeats): \(trial.status.rawValue)")
    }
    for score in trial.scores {
      let words = score.explanation.map { ": \(JUnitCase.cut($0, to: 500))" } ?? ""
      switch score.judgement {
      case .scored(let value, let passed):
        let mark = passed.map { $0 ? "passed" : "failed" } ?? Quantity.score.text(value)
        lines.append("\(score.check) (\(score.kind)) \(mark)\(words)")
      case .unscored(let reason, let why):
        lines.append("\(score.check) (\(score.kind)) not judged: \(why.isEmpty ? reason.words : why)")
      }
    }
    if let error = trial.served?.errorMessage { lines.append("error: \(JUnitCase.cut(error, to: 500))") }
    if let answer = try answer(of: trial) { lines.append("answer:\n\(answer)") }
    return lines.joined(separator: "\n")
  }

  private func answer(of trial: TrialRecord) throws -> String? {
    guard let served = trial.served, let text = try input.texts?(trial.key)[served.number]?.answer,
      !text.isEmpty
    else { return nil }
    let cut = JUnitCase.cut(text, to: JUnitReport.answerLimit)
    guard cut.utf8.count < text.utf8.count else { return text }
    return
      "\(cut)\n(the first \(Numbers.count(JUnitReport.answerLimit)) characters of \(Numbers.count(text.count)))"
  }

  /// Trials that were planned and never ended are in no case of the source, and are not forgotten.
  private func unfinished(_ lost: Int, of planned: Int, _ target: String) -> String {
    let message = "\(Numbers.part(lost, of: planned)) trials did not finish"
    let head = testCase("all trials finished", target, 0)
    let reason = attributes([("message", message), ("type", "unfinished")])
    return "\(head)>\n      <error\(reason)>the same command goes on with them</error>\n    </testcase>\n"
  }

  private func testCase(_ name: String, _ target: String, _ time: Double) -> String {
    let pairs = [("name", name), ("classname", className(target)), ("time", seconds(time))]
    return "    <testcase\(attributes(pairs))"
  }

  /// Readers take what is behind the last dot for the class, so that the names may have none.
  private func className(_ target: String) -> String {
    [run.suiteName, target].map { $0.replacing(".", with: "_") }.joined(separator: ".")
  }

  private func attributes(_ pairs: [(String, String)]) -> String {
    pairs.map { " \($0)=\"\(XMLText.escape($1))\"" }.joined()
  }

  /// To the millisecond and without grouping, as both schemas want it.
  private func seconds(_ value: Double) -> String { Numbers.fixed(value, 3).replacing(",", with: "") }
}

extension JUnitReport.Totals {
  fileprivate mutating func add(_ outcome: JUnitCase.Outcome, seconds: Double) {
    tests += 1
    self.seconds += seconds
    switch outcome {
    case .passed: break
    case .failed: failures += 1
    case .broken: errors += 1
    case .skipped: skipped += 1
    }
  }

  fileprivate mutating func addUnfinished() {
    tests += 1
    errors += 1
  }
}
