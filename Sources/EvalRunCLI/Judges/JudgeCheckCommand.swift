import EvalAnalysis
import EvalCore
import EvalReports
import EvalStore

/// `evalrun judge check LABELS`.
struct JudgeCheckCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let arguments = session.arguments
    let path = arguments.positional[0]
    guard let format = JudgeCheckFormat.named(arguments.text("format") ?? "terminal") else {
      throw CommandFailure(.usage, "there is no such format")
    }
    let file = try LabelFiles.read(path, session)
    guard let name = arguments.text("run") ?? file.run else {
      throw CommandFailure(
        .usage, "\(path) does not say which run it labels",
        advice: "say it with --run RUN, such as --run latest")
    }
    let store = try session.openStore(arguments.has("no-store") ? .read : .write)
    defer { store.close() }
    let run = try session.run(name, in: store)
    let (check, kept) = try measure(file, run, store)
    guard check.checks.contains(where: { $0.errors != nil || !$0.criteria.isEmpty }) else {
      for finding in check.findings {
        session.console.problem(Problem(.warning, finding.message, advice: finding.advice))
      }
      session.console.error(
        "no label of \(path) could be counted: there is nothing to hold the judges against")
      return .inconclusive
    }
    if !arguments.has("no-store"), !kept.isEmpty {
      do {
        try store.keep(kept, from: path)
      } catch {
        throw CommandFailure(error)
      }
    }
    try write(check, format)
    return .done
  }

  private func measure(
    _ file: LabelFile, _ run: RunInfo, _ store: RunStore
  ) throws(CommandFailure) -> (JudgeCheck, [VerdictLabel]) {
    let input = try RunReports(session: session, store: store).input(run, withTexts: false)
    do {
      let answers = try JudgedAnswer.all(in: store.trials(run))
      var forms: [ContentHash: JudgedForm] = [:]
      for hash in Set(answers.compactMap { $0.identity?.form }) { forms[hash] = try store.judgedForm(hash) }
      let cases = try store.cases(run.id).map(\.id)
      let texts = try store.textReader(run.id)
      return try JudgeCheck.make(
        file, summary: input.summary, answers: answers, cases: cases, forms: forms, now: WallClock.now()
      ) { answer in try texts.texts(answer.key)[answer.attempt]?.judgedDigest }
    } catch let problems as Problems {
      throw LabelFiles.refuse(problems.all, file.path, session)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func write(_ check: JudgeCheck, _ format: JudgeCheckFormat) throws(CommandFailure) {
    guard let path = session.arguments.text("output") else {
      format.render(check, session.reportOptions) { session.console.result($0) }
      return
    }
    let file = try OutputFile(path: path)
    format.render(check, ReportOptions()) { file.write($0) }
    try file.close()
  }
}
