import EvalCore
import EvalReports
import EvalStore

extension CommandTable {
  private static let nameArgument = ArgumentRow(
    "NAME", "The baseline's name: letters, digits, '-', '_', '.'.")

  static let baselineSet = CommandSpec(
    name: "baseline set", summary: "Name a run to compare with; the name leaves the run that had it.",
    arguments: [
      nameArgument, ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'."),
    ],
    options: [databaseOption, colorOption, quietOption, helpOption],
    examples: [("evalrun baseline set main latest", "the newest run is what 'main' means from now on")]
  ) { session throws(CommandFailure) in try BaselineCommands(session: session).set() }

  static let baselineList = CommandSpec(
    name: "baseline list", summary: "List the baselines in the database.",
    options: [databaseOption, colorOption, helpOption]
  ) { session throws(CommandFailure) in try BaselineCommands(session: session).list() }

  static let baselineRemove = CommandSpec(
    name: "baseline remove", summary: "Forget a baseline's name; its run stays.",
    arguments: [nameArgument], options: [databaseOption, colorOption, quietOption, helpOption]
  ) { session throws(CommandFailure) in try BaselineCommands(session: session).remove() }

  static let baselineExport = CommandSpec(
    name: "baseline export", summary: "Write a baseline as one small JSON file to commit; it has no texts.",
    discussion: "Comparing with the file needs no database: Docs/Baselines.md.",
    arguments: [
      ArgumentRow("NAME", "A baseline, or a run as 'evalrun show' takes it."),
      ArgumentRow("FILE", "Where to write; '-' is standard output."),
    ],
    options: [databaseOption, colorOption, quietOption, helpOption],
    examples: [("evalrun baseline export main evals/main.baseline.json", "to commit beside the suite")]
  ) { session throws(CommandFailure) in try BaselineCommands(session: session).export() }

  static let baselineImport = CommandSpec(
    name: "baseline import", summary: "Take a baseline file into the database.",
    arguments: [ArgumentRow("FILE", "A file that 'evalrun baseline export' wrote.")],
    options: [
      OptionRow("as", value: ("NAME", .text), "Another name than the file has."), databaseOption, colorOption,
      quietOption, helpOption,
    ],
    examples: [("evalrun baseline import evals/main.baseline.json --as main", "give it a name here")]
  ) { session throws(CommandFailure) in try BaselineCommands(session: session).importFile() }
}

/// The `baseline` commands.
struct BaselineCommands {
  let session: Session

  private var words: [String] { session.arguments.positional }
  private var desk: BaselineDesk { BaselineDesk(session: session) }

  func set() throws(CommandFailure) -> ExitCode {
    try desk.checkName(words[0])
    let store = try session.openStore(.write)
    defer { store.close() }
    let run = try session.run(words[1], in: store)
    do {
      let before = try store.baseline(ifNamed: words[0])
      let finished = try store.finishedCounts()[run.id] ?? 0
      try store.setBaseline(words[0], to: run)
      if let before, before.run.id != run.id { session.console.note("it was run \(before.run.id)") }
      if run.status != .finished {
        session.console.note(
          "run \(run.id) is \(run.status.rawValue): \(finished) of \(counted(run.plannedTrials, "trial")) are there"
        )
      }
    } catch {
      throw CommandFailure(error)
    }
    session.console.result("\(words[0]) is run \(run.id)\n")
    return .done
  }

  func list() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    var entries: [BaselineList.Entry] = []
    do {
      for name in try store.baselineNames() {
        let baseline = try store.baseline(named: name)
        var isImported = false
        if case .file = baseline.origin { isImported = true }
        entries.append(
          .init(name: name, run: baseline.run, isImported: isImported, setAt: baseline.setAt))
      }
    } catch {
      throw CommandFailure(error)
    }
    TerminalRenderer(session.reportOptions).render(BaselineList.document(entries)) {
      session.console.result($0)
    }
    return .done
  }

  func remove() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.write)
    defer { store.close() }
    do {
      try store.removeBaseline(words[0])
    } catch {
      throw CommandFailure(error)
    }
    session.console.result("\(words[0]) is no baseline any more\n")
    return .done
  }

  func export() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    let (name, source) = try named(words[0], in: store)
    if words[1] == "-" {
      try write(source, name: name) { session.console.result($0) }
      return .done
    }
    let file = try OutputFile(path: words[1])
    try write(source, name: name) { file.write($0) }
    try file.close()
    session.console.note("\(words[1]): \(counted(source.run.caseCount, "case")) of run \(source.run.id)")
    return .done
  }

  func importFile() throws(CommandFailure) -> ExitCode {
    let (file, bytes) = try desk.read(words[0])
    let name = session.arguments.text("as") ?? file.name
    try desk.checkName(name)
    let store = try session.openStore(.write)
    defer { store.close() }
    do {
      try store.importBaseline(name, content: bytes)
    } catch {
      throw CommandFailure(error)
    }
    session.console.result("\(name) is run \(file.run.id), imported\n")
    return .done
  }

  /// A baseline, or a run under its own name.
  private func named(
    _ text: String, in store: RunStore
  ) throws(CommandFailure) -> (name: String, source: any TrialSource) {
    do {
      if let baseline = try store.baseline(ifNamed: text) { return (text, try desk.source(baseline)) }
      let run = try store.run(matching: text)
      return (run.name ?? run.id, store.trials(run))
    } catch {
      throw CommandFailure(error)
    }
  }

  private func write(
    _ source: any TrialSource, name: String, to sink: (String) -> Void
  ) throws(CommandFailure) {
    do {
      try BaselineFile.write(source, name: name, to: sink)
    } catch {
      throw CommandFailure(error)
    }
  }
}
