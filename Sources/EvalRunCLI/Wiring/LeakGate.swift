import EvalAnalysis
import EvalReports

/// Leaks fail a run, whatever its gates say: they are never averaged and cannot be switched off silently.
struct LeakGate {
  let session: Session

  /// The exit code of a run that would end with `code`, after saying what leaked.
  func code(_ summary: RunSummary, else code: ExitCode) -> ExitCode {
    let leaks = summary.leaks
    guard !leaks.isEmpty else { return code }
    var cases: [String] = []
    for leak in leaks where !cases.contains(leak.caseID) { cases.append(leak.caseID) }
    let shown =
      cases.prefix(5).joined(separator: ", ") + (cases.count > 5 ? " and \(cases.count - 5) more" : "")
    session.console.error(
      "LEAKS: \(counted(leaks.count, "attempt")) sent content where it may not go, in \(shown); see the report"
    )
    guard code == .done || code == .inconclusive else { return code }
    guard session.arguments.has("no-fail") else { return .gateFailed }
    session.console.error(
      "--no-fail: the leak gate FAILED and this is reporting only; the exit code would have been 1")
    return .done
  }
}
