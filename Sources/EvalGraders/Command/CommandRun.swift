import EvalCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs one command to its end on a thread of its own, so that waiting for it holds up no task.
struct CommandRun: Sendable {
  struct Limits: Sendable {
    /// Nanoseconds until the command is stopped.
    var time: Int64
    /// Bytes of standard output that are accepted.
    var output = 1 << 20
    /// Bytes of standard error that are kept, the last ones.
    var errors = 4096
    /// Nanoseconds between asking the command to end and ending it.
    var grace: Int64 = 200_000_000
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
    let cancellation = Flag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        PlainThread.run { continuation.resume(returning: loop(cancellation)) }
      }
    } onCancel: {
      cancellation.raise()
    }
  }

  private func loop(_ cancellation: Flag) -> Result {
    // A write to a child that is gone is then an error instead of the end of this program.
    SignalMask.blockBrokenPipe()
    do {
      return CommandTalk(try ChildProcess(arguments, in: directory), input, limits).run(cancellation)
    } catch {
      return Result(end: .notStarted(error.message))
    }
  }
}

/// Set once, by any thread.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}

/// Threads outside Swift's pool.
enum PlainThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func run(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(&thread, nil, start, work.toOpaque())
    if code == 0 {
      #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
      #else
        pthread_detach(thread)
      #endif
    } else {
      // No thread to be had: better slow than not at all.
      work.takeRetainedValue().body()
    }
  }

  #if canImport(Darwin)
    private static let start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { work in
      Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      return nil
    }
  #else
    private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }
  #endif
}

enum SignalMask {
  /// For the calling thread alone.
  static func blockBrokenPipe() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}
