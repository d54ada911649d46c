#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Work without waiting, on several threads.
enum Parallel {
  /// The results in order.
  static func map<Result: Sendable>(
    _ count: Int, width: Int, _ body: @escaping @Sendable (Int) -> Result
  ) async -> [Result] {
    // A few pieces a thread, since some take longer than others.
    let size = max(1, count / max(1, width * 4))
    guard width > 1, count > size else { return (0..<count).map(body) }
    return await withTaskGroup(of: (Int, [Result]).self) { group in
      for start in stride(from: 0, to: count, by: size) {
        group.addTask { (start, (start..<min(start + size, count)).map(body)) }
      }
      var pieces: [(Int, [Result])] = []
      for await piece in group { pieces.append(piece) }
      return pieces.sorted { $0.0 < $1.0 }.flatMap(\.1)
    }
  }
}

/// The machine this runs on.
enum Machine {
  /// Processor cores that may be used, at least 1.
  static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
