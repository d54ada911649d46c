import EvalCore
import EvalReports

/// A person at a terminal labels one answer after the other; every label is in the file before the next is asked.
struct LabelSession {
  let session: Session
  private let desk: LabelDesk
  private let run: String
  private let text: TerminalText

  init(session: Session, file: LabelFile, run: String) {
    self.session = session
    self.run = run
    desk = LabelDesk(file)
    text = TerminalText(unicode: session.console.output.isUTF8)
  }

  func perform() throws(CommandFailure) -> ExitCode {
    var desk = desk
    guard let keys = Keyboard() else {
      throw CommandFailure(
        .couldNotRun, "the terminal gives no single keys",
        advice: "write the file with --file-only and label it with an editor")
    }
    defer { keys.restore() }
    while let label = desk.question {
      show(label, desk)
      var step: LabelDesk.Step?
      while step == nil {
        guard let key = keys.next() else { return finish(desk) }
        step = desk.press(key)
      }
      session.console.result("\(text.line(step?.echo ?? ""))\n\n")
      switch step {
      case .labelled: try LabelFiles.write(desk.file)
      case .quit: return finish(desk)
      default: break
      }
    }
    return finish(desk)
  }

  private func show(_ label: AnswerLabel, _ desk: LabelDesk) {
    var lines = ["\(desk.position + 1) of \(desk.file.labels.count): case \(label.caseID)"]
    for (title, words) in [
      ("Input", label.shown.input), ("Reference", label.shown.reference),
      ("Answer", label.shown.answer ?? ""),
    ] {
      guard let words else { continue }
      lines.append("\(title):")
      lines += (words.isEmpty ? "(empty)" : words).split(separator: "\n", omittingEmptySubsequences: false)
        .map {
          "  | \($0)"
        }
    }
    lines.append("")
    let name = label.criterion.map { "\(label.check), \($0)" } ?? label.check
    lines.append("\(name): \(label.shown.question ?? "")")
    for choice in LabelDesk.choices(label) {
      let words = [choice.label == String(choice.key) ? "" : choice.label, choice.meaning].filter {
        !$0.isEmpty
      }
      lines.append("  \(choice.key)  \(words.joined(separator: ": "))")
    }
    let before = label.label.map { "labelled \($0); " } ?? ""
    lines.append("  s  skip   b  back   q  quit")
    session.console.result(text.clean(lines.joined(separator: "\n")) + "\n" + text.line(before) + "key: ")
  }

  private func finish(_ desk: LabelDesk) -> ExitCode {
    let file = desk.file
    let done = file.labels.count - file.open
    session.console.result(
      text.clean("\(done) of \(counted(file.labels.count, "question")) labelled in \(file.path)") + "\n")
    let next =
      file.open > 0
      ? "go on: evalrun judge label \(run) --output \(file.path)" : "next: evalrun judge check \(file.path)"
    session.console.note(next)
    return .done
  }
}

/// Where a person stands in a file of labels, and what a key makes of it.
struct LabelDesk {
  enum Step: Equatable {
    case labelled(String)
    case skipped, back, quit

    /// What the person sees of the key.
    var echo: String {
      switch self {
      case .labelled(let word): word
      case .skipped: "skipped"
      case .back: "back"
      case .quit: "quit"
      }
    }
  }

  private(set) var file: LabelFile
  private(set) var position: Int
  private var visited: [Int] = []

  /// Begins at the first question without a label.
  init(_ file: LabelFile) {
    self.file = file
    position = file.labels.firstIndex { $0.label == nil } ?? file.labels.count
  }

  /// `nil` at the end.
  var question: AnswerLabel? { file.labels.indices.contains(position) ? file.labels[position] : nil }

  /// The keys that label, from the worst level to the best.
  static func choices(_ label: AnswerLabel) -> [(key: Character, label: String, meaning: String)] {
    if label.criterion == nil {
      let meanings = Dictionary(
        label.shown.levels.map { ($0.label, $0.summary) }, uniquingKeysWith: { first, _ in first })
      return [("f", "fail", meanings["fail"] ?? ""), ("p", "pass", meanings["pass"] ?? "")]
    }
    return zip("123456789", label.shown.levels).map { ($0, $1.label, $1.summary) }
  }

  /// - Returns: `nil` for a key that means nothing here.
  mutating func press(_ key: Character) -> Step? {
    guard let label = question else { return .quit }
    switch key {
    case "q", "\u{3}", "\u{4}": return .quit
    case "s":
      advance()
      return .skipped
    case "b":
      guard let before = visited.popLast() else { return nil }
      position = before
      return .back
    default: break
    }
    guard let choice = LabelDesk.choices(label).first(where: { $0.key == key }) else { return nil }
    take(choice.label, for: label)
    advance()
    return .labelled(choice.label)
  }

  /// The same words given twice to one case are asked about once.
  private mutating func take(_ word: String, for label: AnswerLabel) {
    file.labels[position].label = word
    for index in file.labels.indices where file.labels[index].label == nil {
      let other = file.labels[index]
      if other.answerHash == label.answerHash, other.answerHash != nil, other.caseHash == label.caseHash,
        other.check == label.check, other.criterion == label.criterion, other.turn == label.turn
      {
        file.labels[index].label = word
      }
    }
  }

  private mutating func advance() {
    visited.append(position)
    repeat { position += 1 } while question?.label != nil
  }
}
