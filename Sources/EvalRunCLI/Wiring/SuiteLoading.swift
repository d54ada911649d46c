import EvalAnalysis
import EvalCore
import EvalGraders
import EvalProviders
import EvalRouting
import EvalSuites

/// Reads a suite with everything the rooms know, and says what is wrong with it.
struct SuiteLoading {
  let session: Session

  /// What the rooms know, for suites, the published schema and the docs alike.
  static let vocabulary = SuiteVocabulary(
    providers: ProviderRegistry.all, graders: GraderRegistry.all, signals: SignalRegistry.vocabulary,
    measures: MeasureRegistry.infos, needsReference: GraderRegistry.needsReference)

  var vocabulary: SuiteVocabulary { Self.vocabulary }

  var allowsCommands: Bool { session.arguments.has("allow-commands") }

  /// The suite, its findings printed.
  /// - Throws: `.usage` after printing every problem.
  func load(_ path: String) throws(CommandFailure) -> Suite {
    let reader = SuiteReader(
      vocabulary: vocabulary, allowsCommands: allowsCommands, environment: session.environment,
      isLive: session.arguments.has("live") || session.arguments.has("record")
        || session.arguments.has("replay"))
    var suite: Suite
    do {
      suite = try reader.read(path: path)
    } catch {
      throw refuse(error.all, path)
    }
    let problems = RouteReading(suite: suite).read(knowsCases: true).problems
    guard !problems.contains(where: { $0.severity == .error }) else { throw refuse(problems, path) }
    suite.findings += problems
    for finding in suite.findings { session.console.problem(finding) }
    if session.arguments.has("strict"), !suite.findings.isEmpty {
      throw CommandFailure(
        .usage, "\(counted(suite.findings.count, "finding")) under --strict in \(path); nothing ran")
    }
    return suite
  }

  /// The part of the suite that the command line asks for.
  func plan(_ suite: Suite, settings: RunSettings) throws(CommandFailure) -> Plan {
    let arguments = session.arguments
    var selection = Selection()
    selection.targets = arguments.texts("target")
    selection.cases = arguments.texts("case")
    selection.tags = arguments.texts("tag")
    selection.limit = arguments.count("limit")
    selection.sample = arguments.count("sample")
    do {
      return try Planner.plan(suite, selection: selection, repeats: settings.repeats, seed: settings.seed)
    } catch {
      throw refuse(error.all, suite.path)
    }
  }

  /// The suite's settings with the command line's on top.
  func settings(_ suite: Suite) -> RunSettings {
    var settings = suite.settings
    let arguments = session.arguments
    if let repeats = arguments.count("repeats") { settings.repeats = repeats }
    if let seed = arguments.count("seed") { settings.seed = UInt64(seed) }
    if let width = arguments.count("concurrency") { settings.concurrency = width }
    if let width = arguments.count("max-concurrency") { settings.maxConcurrency = width }
    if let calls = arguments.count("warmup") { settings.warmup = calls }
    if let retries = arguments.count("retries") { settings.retries.limit = retries }
    if let timeout = arguments.duration("timeout") { settings.timeouts.total = timeout }
    if arguments.has("private") { settings.isPrivate = true }
    return settings
  }

  private func refuse(_ problems: [Problem], _ path: String) -> CommandFailure {
    for problem in problems { session.console.problem(problem) }
    let errors = problems.count { $0.severity == .error }
    return CommandFailure(.usage, "\(counted(errors, "error")) in \(path); nothing ran")
  }
}

/// `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
