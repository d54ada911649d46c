/// The commands about policies that send nothing.
extension CommandTable {
  private static let policyArgument = ArgumentRow("POLICY.json", "The policy; see Docs/Routing.md.")

  private static let suiteOption = OptionRow(
    "suite", value: ("SUITE.json", .text),
    "Where the arms are described, and how far content may travel; the policy's own 'arms' unless given.")

  private static let formatOption = OptionRow(
    "format", short: "f", value: ("FORMAT", .choice(["text", "json"])), "text or json; text unless given.")

  static let routeTest = CommandSpec(
    name: "route test", summary: "Hold a policy against probes, without a request.",
    discussion: """
      A probe is one line of JSON: signals of a case, with the arms that must be called and those that must not. Exits
      with 1 when the policy does otherwise.
      """,
    arguments: [policyArgument, ArgumentRow("PROBES.jsonl", "The probes.")],
    options: [suiteOption, formatOption, commandsOption, colorOption, quietOption, helpOption],
    examples: [("evalrun route test policy.json probes.jsonl", "as a check in CI")],
    perform: { session throws(CommandFailure) in try RouteTestCommand(session: session).perform() })

  static let routeExplain = CommandSpec(
    name: "route explain", summary: "Say what a policy does with a case, step by step, and why.",
    arguments: [policyArgument],
    options: [
      OptionRow("signals", value: ("JSON", .text), "The case's signals, as a suite states them."),
      OptionRow(
        "tokens", value: ("N", .text), "Tokens that would travel: a number, or JSON such as {\"cloud\": 900}."
      ),
      OptionRow("turn", value: ("N", .count(atLeast: 0)), "The turn of the conversation; 0 unless given."),
      OptionRow(
        "errors", value: ("ARM=ERROR", .text), repeats: true,
        "How an arm's calls end, such as on-device=guardrail; several with commas."),
      suiteOption, formatOption, commandsOption, colorOption, helpOption,
    ],
    examples: [
      (
        #"evalrun route explain policy.json --signals '{"sensitivity": "private"}' --tokens 900"#,
        "which arm answers, and why no other"
      ),
      (
        "evalrun route explain policy.json --errors on-device=guardrail", "what happens after a guardrail"
      ),
    ],
    perform: { session throws(CommandFailure) in try RouteExplainCommand(session: session).perform() })

  static let routeLint = CommandSpec(
    name: "route lint",
    summary: "Find parts of a policy that can never matter, and tabulate what it decides.",
    discussion: """
      Tries every combination of the values that the policy can tell apart, or a seeded sample where there are too many.
      Exits with 1 when the policy is wrong.
      """,
    arguments: [policyArgument],
    options: [
      suiteOption, formatOption, OptionRow("strict", "Treat warnings as errors."), commandsOption,
      colorOption,
      quietOption, helpOption,
    ],
    examples: [("evalrun route lint policy.json --suite suite.json", "with the suite's profiles as arms")],
    perform: { session throws(CommandFailure) in try RouteLintCommand(session: session).perform() })
}
