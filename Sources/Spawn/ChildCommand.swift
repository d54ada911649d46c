import Synchronization

/// Hears what a child says and decides when it is ended. Called on the child's thread only, and no more once
/// `ChildCommand.run` has returned.
package protocol ChildListener: AnyObject, Sendable {
  /// What one `read` of standard output brought.
  ///
  /// - Parameters:
  ///   - bytes: valid during the call only.
  ///   - at: the clock right after the read, before anybody looked at the bytes.
  func output(_ bytes: UnsafeRawBufferPointer, at: Int64)

  /// Nobody can write to standard output any more.
  func outputClosed(at: Int64)

  /// Whether the child and whatever it started is to be ended. Asked after each round of reads, at least every 10 ms;
  /// once it has said so nothing more is heard.
  func wantsEnd(at now: Int64, isCancelled: Bool) -> Bool
}

/// How a child came to its end.
package struct ChildEnd: Sendable, Equatable {
  package enum Exit: Sendable, Equatable {
    case code(Int32)
    case signal(Int32)
  }

  package var exit: Exit
  /// The listener wanted it.
  package var wasEnded: Bool
  /// The end of what it wrote to standard error.
  package var errors: [UInt8]
  /// The clock when standard output was closed, else when the child was seen to have ended.
  package var at: Int64
}

/// A program to be run with no shell between, in a process group of its own.
///
/// It inherits the whole environment and no open file. Signals are as at the start of a program: none blocked, none
/// ignored, whatever this process does with them.
package struct ChildCommand: Sendable {
  /// The program and its arguments; a name without a slash is looked up in `PATH`.
  package var arguments: [String]
  /// Where it runs; empty for the current folder.
  package var directory: String
  /// What it reads on standard input, which is then closed.
  package var input: [UInt8]
  /// How many of the last bytes of standard error are kept.
  package var errorsKept = 4096
  /// Nanoseconds between asking it to end, by SIGTERM, and ending it.
  package var grace: Int64 = 200_000_000

  package init(_ arguments: [String], in directory: String, input: [UInt8]) {
    self.arguments = arguments
    self.directory = directory
    self.input = input
  }

  /// Runs it to its end on a thread of its own, so that waiting for it holds up no task. What it leaves behind in its
  /// group is killed.
  ///
  /// - Parameters:
  ///   - clock: monotonic nanoseconds.
  /// - Throws: when it cannot be started.
  package func run(
    _ listener: some ChildListener, clock: @escaping @Sendable () -> Int64
  ) async throws(ChildStartError) -> ChildEnd {
    let cancellation = Flag()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        PlainThread.run {
          continuation.resume(returning: talk(to: listener, clock, cancellation))
        }
      }
    } onCancel: {
      cancellation.raise()
    }
    return try result.get()
  }

  private func talk(
    to listener: some ChildListener, _ clock: @escaping @Sendable () -> Int64, _ cancellation: Flag
  ) -> Result<ChildEnd, ChildStartError> {
    do {
      let child = try ChildProcess(arguments, in: directory)
      return .success(ChildTalk(child, self, listener, clock).run(cancellation))
    } catch {
      return .failure(error)
    }
  }
}

/// Set once, by any thread.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}
