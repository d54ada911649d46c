import EvalCore
import EvalStore
import EvalSuites

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `evalrun judge label RUN`.
struct JudgeLabelCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    let run = try session.run(session.arguments.positional[0], in: store)
    guard !run.isPrivate else {
      throw CommandFailure(
        .usage, "run \(run.id) is private: it keeps no answers that a person could label",
        advice:
          "label a run of the same judge and checks that is not private; its labels count for this one, too")
    }
    let path = session.arguments.text("output") ?? "\(run.id).labels.jsonl"
    var file = try existing(path, run)
    if file == nil {
      let drawn = try LabelQuestions(session: session, store: store, run: run).draw(path)
      try LabelFiles.write(drawn)
      file = drawn
    }
    guard let file else { return .done }
    guard asksPerson else {
      session.console.result(
        "\(path): \(counted(file.labels.count, "question")); write a label to each, then "
          + "'evalrun judge check \(path)'\n")
      return .done
    }
    return try LabelSession(session: session, file: file, run: run.id).perform()
  }

  private var asksPerson: Bool {
    isatty(0) == 1 && session.console.output.isTerminal && !session.arguments.has("file-only")
  }

  /// The file that is gone on with; `nil` when there is none.
  private func existing(_ path: String, _ run: RunInfo) throws(CommandFailure) -> LabelFile? {
    guard access(path, F_OK) == 0 else { return nil }
    guard asksPerson else {
      throw CommandFailure(
        .usage, "\(path) is there already, and labels are not written over",
        advice: "go on with it at a terminal, or name another with --output")
    }
    var file = try LabelFiles.read(path, session)
    guard file.run == run.id else {
      throw CommandFailure(
        .usage, "\(path) holds labels of run \(file.run ?? "nobody knows which"), not of \(run.id)",
        advice: "name another file with --output")
    }
    if let name = session.arguments.text("by") { file.labelledBy = name }
    return file
  }
}

/// Files of labels.
enum LabelFiles {
  /// Written whole and then renamed: a process that is killed leaves the labels of before.
  static func write(_ file: LabelFile) throws(CommandFailure) {
    try Files.makeFolder(above: file.path)
    let output = try OutputFile(path: file.path)
    output.write(LabelFileWriter.text(file))
    try output.close()
  }

  /// - Throws: `.usage` after printing everything that is wrong with it.
  static func read(_ path: String, _ session: Session) throws(CommandFailure) -> LabelFile {
    do {
      return try LabelFileReader.read(path: path)
    } catch {
      throw refuse(error.all, path, session)
    }
  }

  static func refuse(_ problems: [Problem], _ path: String, _ session: Session) -> CommandFailure {
    for problem in problems { session.console.problem(problem) }
    return CommandFailure(.usage, "\(counted(problems.count, "error")) in \(path); nothing was counted")
  }
}
