extension CommandTable {
  static let judgeLabel = CommandSpec(
    name: "judge label",
    summary: "Have a person label answers of a run, blind, to measure its judges by.",
    discussion: """
      Answers are drawn evenly over targets and the judges' verdicts and shown in a shuffled order, without target, model and
      verdict. At a terminal a key labels each; every label is saved at once, and the same command goes on where it stopped.
      Without a terminal the questions are written to a file, to be labelled with an editor: fill in every "label".
      """,
    arguments: [ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'.")],
    options: [
      OptionRow(
        "output", short: "o", value: ("FILE", .text),
        "The file of labels, JSON lines; RUN.labels.jsonl in this folder unless given."),
      OptionRow("count", value: ("N", .count(atLeast: 1)), "How many answers to draw; 60 unless given."),
      OptionRow(
        "check", value: ("NAME", .text), repeats: true,
        "Only answers that this check judged; may be repeated. All judges' checks unless given."),
      OptionRow("seed", value: ("N", .count(atLeast: 0)), "Of the draw and the order; 1 unless given."),
      OptionRow("by", value: ("NAME", .text), "Who labels; it is kept with the labels."),
      OptionRow("file-only", "Write the file and ask nothing, at a terminal, too."),
      databaseOption, colorOption, quietOption, helpOption,
    ],
    examples: [
      ("evalrun judge label latest --by anna", "label at the terminal"),
      ("evalrun judge label latest --count 100 -o labels.jsonl --file-only", "a file for an editor"),
    ]
  ) { session throws(CommandFailure) in try JudgeLabelCommand(session: session).perform() }

  static let judgeCheck = CommandSpec(
    name: "judge check",
    summary: "Hold a run's judges against labels of people: agreement, errors, corrected pass rates.",
    discussion: """
      The labels are kept with the judge, so that later reports of runs with the same judge and check carry corrected pass
      rates beside the judged ones. See Docs/Judges.md.
      """,
    arguments: [
      ArgumentRow(
        "LABELS", "A file of 'judge label', or one by hand: JSON lines or CSV with case, check, label.")
    ],
    options: [
      OptionRow(
        "run", value: ("RUN", .text), "The run that is held against them; the file's own unless given."),
      OptionRow(
        "format", short: "f", value: ("FORMAT", .choice(["terminal", "md", "json"])),
        "terminal, md or json; terminal unless given."),
      OptionRow("output", short: "o", value: ("FILE", .text), "Write to a file instead of standard output."),
      OptionRow("no-store", "Keep nothing: later reports stay as they are."),
      databaseOption, colorOption, quietOption, helpOption,
    ],
    examples: [
      ("evalrun judge check labels.jsonl", "the judges of the run that was labelled"),
      ("evalrun judge check labels.csv --run latest --format md", "labels by hand, for a pull request"),
    ]
  ) { session throws(CommandFailure) in try JudgeCheckCommand(session: session).perform() }
}
