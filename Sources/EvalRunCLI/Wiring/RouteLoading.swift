import EvalCore
import EvalProviders
import EvalRouting

/// Reads policies for commands that send nothing.
struct RouteLoading {
  let session: Session

  /// A reader that knows the arms and the privacy of `--suite`, if there is one.
  func reader() throws(CommandFailure) -> PolicyReader {
    guard let path = session.arguments.text("suite") else { return PolicyReader() }
    return PolicyReader(try SuiteLoading(session: session).load(path))
  }

  /// The policy in a file, its warnings printed.
  /// - Throws: `code` after printing every problem of a text that is JSON; `.usage` for anything else.
  func policy(
    _ path: String, code: ExitCode = .usage
  ) throws(CommandFailure) -> (policy: RoutePolicy, source: PolicySource) {
    let text = SourceText(name: path, bytes: try Files.read(path))
    let document = JSONDocument()
    do throws(JSONSyntaxError) {
      try document.parse(text.bytes, dialect: .relaxed)
    } catch {
      throw CommandFailure(text.problem(error))
    }
    let source = PolicySource(text, root: document.root)
    let (policy, problems) = try reader().read(source)
    for problem in problems { session.console.problem(problem) }
    guard let policy else { throw CommandFailure(code, "\(errors(in: problems)) in \(path)") }
    return (policy, source)
  }

  /// `3 errors`.
  func errors(in problems: [Problem]) -> String { counted(problems.count { $0.severity == .error }, "error") }
}

extension PolicyReader {
  /// The reader of a suite's routes.
  init(_ suite: Suite) {
    let arms = suite.profiles.map { profile in
      ArmTraits(profile, provider: ProviderRegistry.all.first { $0.name == profile.provider })
    }
    // A case that cannot be read is one that nobody classified.
    let cases = suite.cases.summaries.indices.lazy.map { (try? suite.cases.load($0).signals) ?? [:] }
    self.init(arms: arms, privacy: suite.privacy, cases: cases)
  }
}
