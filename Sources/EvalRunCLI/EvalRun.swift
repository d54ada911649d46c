import EvalCore

/// The program: reads the command line, does what it says, and returns the process's exit code.
///
/// - Parameter words: the command line with the program's name first.
package func evalrunMain(_ words: [String]) -> Int32 {
  StandardStreams.prepare()
  // Before the environment is read: it must cost no more than the process itself.
  if words.dropFirst().first == "--version" || words.dropFirst().first == "-V" {
    Console.plain().result("evalrun \(evalrunVersion)\n")
    return ExitCode.done.rawValue
  }
  return Program(words: Array(words.dropFirst()), environment: processEnvironment()).run().rawValue
}

/// One invocation.
struct Program {
  let words: [String]
  let environment: [String: String]

  func run() -> ExitCode {
    let help = Help(CommandTable.all)
    guard let first = words.first, first != "--help", first != "-h" else {
      let console = Console.plain()
      if words.isEmpty {
        console.error(help.overview)
        return .usage
      }
      console.result(help.overview)
      return .done
    }
    do {
      let (command, rest) = try command(first)
      let arguments = try Arguments(rest, for: command)
      let session = Session(arguments: arguments, environment: environment)
      if arguments.has("help") {
        session.console.result(help.page(for: command))
        return .done
      }
      return code(of: session.console, after: try perform(command, session, help))
    } catch {
      Console.plain().failure(error)
      return error.code
    }
  }

  /// What was asked for and could not be written is not done. A reader that went away did so on purpose.
  private func code(of console: Console, after code: ExitCode) -> ExitCode {
    guard let reason = console.failedOutput else { return code }
    console.failure(CommandFailure(.couldNotRun, "standard output is not whole: \(reason)"))
    return code == .done ? .couldNotRun : code
  }

  /// A command by its name, or `run` for a suite's path.
  private func command(_ first: String) throws(CommandFailure) -> (CommandSpec, [String]) {
    if let command = CommandTable.all.first(where: { $0.name == first }) {
      return (command, Array(words.dropFirst()))
    }
    if first.hasPrefix("-") || first.contains(".") || first.contains("/") { return (CommandTable.run, words) }
    throw CommandFailure(
      .usage, "'\(first)' is neither a command nor a suite's path",
      advice: suggestion(for: first, among: CommandTable.all.map(\.name)) ?? "see 'evalrun --help'")
  }

  private func perform(
    _ command: CommandSpec, _ session: Session, _ help: Help
  ) throws(CommandFailure) -> ExitCode {
    switch command.name {
    case CommandTable.run.name: return try RunCommand(session: session).perform()
    case CommandTable.validate.name: return try ValidateCommand(session: session).perform()
    case CommandTable.plan.name: return try PlanCommand(session: session).perform()
    case CommandTable.list.name: return try ListCommand(session: session).perform()
    case CommandTable.show.name: return try ShowCommand(session: session).perform()
    case CommandTable.report.name: return try ReportCommand(session: session).perform()
    case CommandTable.schema.name: return SchemaCommand(session: session).perform()
    case CommandTable.prompt.name: return try PromptCommand(session: session).perform()
    default:
      guard let name = session.arguments.positional.first else {
        session.console.result(help.overview)
        return .done
      }
      guard let command = CommandTable.all.first(where: { $0.name == name }) else {
        throw CommandFailure(
          .usage, "there is no command '\(name)'",
          advice: suggestion(for: name, among: CommandTable.all.map(\.name)))
      }
      session.console.result(help.page(for: command))
      return .done
    }
  }
}

extension Console {
  /// A console for what is said before any option was read.
  static func plain() -> Console {
    let environment = processEnvironment()
    return Console(
      output: Terminal(descriptor: 1, environment: environment, color: .auto),
      errors: Terminal(descriptor: 2, environment: environment, color: .auto))
  }
}
