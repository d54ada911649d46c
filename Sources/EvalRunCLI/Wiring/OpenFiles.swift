#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How many files and sockets the process may have open. Where they run out, calls fail for a reason that is not the
/// endpoint's, and the system's own libraries may end the process.
enum OpenFiles {
  /// For the database, reports, recordings, case files and what the system's libraries open.
  private static let base = 40

  /// Raises this process's limit as far as `calls` at once may take.
  /// - Throws: `.usage` when the system does not allow what they need.
  static func allow(calls: Int) throws(CommandFailure) {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return }
    // A call is a socket or the pipes of a program; idle connections and look-ups of names come on top.
    let wanted = rlim_t(calls * 4 + base * 2)
    if limit.rlim_cur < wanted, limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = min(wanted, limit.rlim_max)
      if setrlimit(openFiles, &raised) == 0 { limit = raised }
    }
    guard limit.rlim_cur < rlim_t(calls + base) else { return }
    throw CommandFailure(
      .usage,
      "\(counted(calls, "call")) at once need \(calls + base) open files, and the system allows \(limit.rlim_cur)",
      advice: "lower the concurrency, or allow more: ulimit -n \(wanted)")
  }

  #if canImport(Glibc)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let openFiles = RLIMIT_NOFILE
  #endif
}
