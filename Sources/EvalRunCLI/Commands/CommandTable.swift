import EvalReports

/// Every command: the one table that parser, help and `Docs/CommandReference.md` are made from.
package enum CommandTable {
  package static let all: [CommandSpec] = [
    run, validate, plan, list, show, report, open, score, gate, power, compare, baselineSet, baselineList,
    baselineRemove,
    baselineExport, baselineImport, routeTest, routeExplain, routeLint, routeReplay, routeSweep, judgeLabel,
    judgeCheck, prompt,
    schema, help,
  ]

  static let helpOption = OptionRow("help", short: "h", "Say what the command does.")
  static let databaseOption = OptionRow(
    "db", value: ("FILE", .text),
    "The database of runs; $EVALRUN_DB, else .evalrun/evalrun.sqlite in this folder.")
  static let colorOption = OptionRow(
    "color", value: ("WHEN", .choice(Terminal.ColorWish.allCases.map(\.rawValue))),
    "auto, always or never. NO_COLOR, CLICOLOR_FORCE and TERM count under auto.")
  static let quietOption = OptionRow("quiet", short: "q", "Print results and errors only.")
  static let strictOption = OptionRow("strict", "Treat findings about the suite as errors.")
  static let commandsOption = OptionRow(
    "allow-commands", "Let checks and providers of the kind 'command' start programs.")

  static let selectionOptions = [
    OptionRow(
      "target", value: ("NAME", .text), repeats: true, "Only this profile or route; may be repeated."),
    OptionRow("case", value: ("ID", .text), repeats: true, "Only this case; may be repeated."),
    OptionRow("tag", value: ("TAG", .text), repeats: true, "Only cases with this tag; may be repeated."),
    OptionRow("limit", value: ("N", .count(atLeast: 1)), "Only the first N cases."),
    OptionRow(
      "sample", value: ("N", .count(atLeast: 1)),
      "N cases drawn with the seed, from every first tag its share."),
    OptionRow("seed", value: ("N", .count(atLeast: 0)), "Order and draws; the suite's, else 1."),
    OptionRow("repeats", value: ("N", .count(atLeast: 1)), "Trials of each case and target."),
  ]

  static let run = CommandSpec(
    name: "run", summary: "Run a suite and report. 'evalrun SUITE.json' is short for it.",
    discussion: """
      Every case goes to every target; each call is stored as it ends. A run that was stopped, even by kill -9, goes on
      when the same command is given again; a finished one is never touched. The first Ctrl-C lets calls in flight end
      and saves, the second cancels them.
      """,
    arguments: [ArgumentRow("SUITE.json", "The suite; see Docs/SuiteFormat.md.")],
    options: selectionOptions + [
      OptionRow("concurrency", value: ("N", .count(atLeast: 1)), "Calls in flight for each profile."),
      OptionRow("max-concurrency", value: ("N", .count(atLeast: 1)), "Calls in flight over everything."),
      OptionRow("warmup", value: ("N", .count(atLeast: 0)), "Calls for each profile before the measurement."),
      OptionRow("retries", value: ("N", .count(atLeast: 0)), "Retries of a failed call."),
      OptionRow("timeout", value: ("TIME", .duration), "The longest a call may last."),
      OptionRow(
        "max-cost", value: ("DOLLARS", .amount), "Stop before the live calls of this command cost more."),
      OptionRow("max-errors", value: ("N", .count(atLeast: 1)), "Stop after N trials whose calls failed."),
      OptionRow("fail-fast", "Stop at the first trial that fails or does not pass."),
      OptionRow("fresh", "Give up an unfinished run of this plan and start anew."),
      OptionRow("name", value: ("NAME", .text), "A name for the run, to ask for it later."),
      OptionRow("private", "Store no prompt and no answer, only their hash and length."),
      OptionRow("live", "Call the providers although the suite names a recording."),
      OptionRow(
        "record", value: ("FILE", .text), "Keep every exchange in a recording; see Docs/Recordings.md."),
      OptionRow("replay", value: ("FILE", .text), "Answer from a recording and call nobody."),
      OptionRow(
        "pace", value: ("PACE", .choice(["recorded", "instant"])),
        "How fast a recording answers: as it came, or at once; the suite's, else recorded."),
      OptionRow("replay-failures", "Serve recorded failures too, not only whole answers."),
      OptionRow(
        "output", short: "o", value: ("DIR", .text),
        "Where reports are written; Reports in this folder unless given."),
      OptionRow("no-reports", "Write no report files."),
      OptionRow(
        "ci",
        "For CI: write junit.xml and comment.md beside the reports and, on GitHub, the step's summary and annotations. "
          + "See Docs/CI.md."),
      OptionRow("junit", value: ("FILE", .text), "Write JUnit XML to this file."),
      OptionRow(
        "comment", value: ("FILE", .text), "Write the verdict and the comparison as Markdown for a comment."),
    ] + gateOptions + [
      strictOption, commandsOption, databaseOption, colorOption, quietOption, helpOption,
    ],
    examples: [
      ("evalrun Suites/quickstart.json", "run the recorded example"),
      ("evalrun suite.json --target on-device --limit 10", "a quick look at one target"),
      ("evalrun suite.json --max-cost 0.50 --max-errors 5", "with an eye on the bill"),
      (
        "evalrun suite.json --baseline main.json --sample 40 --ci",
        "a pull request against what was committed"
      ),
    ],
    perform: { session throws(CommandFailure) in try RunCommand(session: session).perform() })

  static let validate = CommandSpec(
    name: "validate", summary: "Check a suite and say everything that is wrong with it; runs nothing.",
    arguments: [ArgumentRow("SUITE.json", "The suite.")],
    options: [strictOption, commandsOption, colorOption, quietOption, helpOption],
    examples: [("evalrun validate suite.json --strict", "as a check in CI")],
    perform: { session throws(CommandFailure) in try ValidateCommand(session: session).perform() })

  static let plan = CommandSpec(
    name: "plan", summary: "Print calls, order, tokens and cost that a run would take; runs nothing.",
    discussion: "Token counts are estimates by language and script, and marked as such.",
    arguments: [ArgumentRow("SUITE.json", "The suite.")],
    options: selectionOptions + [
      OptionRow("order", "Print every planned trial in its order."),
      strictOption, commandsOption, colorOption, quietOption, helpOption,
    ],
    examples: [("evalrun plan suite.json --sample 40", "what a sampled run would cost")],
    perform: { session throws(CommandFailure) in try PlanCommand(session: session).perform() })

  static let list = CommandSpec(
    name: "list", summary: "List the runs in the database, newest first.",
    options: [
      OptionRow("limit", value: ("N", .count(atLeast: 1)), "At most N runs; 20 unless given."),
      databaseOption,
      colorOption, helpOption,
    ],
    examples: [("evalrun list", "the last 20 runs")],
    perform: { session throws(CommandFailure) in try ListCommand(session: session).perform() })

  static let show = CommandSpec(
    name: "show", summary: "Show a run, or the story of one case in it.",
    arguments: [
      ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'."),
      ArgumentRow("CASE", isOptional: true, "A case's id."),
    ],
    options: [scoresOption, databaseOption, colorOption, helpOption],
    examples: [
      ("evalrun show latest", "which cases passed where"),
      ("evalrun show latest capital-of-france", "input, answers, checks and every attempt"),
    ],
    perform: { session throws(CommandFailure) in try ShowCommand(session: session).perform() })

  static let report = CommandSpec(
    name: "report", summary: "Report on a run that is in the database.",
    arguments: [ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'.")],
    options: [
      OptionRow(
        "format", short: "f", value: ("FORMAT", .choice(ReportFormat.all.map(\.name))),
        "terminal, md, html, json, csv or junit; terminal unless given."),
      OptionRow("output", short: "o", value: ("FILE", .text), "Write to a file instead of standard output."),
      scoresOption, databaseOption, colorOption, helpOption,
    ],
    examples: [
      ("evalrun report latest --format md > report.md", "for a pull request"),
      ("evalrun report latest --format html --output report.html", "a page to send to a colleague"),
    ],
    perform: { session throws(CommandFailure) in try ReportCommand(session: session).perform() })

  static let open = CommandSpec(
    name: "open", summary: "Show the page of a run, written anew where it is older than the database.",
    discussion: """
      It is shown by $EVALRUN_OPENER, else $BROWSER, else the platform's own 'open' or 'xdg-open'. Where nobody can show it, its
      path goes to standard output.
      """,
    arguments: [ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'.")],
    options: [
      OptionRow(
        "format", short: "f",
        value: ("FORMAT", .choice(ReportFormat.all.map(\.name).filter { $0 != "terminal" })),
        "html, md, json, csv or junit; html unless given."),
      OptionRow(
        "output", short: "o", value: ("DIR", .text),
        "Where reports are written; Reports in this folder unless given."),
      databaseOption, colorOption, quietOption, helpOption,
    ],
    examples: [("evalrun open latest", "look at what just ran")],
    perform: { session throws(CommandFailure) in try OpenCommand(session: session).perform() })

  static let compare = CommandSpec(
    name: "compare", summary: "Compare two runs, or two targets of one: what differs, and how surely.",
    discussion: """
      Trials pair by case content and repeat. Differences are of the second against the first; each says what could have
      been seen and what it would take to see less. Without --target, targets of the same name are compared.
      """,
    arguments: [
      ArgumentRow("A", "The reference: a run as for 'report', a baseline or its file, or RUN:TARGET."),
      ArgumentRow("B", isOptional: true, "What is compared with it; without it, two targets of A are."),
    ],
    options: [
      OptionRow(
        "target", value: ("NAME", .text), repeats: true,
        "Only this target of both runs; of one run alone, its two targets."),
      OptionRow(
        "difference", value: ("D", .amount),
        "Say how many cases it takes to see this difference of a rate or score, such as 0.05."),
      OptionRow(
        "format", short: "f", value: ("FORMAT", .choice(ComparisonFormat.all.map(\.name))),
        "terminal, md, html, json or csv; terminal unless given."),
      OptionRow("output", short: "o", value: ("FILE", .text), "Write to a file instead of standard output."),
      scoresOption, databaseOption, colorOption, helpOption,
    ],
    examples: [
      ("evalrun compare main latest", "the newest run against the one named main"),
      ("evalrun compare latest:on-device latest:cloud", "two targets of one run"),
      ("evalrun compare main latest --format md > comment.md", "for a pull request"),
    ],
    perform: { session throws(CommandFailure) in try CompareCommand(session: session).perform() })

  static let prompt = CommandSpec(
    name: "prompt", summary: "Send one prompt and stream the answer; several profiles side by side.",
    discussion: """
      The answer goes to standard output as it comes; a closing line with first token, total, tokens and cost goes to
      standard error. Nothing is stored.
      """,
    arguments: [ArgumentRow("TEXT", "The prompt; '-' reads it from standard input.")],
    options: [
      OptionRow("suite", value: ("SUITE.json", .text), "Where profiles are described."),
      OptionRow("profile", value: ("NAME", .text), repeats: true, "A profile of the suite; may be repeated."),
      OptionRow(
        "provider", value: ("NAME", .text), "Without a suite: the provider; openai-chat unless given."),
      OptionRow("model", value: ("NAME", .text), "Without a suite: the model."),
      OptionRow(
        "endpoint", value: ("URL", .text), "Without a suite: the base URL; the provider's own unless given."),
      OptionRow(
        "key-env", value: ("VARIABLE", .text), "Without a suite: the environment variable with the key."),
      OptionRow("instructions", value: ("TEXT", .text), "The system text."),
      OptionRow("temperature", value: ("T", .amount), "The temperature."),
      OptionRow("max-tokens", value: ("N", .count(atLeast: 1)), "The most tokens to generate."),
      OptionRow("timeout", value: ("TIME", .duration), "The longest the call may last."),
      OptionRow("no-stream", "Ask for the answer in one piece."), commandsOption, colorOption, helpOption,
    ],
    examples: [
      (
        "evalrun prompt \"Name a river\" --endpoint http://127.0.0.1:18080/v1 --model smollm2-135m-instruct",
        "ask a local server"
      ),
      (
        "evalrun prompt \"Name a river\" --suite Suites/local-models.json --profile on-device --profile larger",
        "two profiles side by side"
      ),
    ],
    perform: { session throws(CommandFailure) in try PromptCommand(session: session).perform() })

  static let schema = CommandSpec(
    name: "schema", summary: "Print the JSON Schema of suites, which editors use.",
    options: [helpOption], examples: [("evalrun schema > evalrun.schema.json", "beside your suites")],
    perform: { session in SchemaCommand(session: session).perform() })

  static let help = CommandSpec(
    name: "help", summary: "Print this overview, or a command's page.",
    arguments: [
      ArgumentRow("COMMAND", isOptional: true, repeats: true, "A command, such as run or route test.")
    ],
    options: [helpOption],
    perform: { session throws(CommandFailure) in try HelpCommand(session: session).perform() })
}
