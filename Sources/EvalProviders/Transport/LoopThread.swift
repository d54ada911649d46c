#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A plain thread outside the cooperative pool, so that busy tasks never delay a time stamp.
///
/// All signals are blocked on it: handlers run elsewhere, and a write to a closed connection cannot kill the
/// process. Unchecked because `isJoined` belongs to the one caller that may join; the rest never changes.
final class LoopThread: @unchecked Sendable {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t
  private var isJoined = false

  /// Starts the thread; `nil` when the system has no room for one.
  init?(_ body: @escaping @Sendable () -> Void) {
    var everything = sigset_t()
    var before = sigset_t()
    sigfillset(&everything)
    // Set here so that it is inherited: set on the new thread, a signal could come first.
    pthread_sigmask(SIG_SETMASK, &everything, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(Body(body))
    #if canImport(Darwin)
      var created: pthread_t?
      let failed = pthread_create(&created, nil, loopThreadMain, context.toOpaque()) != 0
    #else
      var started = pthread_t()
      let failed = pthread_create(&started, nil, loopThreadMain, context.toOpaque()) != 0
      let created: pthread_t? = started
    #endif
    guard !failed, let created else {
      context.release()
      return nil
    }
    thread = created
  }

  deinit { if !isJoined { pthread_detach(thread) } }

  /// Waits for the end of the thread. At most one caller may do so; on the thread itself it does nothing.
  func join() {
    guard pthread_equal(thread, pthread_self()) == 0 else { return }
    isJoined = true
    pthread_join(thread, nil)
  }

  fileprivate static func main(_ context: UnsafeMutableRawPointer) {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
  }
}

#if canImport(Darwin)
  private func loopThreadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    LoopThread.main(context)
    return nil
  }
#else
  private func loopThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { LoopThread.main(context) }
    return nil
  }
#endif
