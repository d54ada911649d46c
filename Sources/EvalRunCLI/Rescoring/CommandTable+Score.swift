extension CommandTable {
  /// For every command that reads scores.
  static let scoresOption = OptionRow(
    "scores", value: ("SET", .text),
    "With the scores of this set, by number or name, instead of the run's own; see 'evalrun score'.")

  static let score = CommandSpec(
    name: "score", summary: "Grade a run's stored answers anew, as a score set beside the run's own.",
    discussion: """
      The subjects are not asked. Checks, rubrics and judges are those of the suite; a case whose input changed is not
      scored. Calls of judges are real ones, and booked to the set. Killed in the middle, the same command goes on.
      See Docs/Rescoring.md.
      """,
    arguments: [ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'.")],
    options: [
      OptionRow("with", value: ("SUITE.json", .text), "The suite that grades."),
      OptionRow("name", value: ("NAME", .text), "A name for the set, to ask for it later."),
      OptionRow(
        "again", "Grade anew although the run has a set of the same checks, as to see a judge's own spread."),
      OptionRow("list", "List the run's score sets; grades nothing."),
      OptionRow(
        "against", value: ("SET", .text),
        "The set to compare with, by number or name; the run's own unless given."),
      OptionRow("concurrency", value: ("N", .count(atLeast: 1)), "Calls in flight for each judge."),
      OptionRow("max-concurrency", value: ("N", .count(atLeast: 1)), "Calls in flight over all judges."),
      OptionRow("retries", value: ("N", .count(atLeast: 0)), "Retries of a judge's failed call."),
      OptionRow("timeout", value: ("TIME", .duration), "The longest that a judge's call may last."),
      OptionRow(
        "max-cost", value: ("DOLLARS", .amount), "Stop before the live calls of this command cost more."),
      OptionRow("live", "Call the judges although the suite names a recording."),
      OptionRow("record", value: ("FILE", .text), "Keep every exchange with judges in a recording."),
      OptionRow(
        "replay", value: ("FILE", .text), "Take the judges' answers from a recording and call nobody."),
      OptionRow("pace", value: ("PACE", .choice(["recorded", "instant"])), "How fast a recording answers."),
      OptionRow("replay-failures", "Serve recorded failures too, not only whole answers."),
      OptionRow(
        "format", short: "f", value: ("FORMAT", .choice(["terminal", "md", "html", "json"])),
        "terminal, md, html or json; terminal unless given."),
      OptionRow(
        "output", short: "o", value: ("FILE", .text), "Write the report to a file instead of standard output."
      ),
      strictOption, commandsOption, databaseOption, colorOption, quietOption, helpOption,
    ],
    examples: [
      ("evalrun score latest --with suite.json", "with the checks as they are now"),
      (
        "evalrun score latest --with strict.json --name strict --max-cost 0.50",
        "a stricter judge, and a limit"
      ),
      ("evalrun report latest --scores strict", "the run's report with those scores"),
    ],
    perform: { session throws(CommandFailure) in try ScoreCommand(session: session).perform() })
}
