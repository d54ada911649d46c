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
      return overview(help.overview, wasAsked: !words.isEmpty)
    }
    do {
      switch try CommandTable.find(words) {
      case .group(let name, let wasAsked): return overview(help.page(ofGroup: name), wasAsked: wasAsked)
      case .command(let command, let rest):
        let arguments = try Arguments(rest, for: command)
        let session = Session(arguments: arguments, environment: environment)
        if arguments.has("help") {
          session.console.result(help.page(for: command))
          return .done
        }
        return code(of: session.console, after: try command.perform(session))
      }
    } catch {
      Console.plain().failure(error)
      return error.code
    }
  }

  /// A list of commands, as the answer or because one is missing.
  private func overview(_ text: String, wasAsked: Bool) -> ExitCode {
    let console = Console.plain()
    if wasAsked { console.result(text) } else { console.error(text) }
    return wasAsked ? .done : .usage
  }

  /// What was asked for and could not be written is not done. A reader that went away did so on purpose.
  private func code(of console: Console, after code: ExitCode) -> ExitCode {
    guard let reason = console.failedOutput else { return code }
    console.failure(CommandFailure(.couldNotRun, "standard output is not whole: \(reason)"))
    return code == .done ? .couldNotRun : code
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
