import EvalCore
import EvalReports
import EvalRouting

/// `evalrun route test POLICY PROBES`.
struct RouteTestCommand {
  let session: Session
  /// Misses that are told at length.
  private static let told = 20

  func perform() throws(CommandFailure) -> ExitCode {
    let words = session.arguments.positional
    let loading = RouteLoading(session: session)
    let (policy, _) = try loading.policy(words[0])
    let text = SourceText(name: words[1], bytes: try Files.read(words[1]))
    let (probes, problems) = ProbeReader(policy).read(text)
    for problem in problems { session.console.problem(problem) }
    guard problems.isEmpty else {
      throw CommandFailure(.usage, "\(loading.errors(in: problems)) in \(words[1])")
    }
    let run = ProbeRun(policy)
    let missed = probes.map(run.result).filter { !$0.misses.isEmpty }
    if session.arguments.text("format") == "json" {
      session.console.result(json(policy, probes.count, missed).serialized(.pretty) + "\n")
    } else {
      tell(missed, of: probes.count, policy: words[0], file: words[1])
    }
    return missed.isEmpty ? .done : .gateFailed
  }

  private func tell(_ missed: [ProbeResult], of count: Int, policy: String, file: String) {
    for result in missed.prefix(Self.told) {
      let name = result.probe.name.map { "\($0): " } ?? ""
      session.console.result(
        "\(file):\(result.probe.line): \(name)\(result.misses.joined(separator: "; "))\n")
      if let ending = result.walk.ending { session.console.result("    it ended so: \(ending)\n") }
    }
    if missed.count > Self.told { session.console.result("and \(missed.count - Self.told) more\n") }
    if let first = missed.first {
      let signals = JSONValue.object(first.probe.facts.signals).serialized()
      session.console.note("see evalrun route explain \(policy) --signals '\(signals)'")
    }
    let summary = missed.isEmpty ? "all as expected" : "\(missed.count) missed"
    session.console.result("\(counted(count, "probe")), \(summary)\n")
  }

  private func json(_ policy: RoutePolicy, _ count: Int, _ missed: [ProbeResult]) -> JSONValue {
    [
      "policy": .string(policy.name), "hash": .string(policy.hash.hex), "probes": .integer(Int64(count)),
      "missed": .array(
        missed.map { result in
          [
            "line": .integer(Int64(result.probe.line)),
            "name": result.probe.name.map { .string($0) } ?? .null,
            "called": .array(result.walk.calls.map { .string($0.arm) }),
            "misses": .array(result.misses.map { .string($0) }),
          ]
        }),
    ]
  }
}

/// `evalrun route explain POLICY`.
struct RouteExplainCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let arguments = session.arguments
    let (policy, _) = try RouteLoading(session: session).policy(arguments.positional[0])
    let errors = arguments.texts("errors").flatMap { $0.split(separator: ",").map(String.init) }
    let question = RouteQuestion(
      policy, signals: arguments.text("signals"), tokens: arguments.text("tokens"),
      turn: arguments.count("turn") ?? 0, errors: errors)
    for problem in question.problems { session.console.problem(problem) }
    guard question.problems.isEmpty else { throw CommandFailure(.usage, "the question is not clear") }
    let story = RouteStory(policy, question.facts, ends: question.ends)
    let text =
      arguments.text("format") == "json"
      ? story.json.serialized(.pretty) : story.lines.joined(separator: "\n")
    session.console.result(text + "\n")
    return .done
  }
}

/// `evalrun route lint POLICY`.
struct RouteLintCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let arguments = session.arguments
    let (policy, source) = try RouteLoading(session: session).policy(
      arguments.positional[0], code: .gateFailed)
    let lint = PolicyLint(policy)
    let findings = lint.findings.map(source.placed)
    if arguments.text("format") == "json" {
      session.console.result(RouteLintReport(lint).json(findings).serialized(.pretty) + "\n")
    } else {
      for finding in findings { session.console.problem(finding) }
      TerminalRenderer(session.reportOptions).render(RouteLintReport(lint).document(policy)) {
        session.console.result($0)
      }
    }
    guard arguments.has("strict"), !findings.isEmpty else { return .done }
    throw CommandFailure(.gateFailed, "\(counted(findings.count, "warning")) under --strict")
  }
}

/// The decision table, for people and machines.
struct RouteLintReport {
  let lint: PolicyLint

  init(_ lint: PolicyLint) { self.lint = lint }

  func document(_ policy: RoutePolicy) -> ReportDocument {
    let columns: [ReportTable.Column] = [
      .init("rule", .left), .init("arms that may answer", .left), .init("cases"),
      .init("when", .left),
    ]
    let rows = lint.table.rows.map { row -> [ReportCell] in
      [
        ReportCell(row.rule ?? "no rule"),
        ReportCell(
          row.arms.isEmpty ? "blocked" : row.arms.joined(separator: ", "),
          tone: row.arms.isEmpty ? .quiet : .plain),
        ReportCell(String(row.cases)), ReportCell(when(row), tone: .quiet),
      ]
    }
    return ReportDocument(
      title: "policy \(policy.name)",
      blocks: [.table(ReportTable(columns: columns, rows: rows)), .notes([extent])])
  }

  func json(_ findings: [Problem]) -> JSONValue {
    [
      "cases": .integer(Int64(lint.table.cases)), "combinations": .integer(Int64(lint.table.combinations)),
      "exhaustive": .bool(lint.table.isExhaustive),
      "signals": .array(lint.table.signals.map { .string($0) }),
      "findings": .array(
        findings.map { finding in
          [
            "path": .string(finding.path ?? ""), "message": .string(finding.message),
            "place": .string(finding.location.map { "\($0)" } ?? ""),
          ]
        }),
      "rows": .array(
        lint.table.rows.map { row in
          [
            "rule": row.rule.map { .string($0) } ?? .null, "arms": .array(row.arms.map { .string($0) }),
            "cases": .integer(Int64(row.cases)),
            "when": .object(JSONObject(row.when.map { (key: $0.signal, value: .string($0.values)) })),
            "example": .object(row.example),
            "tokensIn": row.tokensIn.map { .integer(Int64($0)) } ?? .null,
          ]
        }),
    ]
  }

  private var extent: String {
    let table = lint.table
    let kinds = "\(table.cases) kinds of case by \(table.signals.joined(separator: ", "))"
    return table.isExhaustive ? "all \(kinds)" : "\(kinds), drawn with seed 1 from \(table.combinations)"
  }

  private func when(_ row: DecisionTable.Row) -> String {
    row.when.isEmpty ? "always" : row.when.map { "\($0.signal)=\($0.values)" }.joined(separator: " ")
  }
}
