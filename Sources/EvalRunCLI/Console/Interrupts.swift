import EvalCore
import Spawn
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Turns Ctrl-C into calls: while a run is on, the first drains, the second aborts, a third ends the process at once;
/// before and after it the first ends the process. Commands that have nothing to save are left to the system's own way.
///
/// The signals are blocked for every thread and one plain thread waits for them: no handler runs inside another's call.
enum Interrupts {
  private static let handler = Mutex<(call: (@Sendable (Int) -> Void)?, seen: Int)>((nil, 0))

  /// Must be called while the process has one thread, so that every later thread inherits the mask.
  static func begin() {
    var set = signals()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // Without the thread nobody would hear of a signal: then the system's way is the better one.
    if pthread_create(&thread, nil, { waitForSignals($0) }, nil) != 0 {
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
  }

  /// Who hears of signals from now on; `nil` lets the next one end the process.
  /// - Parameter call: called with 1 for the first signal, 2 for the second.
  static func handle(_ call: (@Sendable (Int) -> Void)?) { handler.withLock { $0 = (call, 0) } }

  /// The first signal lets calls in flight end, the second cancels them.
  static func stop(_ control: RunControl, telling console: Console) {
    handle { count in
      if count == 1 {
        console.error("stopping: calls in flight end and are saved; Ctrl-C again cancels them")
        control.drain(.interrupted)
      } else {
        console.error("cancelling calls in flight")
        control.abort(.interrupted)
      }
    }
  }

  fileprivate static func receive() {
    let (call, seen) = handler.withLock { state in
      state.seen += 1
      return (state.call, state.seen)
    }
    guard let call, seen <= 2 else { leave() }
    call(seen)
  }

  /// Ends the process as a shell expects of an interrupted one, and the programs that it has started.
  private static func leave() -> Never {
    ChildGroups.killAll()
    _exit(ExitCode.interrupted.rawValue)
  }

  static func signals() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    return set
  }
}

#if canImport(Darwin)
  private func waitForSignals(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { wait() }
#else
  private func waitForSignals(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { wait() }
#endif

private func wait() -> UnsafeMutableRawPointer? {
  var set = Interrupts.signals()
  while true {
    var signal: Int32 = 0
    if sigwait(&set, &signal) == 0 { Interrupts.receive() }
  }
}
