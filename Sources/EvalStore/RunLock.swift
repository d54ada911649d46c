import EvalCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The right to work on a run. It ends with `release`, with the last reference, or with the process, however that dies.
package final class RunLock: Sendable {
  private let path: String
  private let file: Mutex<Int32?>

  /// Who holds a lock, as the file says.
  struct Holder {
    var process: Int
    /// Seconds since 1970.
    var since: Double
  }

  private init(path: String, file: Int32) {
    self.path = path
    self.file = Mutex(file)
  }

  deinit { release() }

  package func release() {
    file.withLock { file in
      guard let open = file else { return }
      // First the name, then the lock: whoever gets the lock later sees that the file is not there any more.
      unlink(path)
      close(open)
      file = nil
    }
  }

  /// Takes the lock of a file that is made for it.
  /// - Throws: `runLocked` when another process, or another part of this one, has it.
  static func take(path: String, run: String) throws(StoreError) -> RunLock {
    // A look at the lock (`isHeld`) has it for an instant.
    for attempt in 0..<20 {
      if attempt > 0 { usleep(2000) }
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw cannotLock(path) }
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        if isSame(file, path) {
          sign(file)
          return RunLock(path: path, file: file)
        }
        close(file)
        continue
      }
      let isTaken = errno == EWOULDBLOCK
      close(file)
      if !isTaken { throw cannotLock(path) }
    }
    throw refused(run, by: holder(path))
  }

  /// Whether somebody works on the run now.
  static func isHeld(path: String) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// False when the file was removed, or made again, between opening and locking it.
  private static func isSame(_ file: Int32, _ path: String) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
      && opened.st_dev == named.st_dev
  }

  private static func sign(_ file: Int32) {
    let text = "\(getpid()) \(Int64(WallClock.now()))\n"
    ftruncate(file, 0)
    _ = text.withCString { pwrite(file, $0, strlen($0), 0) }
  }

  private static func holder(_ path: String) -> Holder? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let words = String(decoding: bytes[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let process = Int(words[0]), let since = Double(words[1]) else { return nil }
    return Holder(process: process, since: since)
  }

  private static func refused(_ run: String, by holder: Holder?) -> StoreError {
    let who = holder.map { "process \($0.process) since \(localTime($0.since))" } ?? "another process"
    return StoreError(
      .runLocked, "run \(run) is being worked on by \(who)",
      advice: "wait for it, or stop it; --fresh starts another run beside it")
  }

  private static func cannotLock(_ path: String) -> StoreError {
    let reason = String(cString: strerror(errno))
    return StoreError(
      .unwritable, "cannot lock \(path): \(reason)", advice: "keep the database on a local disk")
  }

  private static func localTime(_ seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = tm()
    localtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
