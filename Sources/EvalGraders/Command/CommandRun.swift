import EvalCore
import Spawn

/// Runs one command to its end and keeps what it wrote.
struct CommandRun: Sendable {
  struct Limits: Sendable {
    /// Nanoseconds until the command is stopped.
    var time: Int64
    /// Bytes of standard output that are accepted.
    var output = 1 << 20
  }

  enum End: Sendable, Equatable {
    case exited(Int32)
    /// A signal ended it.
    case killed
    case timedOut
    case tooMuchOutput
    case cancelled
    case notStarted(String)
  }

  struct Result: Sendable {
    var end: End
    var output: [UInt8] = []
    /// The end of what it wrote to standard error.
    var errors: [UInt8] = []
  }

  let arguments: [String]
  let directory: String
  let input: [UInt8]
  let limits: Limits

  /// Cancelling the task ends the command.
  func result() async -> Result {
    let listener = CommandListener(limits)
    let command = ChildCommand(arguments, in: directory, input: input)
    do {
      let end = try await command.run(listener, clock: Monotonic.now)
      return Result(
        end: listener.stop ?? CommandRun.end(end.exit), output: listener.output, errors: end.errors)
    } catch {
      return Result(end: .notStarted(error.message))
    }
  }

  private static func end(_ exit: ChildEnd.Exit) -> End {
    switch exit {
    case .code(let code): .exited(code)
    case .signal: .killed
    }
  }
}

/// Collects a command's output within its limits.
///
/// Unchecked because only the child's thread calls it, and its owner reads it after that thread has ended.
private final class CommandListener: ChildListener, @unchecked Sendable {
  private(set) var output: [UInt8] = []
  /// Why the command was stopped; `nil` when it ended by itself.
  private(set) var stop: CommandRun.End?
  private let limits: CommandRun.Limits
  private let start = Monotonic.now()

  init(_ limits: CommandRun.Limits) { self.limits = limits }

  func output(_ bytes: UnsafeRawBufferPointer, at: Int64) {
    // One byte more than is accepted tells that there is more.
    output += bytes.prefix(limits.output + 1 - output.count)
  }

  func outputClosed(at: Int64) {}

  func wantsEnd(at now: Int64, isCancelled: Bool) -> Bool {
    if output.count > limits.output {
      stop = .tooMuchOutput
    } else if isCancelled {
      stop = .cancelled
    } else if now - start > limits.time {
      stop = .timedOut
    }
    return stop != nil
  }
}
