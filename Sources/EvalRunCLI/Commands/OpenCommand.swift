import EvalCore
import EvalReports
import EvalStore

/// `evalrun open RUN`.
struct OpenCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let name = session.arguments.text("format") ?? "html"
    guard let format = ReportFormat.named(name) else {
      throw CommandFailure(.usage, "there is no format '\(name)'")
    }
    let changed = lastChange
    let store = try session.openStore(.read)
    let run = try session.run(session.arguments.positional[0], in: store)
    let reports = RunReports(session: session, store: store)
    let path = reports.path(of: format, run, under: session.arguments.text("output") ?? "Reports")
    if !isFresh(path, changed) {
      try Files.makeFolder(above: path)
      let input = try reports.input(run, withTexts: true)
      let file = try OutputFile(path: path)
      try reports.render(format, input, options: ReportOptions()) { file.write($0) }
      try file.close()
    }
    return show(path)
  }

  /// When anything was last written to the database, in nanoseconds; `nil` when nobody knows.
  private var lastChange: Int64? {
    ["", "-wal"].compactMap { Files.changed(session.databasePath + $0) }.max()
  }

  private func isFresh(_ path: String, _ changed: Int64?) -> Bool {
    guard let written = Files.changed(path), let changed else { return false }
    return written > changed
  }

  private func show(_ path: String) -> ExitCode {
    let whole = path.hasPrefix("/") ? path : "\(Files.currentFolder)/\(path)"
    switch Opener(session.environment).open(whole) {
    case .opened: session.console.note("opened \(path)")
    case .nobody(let reason):
      session.console.result(whole + "\n")
      session.console.note("not opened: \(reason)")
    }
    return .done
  }
}
