import EvalCore
import EvalReports
import EvalStore

/// What every command starts from: its arguments, the environment and a console.
struct Session: Sendable {
  let arguments: Arguments
  let environment: [String: String]
  let console: Console

  init(arguments: Arguments, environment: [String: String]) {
    self.arguments = arguments
    self.environment = environment
    let color = arguments.text("color").flatMap(Terminal.ColorWish.init(rawValue:)) ?? .auto
    console = Console(
      output: Terminal(descriptor: 1, environment: environment, color: color),
      errors: Terminal(descriptor: 2, environment: environment, color: color),
      isQuiet: arguments.has("quiet"))
  }

  /// How standard output wants its text.
  var reportOptions: ReportOptions {
    let terminal = console.output
    var options = ReportOptions()
    options.width = min(terminal.width, 120)
    options.color = terminal.hasColor
    options.unicode = terminal.isUTF8
    return options
  }

  /// `--db`, else `$EVALRUN_DB`, else a file in this folder.
  var databasePath: String {
    if let path = arguments.text("db") { return path }
    if let path = environment["EVALRUN_DB"], !path.isEmpty { return path }
    return ".evalrun/evalrun.sqlite"
  }

  func openStore(_ access: RunStore.Access) throws(CommandFailure) -> RunStore {
    do {
      return try RunStore(path: databasePath, access: access)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The run that an argument names.
  func run(_ text: String, in store: RunStore) throws(CommandFailure) -> RunInfo {
    do {
      return try store.run(matching: text)
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension CommandFailure {
  /// A name that the person got wrong is a usage error; what the disk does is not.
  init(_ error: StoreError) {
    let code: ExitCode =
      switch error.kind {
      case .noSuchRun, .noSuchBaseline, .noSuchScoreSet, .ambiguousRun, .missing: .usage
      default: .couldNotRun
      }
    self.init(code, error.message, advice: error.advice)
  }

  init(_ problem: Problem, _ code: ExitCode = .usage) {
    let place = problem.location.map { "\($0): " } ?? ""
    let path = problem.path.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    self.init(code, "\(place)\(problem.message)\(path)", advice: problem.advice)
  }

  /// Anything that a room throws.
  init(_ error: any Error, _ code: ExitCode = .couldNotRun) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as StoreError: self.init(error)
    case let problem as Problem: self.init(problem)
    case let problems as Problems where problems.all.count == 1: self.init(problems.all[0])
    case let problems as Problems:
      self.init(.usage, problems.all.map(\.message).joined(separator: "; "))
    default: self.init(code, "\(error)")
    }
  }
}
