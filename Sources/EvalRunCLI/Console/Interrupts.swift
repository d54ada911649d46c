import EvalCore
import Spawn

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Turns Ctrl-C into calls: the first drains, the second aborts, a third ends the process at once.
///
/// The signals are blocked for every thread and one plain thread waits for them: no handler runs inside another's call.
enum Interrupts {
  /// Must be called while the process has one thread, so that every later thread inherits the mask.
  static func block() {
    var set = signals()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    // A closed pipe is an error code where it is written, not a death.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Ends the process as a shell expects of an interrupted one, and the programs that it has started.
  static func leave() -> Never {
    ChildGroups.killAll()
    _exit(ExitCode.interrupted.rawValue)
  }

  /// - Parameter handler: called with 1 for the first signal, 2 for the second.
  static func watch(_ handler: @escaping @Sendable (Int) -> Void) {
    let box = Unmanaged.passRetained(HandlerBox(handler))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failed = pthread_create(&thread, nil, { waitForSignals($0) }, box.toOpaque())
    if failed != 0 { box.release() }
  }

  fileprivate static func signals() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    return set
  }
}

private final class HandlerBox: Sendable {
  let handler: @Sendable (Int) -> Void
  init(_ handler: @escaping @Sendable (Int) -> Void) { self.handler = handler }
}

#if canImport(Darwin)
  private func waitForSignals(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    wait(on: Unmanaged<HandlerBox>.fromOpaque(context).takeRetainedValue())
  }
#else
  private func waitForSignals(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    return wait(on: Unmanaged<HandlerBox>.fromOpaque(context).takeRetainedValue())
  }
#endif

private func wait(on box: HandlerBox) -> UnsafeMutableRawPointer? {
  var set = Interrupts.signals()
  var seen = 0
  while true {
    var signal: Int32 = 0
    guard sigwait(&set, &signal) == 0 else { continue }
    seen += 1
    if seen > 2 { Interrupts.leave() }
    box.handler(seen)
  }
}
