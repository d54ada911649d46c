import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A terminal that exists in the kernel only, so that a test sees what a person would.
final class PseudoTerminal: Sendable {
  /// What a process gets as its standard output and standard error.
  let device: FileHandle
  private let master: Int32
  private let seen = Mutex<[UInt8]>([])

  init(columns: UInt16) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard master >= 0, let name = Self.unlock(master) else { throw POSIXError(.ENODEV) }
    let descriptor = open(name, O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { throw POSIXError(.ENODEV) }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    device = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    Thread.detachNewThread { [self] in read() }
  }

  deinit { close(master) }

  /// Lets the device be opened.
  /// - Returns: its path.
  private static func unlock(_ master: Int32) -> String? {
    #if os(Linux)
      // What `unlockpt` and `ptsname` do; Swift's module of the C library leaves them out. asm-generic/ioctls.h.
      let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      var (isLocked, number): (Int32, UInt32) = (0, 0)
      guard ioctl(master, setLock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0 else { return nil }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { return nil }
      return String(cString: name)
    #endif
  }

  /// Presses keys.
  func type(_ keys: String) throws {
    var bytes = Array(keys.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(master, $0.baseAddress, $0.count) }
      guard count > 0 else { throw POSIXError(.EIO) }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Everything that was written so far, line ends as a program writes them.
  var text: String {
    String(decoding: seen.withLock { $0 }, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
  }

  /// Everything that was written, once no process writes any more.
  func all() async throws -> String {
    // Comes behind all the rest.
    let mark = "end of the screen"
    try device.write(contentsOf: Data(mark.utf8))
    try await until { text.hasSuffix(mark) }
    return String(text.dropLast(mark.count))
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(master, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      seen.withLock { $0 += buffer[..<count] }
    }
  }
}

extension Tool {
  /// Runs the tool on a terminal that nobody types on.
  /// - Returns: its exit code and everything that the terminal showed.
  func run(
    _ arguments: [String], columns: UInt16 = 80, environment: [String: String]
  ) async throws -> (code: Int32, screen: String) {
    let (process, terminal, ended) = try converse(
      arguments, columns: columns, environment: environment, input: FileHandle.nullDevice)
    await ended.wait()
    return (process.terminationStatus, try await terminal.all())
  }

  /// Starts the tool on a terminal.
  /// - Parameter input: the terminal itself unless given, so that keys can be pressed.
  func converse(
    _ arguments: [String], columns: UInt16 = 100,
    environment: [String: String] = ["LANG": "C.UTF-8", "TERM": "xterm"], input: FileHandle? = nil
  ) throws -> (process: Process, terminal: PseudoTerminal, ended: Ended) {
    let terminal = try PseudoTerminal(columns: columns)
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(environment) { _, new in new
    }
    process.standardInput = input ?? terminal.device
    process.standardOutput = terminal.device
    process.standardError = terminal.device
    let ended = Ended()
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    return (process, terminal, ended)
  }

  /// Runs a line of shell in the tool's folder, `evalrun` being the tool.
  func shell(_ line: String) async throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "evalrun() { '\(Self.executable.path)' \"$@\"; }; " + line]
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let ended = Ended()
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    // Both are read to their ends, each by a thread of its own, so that neither fills up.
    async let first = Self.all(of: output)
    async let second = Self.all(of: errors)
    let result = await Result(code: 0, output: first, errors: second)
    await ended.wait()
    return Result(code: process.terminationStatus, output: result.output, errors: result.errors)
  }

  private static func all(of pipe: Pipe) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        continuation.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }
}
