import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process groups of all children that run.
package enum ChildGroups {
  private static let running = Mutex<Set<pid_t>>([])

  static func add(_ id: pid_t) { running.withLock { _ = $0.insert(id) } }

  /// Must come before the child is reaped: its number may then be another's.
  static func remove(_ id: pid_t) { running.withLock { _ = $0.remove(id) } }

  /// Kills every child with whatever it started. For a process that is about to end without waiting.
  package static func killAll() {
    running.withLock { running in for id in running { kill(-id, SIGKILL) } }
  }
}
