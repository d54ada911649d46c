import EvalCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file that a recorder writes: opened once, locked against a second recorder, one `write` for each line.
final class RecordingFile: Sendable {
  let path: String
  /// Whether a line that a killed process had left half written was removed.
  let wasRepaired: Bool
  private let file: Int32
  private let state = Mutex(State())

  private struct State {
    var lines = 0
    var failure: String?
  }

  /// Why nothing is written any more; `nil` while all is well.
  var failure: String? { state.withLock { $0.failure } }
  /// Lines written by this process, headers included.
  var lineCount: Int { state.withLock { $0.lines } }

  /// Opens a new file, or a recording that is to go on.
  ///
  /// - Throws: a `Problem` for a file that cannot be written, that another process records to, or that is something
  ///   else: it is never overwritten.
  init(path: String) throws(Problem) {
    self.path = path
    let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw Problem(.error, "the recording \(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    do throws(Problem) {
      guard Self.isRegular(file) else {
        throw Problem(.error, "\(path) is no file", advice: "name a file to record to")
      }
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        throw Problem(
          .error, "another process records to \(path)", advice: "name another file, or wait for its end")
      }
      wasRepaired = try Self.repair(file, path)
    } catch {
      close(file)
      throw error
    }
    self.file = file
  }

  deinit { close(file) }

  /// Writes a line with its line break; does nothing after a failure.
  func append(_ line: [UInt8]) {
    state.withLock { state in
      guard state.failure == nil else { return }
      let before = lseek(file, 0, SEEK_END)
      if let failure = Self.write(line, to: file) {
        // Half a line would spoil the lines after it.
        _ = ftruncate(file, before)
        state.failure = failure
      } else {
        state.lines += 1
      }
    }
  }

  /// One `write` unless the system takes only a part.
  /// - Returns: the system's words for a failure.
  private static func write(_ bytes: [UInt8], to file: Int32) -> String? {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        #if canImport(Darwin)
          let count = Darwin.write(file, part.baseAddress!, part.count)
        #elseif canImport(Glibc)
          let count = Glibc.write(file, part.baseAddress!, part.count)
        #else
          let count = Musl.write(file, part.baseAddress!, part.count)
        #endif
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if count == 0 || errno != EINTR {
          return String(cString: strerror(errno))
        }
      }
      return nil
    }
  }

  /// What has no places to read at, such as a pipe, is no recording.
  static func isRegular(_ file: Int32) -> Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Makes sure that the file is empty or a recording whose last line is whole.
  /// - Returns: whether half a line was removed.
  private static func repair(_ file: Int32, _ path: String) throws(Problem) -> Bool {
    var lines = RecordingLines(file: file)
    guard let first = lines.next() else { return false }
    do {
      try JSONDocument.reading(first.bytes) { root throws(RecordingFault) in
        _ = try RecordingHeader(reading: root)
      }
    } catch {
      throw Problem(
        .error, "\(path) is there and cannot go on as a recording: \(error.message)",
        advice: "name another file, or remove it")
    }
    var last = first
    while let line = lines.next() { last = line }
    if last.isWhole { return false }
    // An editor may have taken the last line break away; that line is whole.
    let isValue = (try? JSONValue.parse(last.bytes)) != nil
    let failure =
      isValue
      ? write([0x0A], to: file)
      : ftruncate(file, off_t(last.offset)) == 0 ? nil : String(cString: strerror(errno))
    if let failure { throw Problem(.error, "\(path) cannot be mended: \(failure)") }
    return !isValue
  }
}
