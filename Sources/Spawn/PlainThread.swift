#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Threads outside Swift's pool.
enum PlainThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// SIGPIPE is blocked there: a write to a child that is gone is an error, not the end of this program.
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
      performHere(work.toOpaque())
    }
  }

  private static func perform(_ work: UnsafeMutableRawPointer) {
    var pipe = brokenPipe
    pthread_sigmask(SIG_BLOCK, &pipe, nil)
    Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
  }

  /// On a thread that goes on with other work, which must not be hit by a signal of this one.
  private static func performHere(_ work: UnsafeMutableRawPointer) {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    perform(work)
    var pending = sigset_t()
    sigpending(&pending)
    var (pipe, signal) = (brokenPipe, Int32(0))
    if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static var brokenPipe: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    return set
  }

  #if canImport(Darwin)
    private static let start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { work in
      perform(work)
      return nil
    }
  #else
    private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      work in
      if let work { perform(work) }
      return nil
    }
  #endif
}
