/// How the process ends, for scripts and CI. `Docs/CommandReference.md` prints this table.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case done = 0
  /// A gate failed, or a policy does not do what it must.
  case gateFailed = 1
  /// The command or the suite is wrong; nothing ran.
  case usage = 2
  /// The run proves nothing: too many infrastructure errors, or gates that could not be decided.
  case inconclusive = 3
  /// Nothing could be run, or not to its end: no call succeeded, a limit was reached, the store or the network failed.
  case couldNotRun = 4
  case interrupted = 130

  /// One line for help and the reference.
  package var meaning: String {
    switch self {
    case .done: "done, and every gate passed; failed checks are in the report"
    case .gateFailed: "a gate failed, a probe of 'route test' missed, or 'route lint' refuses the policy"
    case .usage: "usage or suite error: nothing ran"
    case .inconclusive: "gates are invalid or inconclusive: the run proves nothing, or not enough"
    case .couldNotRun:
      "could not run, or not to the end: no call succeeded, the store, a file or the network failed, or a limit was reached"
    case .interrupted: "interrupted; the same command goes on where it stopped"
    }
  }
}

/// What stops a command, shown as help.
package struct CommandFailure: Error, Sendable {
  package var code: ExitCode
  package var message: String
  package var advice: String?

  package init(_ code: ExitCode, _ message: String, advice: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
  }
}
