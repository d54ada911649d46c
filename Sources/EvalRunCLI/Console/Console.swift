package import EvalCore
import EvalReports
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The only thing that prints: results to standard output, everything else to standard error.
///
/// Printing cannot fail a run: a full disk is remembered and the run goes on. Nothing that a suite, a server or a model
/// says controls the terminal.
package final class Console: Sendable {
  package let output: Terminal
  package let errors: Terminal
  private let isQuiet: Bool
  /// The text of the live line that stands on standard error, to be wiped before anything else is written there.
  private let liveLine = Mutex("")
  /// Why standard output could not be written, the first time that happened.
  private let failure = Mutex<Int32?>(nil)
  private let redactor = Mutex(Redactor(secrets: []))

  package init(output: Terminal, errors: Terminal, isQuiet: Bool = false) {
    self.output = output
    self.errors = errors
    self.isQuiet = isQuiet
  }

  /// From now on every text is rid of these secrets.
  package func redact(with redactor: Redactor) { self.redactor.withLock { $0 = redactor } }

  /// A piece of the result.
  package func result(_ text: String) { write(text, to: 1) }

  /// A line for people; not printed with `--quiet`.
  package func note(_ line: String) {
    if !isQuiet { error(line) }
  }

  /// Why standard output is not whole; `nil` when it is, or when its reader went away (`| head`).
  package var failedOutput: String? { failure.withLock { $0 }.map { String(cString: strerror($0)) } }

  /// A line for people that is always printed.
  package func error(_ line: String) { errorLine(clean(line)) }

  /// - Parameter line: clean but for colour.
  private func errorLine(_ line: String) {
    let clean = redactor.withLock { $0 }.redact(line)
    liveLine.withLock { live in
      let wipe = live.isEmpty ? "" : "\r\u{1B}[K"
      write("\(wipe)\(clean)\n\(live)", to: 2)
    }
  }

  /// Replaces the live line; an empty one removes it. Only for a terminal.
  package func live(_ line: String) {
    guard errors.isLive, !isQuiet else { return }
    liveLine.withLock { live in
      guard live != line else { return }
      live = line
      // The rest of the line is erased after the text, never before: that flickers.
      write("\r\(line)\u{1B}[K", to: 2)
    }
  }

  /// A problem with its place and advice.
  package func problem(_ problem: Problem) {
    let word = problem.severity == .error ? paint("error", .red) : paint("warning", .yellow)
    let place = problem.location.map { "\($0): " } ?? ""
    let path = problem.path.map { $0.isEmpty ? "" : " (\($0))" } ?? ""
    errorLine("\(inert(place))\(word): \(inert(problem.message + path))")
    if let advice = problem.advice { errorLine("    \(inert(advice))") }
  }

  package func failure(_ failure: CommandFailure) {
    errorLine("\(paint("error", .red)): \(inert(failure.message))")
    if let advice = failure.advice { errorLine("    \(inert(advice))") }
  }

  /// Names of a suite may hold line breaks; GitHub would take a line of theirs that begins with `::` for a command.
  private func inert(_ text: String) -> String {
    clean(text).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.drop { $0 == " " || $0 == "\t" }.hasPrefix("::") ? "| \(line)" : String(line)
    }.joined(separator: "\n")
  }

  private func clean(_ text: String) -> String { TerminalText(unicode: errors.isUTF8).clean(text) }

  package enum Color: String {
    case red = "31"
    case yellow = "33"
    case dim = "2"
    case bold = "1"
  }

  /// Colour for standard error.
  package func paint(_ text: String, _ color: Color) -> String {
    errors.hasColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  private func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let start = rest.baseAddress, !rest.isEmpty {
        #if canImport(Darwin)
          let written = Darwin.write(descriptor, start, rest.count)
        #else
          let written = Glibc.write(descriptor, start, rest.count)
        #endif
        if written < 0, errno == EINTR || errno == EAGAIN {
          if errno == EAGAIN { waitForRoom(descriptor) }
          continue
        }
        guard written > 0 else { return lost(errno, descriptor) }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
  }

  /// The other end of a pipe may have made it one that does not wait.
  private func waitForRoom(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, 1000)
  }

  private func lost(_ reason: Int32, _ descriptor: Int32) {
    guard descriptor == 1, reason != EPIPE else { return }
    failure.withLock { $0 = $0 ?? reason }
  }
}

/// What every process starts with: three descriptors, and a mask of signals.
enum StandardStreams {
  /// Opens those that were closed (`>&-`): the next file or socket would get the number, and reports would be written
  /// into it. A closed pipe is an error code where it is written, not a death.
  static func prepare() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
    }
    signal(SIGPIPE, SIG_IGN)
    // Whoever starts evalrun from a thread that takes no signals hands that down.
    var set = Interrupts.signals()
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
