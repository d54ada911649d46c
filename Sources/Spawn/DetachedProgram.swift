#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that lives on when this one has ended, as a browser does. It reads nothing and is not heard.
package struct DetachedProgram: Sendable {
  private let id: pid_t

  /// Starts it without a shell, in a process group of its own.
  /// - Parameter arguments: the program and its arguments; a name without a slash is looked up in `PATH`.
  package init(_ arguments: [String]) throws(ChildStartError) {
    let nothing = Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC))
    guard nothing.number >= 0 else { throw ChildStartError("cannot open /dev/null", errno) }
    id = try ChildProcess.spawn(arguments, "", [nothing.number, nothing.number, nothing.number])
  }

  /// How it ended, if it does so within some milliseconds; `nil` when it goes on.
  package func end(within milliseconds: Int) -> ChildEnd.Exit? {
    var status: Int32 = 0
    for _ in 0...max(0, milliseconds / 10) {
      let found = waitpid(id, &status, WNOHANG)
      if found == id {
        let signal = status & 0x7F
        return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
      }
      if found < 0, errno != EINTR { return nil }
      usleep(10_000)
    }
    return nil
  }
}
