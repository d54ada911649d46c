import EvalAnalysis

extension CommandTable {
  private static let runArgument = ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'.")
  private static let policyOption = OptionRow(
    "policy", value: ("FILE", .text), repeats: true,
    "A policy's file, or the name of a route of the run; may be repeated. All routes of the run unless given."
  )
  private static let formatOption = OptionRow(
    "format", short: "f", value: ("FORMAT", .choice(["terminal", "md", "html", "json", "csv"])),
    "terminal, md, html, json or csv; terminal unless given.")
  private static let outputOption = OptionRow(
    "output", short: "o", value: ("FILE", .text), "Write the report to a file instead of standard output.")
  private static let seedOption = OptionRow(
    "seed", value: ("N", .count(atLeast: 0)), "Of everything that is drawn; 1 unless given.")
  private static let endOptions = [
    OptionRow(
      "weak", value: ("ARM", .text),
      "The near end of quadrants, coin and PGR; the arm of the nearest boundary unless given."),
    OptionRow(
      "strong", value: ("ARM", .text), "The far end; the last arm of the farthest boundary unless given."),
  ]
  private static let scenarioOptions = [
    OptionRow(
      "inject", value: ("ERRORS", .text),
      "What if calls failed by chance: \"network=0.1, rateLimited=0.05, seed=1\"."),
    OptionRow("offline", "What if no case had a network."),
    OptionRow("low-power", "What if every case had low power."),
    OptionRow(
      "outage", value: ("ARM", .text), repeats: true,
      "What if this arm, or everything at this endpoint, were down; may be repeated."),
    OptionRow(
      "prices", value: ("FILE", .text),
      "What if tokens cost something else: {\"PROFILE or model\": {\"input\": 0.15, \"output\": 0.6}}."),
  ]
  private static var sweepMetrics: String {
    wrap(SweepMetric.allCases.map(\.rawValue).joined(separator: ", "), to: 110).joined(separator: "\n")
  }
  private static let noFailOption = OptionRow(
    "no-fail", "Exit 0 even if content would have gone where it may not; the report says so all the same.")

  static let routeReplay = CommandSpec(
    name: "route replay",
    summary: "Say what policies would have done over a recorded run, without a call.",
    discussion: """
      Every case of the run was answered by every profile; a policy's way through those answers is worked out with the same
      code that decides live. What the recording cannot say is missing and stays so. Leaks of a policy end it with exit code 1.
      """,
    arguments: [runArgument],
    options: [policyOption] + scenarioOptions + endOptions + [
      seedOption, formatOption, outputOption, noFailOption, scoresOption, databaseOption, colorOption,
      quietOption, helpOption,
    ],
    examples: [
      ("evalrun route replay latest --policy careful.json --policy naive.json", "two policies side by side"),
      (
        "evalrun route replay latest --policy careful.json --inject \"network=0.1, seed=1\"",
        "with every tenth call failing"
      ),
    ]
  ) { session throws(CommandFailure) in try RouteReplayCommand(session: session).perform() }

  static let routeSweep = CommandSpec(
    name: "route sweep",
    summary:
      "Vary a policy, choose the best one within limits on half of the cases, and try it on the other half.",
    discussion: """
      Metrics:
      \(sweepMetrics).

      The best of many looks better than it is: what counts is its value on the cases that it was
      not chosen on.
      """,
    arguments: [runArgument],
    options: [
      OptionRow("policy", value: ("FILE", .text), "The policy's file, or the name of a route of the run."),
      OptionRow(
        "vary", value: ("PLACE=VALUES", .text), repeats: true,
        "What to change: rules[2].when.tokensIn.atMost=500:8000:500, or values with commas; several make all combinations."
      ),
      OptionRow(
        "optimize", value: ("METRIC", .text), "What to make as good as it can be; quality unless given."),
      OptionRow(
        "subject-to", value: ("LIMITS", .text),
        "What must hold: \"costPerCase<=0.002, cloudShare<=0.4, leaks=0\"."),
      OptionRow("split", value: ("SHARE", .amount), "The part of the cases to choose on; 0.5 unless given."),
      OptionRow("out", value: ("FILE", .text), "Write the chosen policy to a file."),
    ] + scenarioOptions + [
      endOptions[1], seedOption, formatOption, outputOption, noFailOption, scoresOption, databaseOption,
      colorOption, quietOption, helpOption,
    ],
    examples: [
      (
        "evalrun route sweep latest --policy p.json --vary rules[0].when.tokensIn.atMost=500:8000:500 --out best.json",
        "the threshold with the best quality"
      )
    ]
  ) { session throws(CommandFailure) in try RouteSweepCommand(session: session).perform() }
}
