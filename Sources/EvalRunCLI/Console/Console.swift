package import EvalCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The only thing that prints: results to standard output, everything else to standard error.
///
/// Printing cannot fail a run: a closed pipe or a full disk is remembered and the run goes on.
package final class Console: Sendable {
  package let output: Terminal
  package let errors: Terminal
  private let isQuiet: Bool
  /// The text of the live line that stands on standard error, to be wiped before anything else is written there.
  private let liveLine = Mutex("")
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

  /// A line for people that is always printed.
  package func error(_ line: String) {
    let clean = redactor.withLock { $0 }.redact(line)
    liveLine.withLock { live in
      let wipe = live.isEmpty ? "" : "\r\u{1B}[K"
      write("\(wipe)\(clean)\n\(live)", to: 2)
    }
  }

  /// Replaces the live line; an empty one removes it. Only for a terminal.
  package func live(_ line: String) {
    guard errors.isTerminal, !isQuiet else { return }
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
    error("\(place)\(word): \(problem.message)\(path)")
    if let advice = problem.advice { error("    \(advice)") }
  }

  package func failure(_ failure: CommandFailure) {
    error("\(paint("error", .red)): \(failure.message)")
    if let advice = failure.advice { error("    \(advice)") }
  }

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
        if written < 0, errno == EINTR { continue }
        // A reader that went away (`| head`) is no reason to lose a run.
        guard written > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
  }
}
