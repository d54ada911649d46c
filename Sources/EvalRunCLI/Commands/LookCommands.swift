import EvalCore
import EvalSuites

/// `evalrun validate`.
struct ValidateCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let path = session.arguments.positional[0]
    let suite = try SuiteLoading(session: session).load(path)
    let cases = counted(suite.cases.summaries.count, "case")
    let targets = counted(suite.targets.count, "target")
    let findings = suite.findings.isEmpty ? "" : ", \(counted(suite.findings.count, "finding"))"
    session.console.result("\(path): right; \(cases), \(targets)\(findings)\n")
    return .done
  }
}

/// `evalrun schema`.
struct SchemaCommand {
  let session: Session

  func perform() -> ExitCode {
    let schema = SuiteSchema.json(vocabulary: SuiteLoading(session: session).vocabulary)
    session.console.result(schema.serialized(.pretty) + "\n")
    return .done
  }
}
