import EvalCore
import EvalReports
import Synchronization

/// An answer on its way to standard output, piece by piece: without secrets, which may come in pieces that are none, and
/// on a terminal without anything that controls it. A file or a pipe gets the model's own text.
final class LiveAnswer: Sendable {
  private let redactor: Redactor
  /// `nil` where the text goes elsewhere than to a terminal.
  private let terminal: TerminalText?
  /// What may be the beginning of a secret.
  private let held = Mutex<[UInt8]>([])

  init(_ redactor: Redactor, _ output: Terminal) {
    self.redactor = redactor
    terminal = output.isTerminal ? TerminalText(unicode: output.isUTF8) : nil
  }

  /// What can be shown now that this piece has come.
  func next(_ piece: String) -> String {
    held.withLock { held in
      held.append(contentsOf: piece.utf8)
      let count = redactor.settled(held)
      defer { held.removeFirst(count) }
      return shown(Array(held[..<count]))
    }
  }

  /// What is left when no piece follows.
  func rest() -> String {
    held.withLock { held in
      defer { held = [] }
      return shown(held)
    }
  }

  private func shown(_ bytes: [UInt8]) -> String {
    let text = String(decoding: redactor.redact(bytes), as: UTF8.self)
    return terminal?.clean(text) ?? text
  }
}
