import EvalAnalysis
package import EvalCore

extension ReportFormat {
  static let csv = ReportFormat(
    name: "csv", fileExtension: "csv", summary: "one row a trial, for spreadsheets"
  ) { input, _, sink in
    var seen: Set<String> = []
    let checks = input.summary.targets.flatMap(\.checks).map(\.name).filter { seen.insert($0).inserted }
    try CSVReport.write(
      input.source, checks: checks, isJudged: input.summary.judging != nil, texts: input.texts, to: sink)
  }
}

/// Writes one row a trial as RFC 4180 has it, safe to open in a spreadsheet.
package enum CSVReport {
  /// A sheet with more columns is read by nobody.
  static let checkLimit = 100

  /// - Parameters:
  ///   - checks: the names of checks that get a column of their own, of which the first `checkLimit` do.
  ///   - isJudged: adds what judges were asked and what it cost.
  ///   - texts: adds a last column with the served answer; `nil` leaves it out.
  /// - Throws: what the source throws.
  package static func write(
    _ source: any TrialSource, checks: [String] = [], isJudged: Bool = false,
    texts: ((TrialKey) throws -> [Int: AttemptTexts])?, to sink: ReportSink
  ) throws {
    let run = source.run
    let columns =
      columns(of: run) + (isJudged ? judgeColumns : []) + checks.prefix(checkLimit).map(column(ofCheck:))
    let audit = RunLeaks(run)
    var head = columns.map(\.name)
    if texts != nil { head.append("answer") }
    sink(head.map(CSVText.text).joined(separator: ",") + "\r\n")
    // Handed on in large pieces: one for each row would cost more than the row.
    var lines = ""
    lines.reserveCapacity(1 << 16)
    try source.forEachTrial { trial in
      let row = Row(run: run, trial: trial, leaks: audit.leaks(of: trial).count)
      for (index, column) in columns.enumerated() {
        if index > 0 { lines += "," }
        lines += column.value(row)
      }
      if let texts {
        let answer = try trial.served.flatMap { try texts(trial.key)[$0.number]?.answer }
        lines += ","
        lines += CSVText.text(answer)
      }
      lines += "\r\n"
      if lines.utf8.count > 60_000 {
        sink(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    sink(lines)
  }

  private struct Row {
    var run: RunInfo
    var trial: TrialRecord
    /// Measured attempts.
    var attempts: [AttemptRecord]
    var served: AttemptRecord?
    var leaks: Int

    init(run: RunInfo, trial: TrialRecord, leaks: Int) {
      self.run = run
      self.trial = trial
      self.leaks = leaks
      attempts = trial.attempts.filter { $0.phase == .measured }
      served = trial.served
    }

    /// The sum over attempts; `nil` when none reported it.
    func sum(_ path: KeyPath<Usage, Int?>) -> Int? {
      let counts = attempts.compactMap { $0.usage?[keyPath: path] }
      return counts.isEmpty ? nil : counts.reduce(0, +)
    }

    var cost: Cost { .sum(of: attempts.map(\.cost)) }

    func checks(_ passed: Bool?) -> String {
      let names = trial.scores.compactMap { score -> String? in
        switch score.judgement {
        case .scored(_, let verdict): verdict == passed && passed != nil ? score.check : nil
        case .unscored(let reason, _): passed == nil ? "\(score.check): \(reason.rawValue)" : nil
        }
      }
      return names.joined(separator: "; ")
    }
  }

  /// The mean value of a check over the turns it looks at; empty where it is not scored.
  private static func column(ofCheck name: String) -> Column {
    Column("check:\(name)") { row in
      var values: [Double] = []
      for score in row.trial.scores where score.check == name {
        guard case .scored(let value, _) = score.judgement else { return "" }
        values.append(value)
      }
      guard !values.isEmpty else { return "" }
      return CSVText.number(Numbers.rounded(values.reduce(0, +) / Double(values.count)))
    }
  }

  private static let judgeColumns = [
    Column("judge_calls") { String($0.trial.judgeCalls.count) },
    Column("judge_cost_usd") { CSVText.number(Cost.sum(of: $0.trial.judgeCalls.map(\.cost)).dollars) },
    Column("judge_cost_is_lower_bound") { row in
      Cost.sum(of: row.trial.judgeCalls.map(\.cost)).isLowerBound ? "true" : "false"
    },
  ]

  private struct Column: Sendable {
    var name: String
    var value: @Sendable (Row) -> String

    init(_ name: String, _ value: @escaping @Sendable (Row) -> String) {
      self.name = name
      self.value = value
    }
  }

  /// Those of routes only where there is one.
  private static func columns(of run: RunInfo) -> [Column] {
    let routes = run.targets.contains { $0.kind == "route" } ? routeColumns : []
    return trialColumns + timeColumns + usageColumns + detailColumns + routes
  }

  private static let routeColumns = [
    Column("fallbacks") { row in String(row.attempts.count { $0.cause.hasPrefix("fallback") }) },
    Column("escalations") { row in String(row.attempts.count { $0.cause == "escalation" }) },
    Column("left_device") { row in row.attempts.contains(where: \.leftDevice) ? "true" : "false" },
    Column("leaks") { String($0.leaks) },
    Column("ended_because") { row in
      CSVText.text(
        (row.trial.ending?["reason"] ?? row.trial.ending?["decision"]?["reason"])?.stringValue)
    },
  ]

  private static let trialColumns = [
    Column("run") { CSVText.text($0.run.id) },
    Column("case") { CSVText.text($0.trial.caseID) },
    Column("target") { CSVText.text($0.trial.target) },
    // Beside the times: a recorded row's times are the recording's.
    Column("provenance") { CSVText.text(($0.served?.provenance ?? $0.run.provenance).rawValue) },
    Column("repeat") { String($0.trial.key.repeatIndex + 1) },
    Column("status") { CSVText.text($0.trial.status.rawValue) },
    Column("error_class") { CSVText.text($0.trial.errorClass?.rawValue) },
    Column("score") { CSVText.number($0.trial.score.value) },
    Column("passed") { $0.trial.score.passed.map { $0 ? "true" : "false" } ?? "" },
    Column("unscored_reason") { CSVText.text($0.trial.score.unscored?.rawValue) },
    Column("checks_failed") { CSVText.text($0.checks(false)) },
    Column("checks_unscored") { CSVText.text($0.checks(nil)) },
    Column("attempts") { String($0.attempts.count) },
    Column("retries") { row in String(row.attempts.filter { $0.cause.hasPrefix("retry") }.count) },
  ]

  private static let timeColumns = [
    Column("cold") { $0.served?.isCold.map { $0 ? "true" : "false" } ?? "" },
    Column("wait_ms") { row in CSVText.milliseconds(row.attempts.reduce(0) { $0 + $1.wait }) },
    Column("duration_ms") { CSVText.milliseconds($0.trial.duration) },
    Column("queue_ms") { CSVText.milliseconds($0.served?.timeline.queue) },
    Column("connect_ms") { CSVText.milliseconds($0.served?.timeline.connectTime) },
    Column("first_token_ms") { CSVText.milliseconds($0.served?.timeline.timeToFirstToken) },
    Column("first_content_ms") { CSVText.milliseconds($0.served?.timeline.timeToFirstContent) },
    Column("total_ms") { CSVText.milliseconds($0.served?.timeline.total) },
    Column("in_flight") { CSVText.integer($0.served?.inFlight) },
  ]

  private static let usageColumns = [
    Column("input_tokens") { CSVText.integer($0.sum(\.input)) },
    Column("cached_input_tokens") { CSVText.integer($0.sum(\.cachedInput)) },
    Column("output_tokens") { CSVText.integer($0.sum(\.output)) },
    Column("reasoning_tokens") { CSVText.integer($0.sum(\.reasoning)) },
    Column("cost_usd") { CSVText.number($0.cost.dollars) },
    Column("cost_is_lower_bound") { $0.cost.isLowerBound ? "true" : "false" },
  ]

  private static let detailColumns = [
    Column("profile") { CSVText.text($0.served?.profile) },
    Column("boundary") { CSVText.text($0.served?.boundary?.rawValue) },
    Column("served_model") { CSVText.text($0.served?.servedModel) },
    Column("finish") { CSVText.text($0.served?.finish?.rawValue) },
    Column("http_status") { CSVText.integer($0.served?.httpStatus) },
    Column("error_message") { CSVText.text($0.served?.errorMessage) },
    Column("tags") { CSVText.text($0.trial.tags.joined(separator: "; ")) },
    Column("cluster") { CSVText.text($0.trial.cluster) },
    Column("case_hash") { $0.trial.key.caseHash.hex },
    Column("target_hash") { $0.trial.key.targetHash.hex },
  ]
}

/// The fields of a CSV file.
enum CSVText {
  /// Quoted where RFC 4180 asks for it.
  static func field(_ text: String) -> String {
    let needsQuotes = text.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
    }
    guard needsQuotes || text.first == " " || text.last == " " else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result += "\"" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  /// Words of a suite, a model or a server. One that a spreadsheet would run as a formula gets a `'` in front, which
  /// the spreadsheet hides.
  static func text(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return "" }
    return field(isFormula(text) ? "'" + text : text)
  }

  /// After blanks and marks that nobody sees too, and in the full-width forms that some spreadsheets take for the plain
  /// ones.
  private static func isFormula(_ text: String) -> Bool {
    if let first = text.unicodeScalars.first, first == "\t" || first == "\r" || first == "\n" { return true }
    guard let first = text.unicodeScalars.first(where: { !isHidden($0) }) else { return false }
    return "=+-@＝＋－＠".unicodeScalars.contains(first)
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value <= 0x20 }
    return scalar.properties.isWhitespace || [.format, .control].contains(scalar.properties.generalCategory)
  }

  static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "" }
    return JSONValue.number(value).serialized()
  }

  static func integer(_ value: Int?) -> String { value.map(String.init) ?? "" }

  /// Milliseconds to the microsecond.
  static func milliseconds(_ nanoseconds: Int64?) -> String {
    guard let nanoseconds else { return "" }
    let microseconds = (nanoseconds.magnitude + 500) / 1000
    let sign = nanoseconds < 0 && microseconds > 0 ? "-" : ""
    let fraction = String(microseconds % 1000)
    return "\(sign)\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count)
      + fraction
  }
}
