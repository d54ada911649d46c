#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The few things the roof does with files.
enum Files {
  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws(CommandFailure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
      guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw failure("make the folder", made) }
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(.couldNotRun, "\(path) is not a folder")
    }
  }

  /// Everything on standard input.
  static func readStandardInput() throws(CommandFailure) -> String {
    String(decoding: try readAll(0, "standard input"), as: UTF8.self)
  }

  /// Everything in a file.
  /// - Throws: `.usage`: the person named a file that is not there or cannot be read.
  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(.usage, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    return try readAll(descriptor, path)
  }

  private static func readAll(_ descriptor: Int32, _ name: String) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Files.readBytes(descriptor, &buffer)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", name) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private static func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, &buffer, buffer.count)
    #else
      Glibc.read(descriptor, &buffer, buffer.count)
    #endif
  }

  /// The folder that relative paths count from; `/` when it is gone.
  static var currentFolder: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&path, path.count) != nil else { return "/" }
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// When a file that is not empty was last written, in nanoseconds since 1970; `nil` where there is none.
  static func changed(_ path: String) -> Int64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Makes the folder that a file is to lie in.
  static func makeFolder(above path: String) throws(CommandFailure) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    try makeFolder(String(path[..<slash]))
  }

  /// Adds a text to the end of a file.
  static func append(_ text: String, to path: String) throws(CommandFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure("write", path) }
    defer { close(descriptor) }
    var text = text
    let isWhole = text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let written = OutputFile.writeBytes(descriptor, rest)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
      return true
    }
    if !isWhole { throw failure("write", path) }
  }

  static func failure(_ what: String, _ path: String) -> CommandFailure {
    CommandFailure(.couldNotRun, "cannot \(what) \(path): \(String(cString: strerror(errno)))")
  }
}

/// A file that is written piece by piece and takes its name when it is whole, so that nobody finds half a report. A link
/// is followed, and a pipe or a device is written to as it is: a file in its place would take it from everybody.
final class OutputFile {
  private let path: String
  /// `nil` where the path is written to directly.
  private let temporary: String?
  private var descriptor: Int32
  private var buffer: [UInt8] = []
  private var failed: Int32 = 0

  init(path: String) throws(CommandFailure) {
    self.path = Self.followed(path)
    temporary = Self.takesFiles(path) ? "\(self.path).part-\(getpid())" : nil
    descriptor =
      temporary.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
      ?? open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Files.failure("write", path) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    _ = Self.closeFile(descriptor)
    if let temporary { unlink(temporary) }
  }

  /// Where a link leads; the path itself where there is none or nothing yet.
  private static func followed(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// False for what is there and is neither a file nor a folder.
  private static func takesFiles(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= 1 << 16 { flush() }
  }

  /// - Throws: what went wrong while writing; the old file, if there was one, is then untouched.
  func close() throws(CommandFailure) {
    flush()
    let closed = Self.closeFile(descriptor)
    descriptor = -1
    if failed == 0, closed == 0, temporary.map({ rename($0, path) }) ?? 0 == 0 { return }
    if failed != 0 { errno = failed }
    let failure = Files.failure("write", path)
    if let temporary { unlink(temporary) }
    throw failure
  }

  private func flush() {
    var rest = buffer[...]
    while !rest.isEmpty, failed == 0 {
      let written = rest.withUnsafeBytes { Self.writeBytes(descriptor, $0) }
      if written < 0, errno == EINTR { continue }
      if written <= 0 { failed = errno } else { rest = rest.dropFirst(written) }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func closeFile(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.close(descriptor)
    #else
      Glibc.close(descriptor)
    #endif
  }

  static func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
