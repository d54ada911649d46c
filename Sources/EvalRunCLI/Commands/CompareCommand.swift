import EvalAnalysis
import EvalCore
import EvalReports
import EvalStore

/// `evalrun compare A [B]`.
struct CompareCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let name = session.arguments.text("format") ?? "terminal"
    guard let format = ComparisonFormat.named(name) else {
      throw CommandFailure(.usage, "there is no format '\(name)'")
    }
    let pairs = try ComparisonSides(session: session).pairs()
    var comparisons = pairs.map { Comparison(reference: $0.reference, candidate: $0.candidate) }
    Comparison.correct(&comparisons)
    let input = ComparisonReportInput(
      comparisons: comparisons, answers: ComparedAnswers(session: session).answers,
      wanted: session.arguments.amount("difference"))
    try write(input, format)
    return comparisons.contains { $0.pairing.trialPairs > 0 } ? .done : .inconclusive
  }

  private func write(
    _ input: ComparisonReportInput, _ format: ComparisonFormat
  ) throws(CommandFailure) {
    do {
      guard let path = session.arguments.text("output") else {
        try format.render(input, session.reportOptions) { session.console.result($0) }
        return
      }
      let file = try OutputFile(path: path)
      try format.render(input, ReportOptions()) { file.write($0) }
      try file.close()
    } catch {
      throw CommandFailure(error)
    }
  }
}

/// Reads what was answered on both sides of a case that changed, each run over one connection.
final class ComparedAnswers {
  private let session: Session
  private var readers: [String: TextReader] = [:]

  init(session: Session) { self.session = session }

  func answers(
    _ comparison: Comparison, _ flip: Flip
  ) throws -> (reference: String?, candidate: String?) {
    (try answer(comparison.reference, flip), try answer(comparison.candidate, flip))
  }

  private func answer(_ side: ComparisonFacts, _ flip: Flip) throws -> String? {
    guard let run = side.runID else { return nil }
    let key = TrialKey(caseHash: flip.hash, targetHash: side.target.hash, repeatIndex: flip.repeatIndex)
    let reader = try readers[run] ?? session.openStore(.read).textReader(run)
    readers[run] = reader
    let texts = try reader.texts(key)
    guard let served = texts.max(by: { $0.key < $1.key })?.value else { return nil }
    return served.answer ?? served.refusal
  }
}
