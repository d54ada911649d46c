import EvalCore

/// How a profile wants its program to be run.
struct CommandOptions: Sendable {
  /// What the program writes.
  enum Output: String, Sendable, CaseIterable {
    /// JSON lines (`Docs/CommandProvider.md`).
    case events
    /// The answer itself.
    case text
  }

  /// What the program reads on standard input.
  enum Input: String, Sendable, CaseIterable {
    /// The whole request as JSON.
    case request
    /// The text of the one user message.
    case prompt
    case none
  }

  /// The program and its arguments, which are templates.
  var arguments: [String]
  var output: Output
  var input: Input

  static let specs = [
    OptionSpec(
      "command",
      ["type": "array", "items": ["type": "string"], "minItems": 1],
      "The program and its arguments, each a text of its own; no shell reads them. {{prompt}}, {{instructions}}, "
        + "{{model}} and the names of parameters are filled in.", isRequired: true),
    OptionSpec(
      "output", ["enum": .array(Output.allCases.map { .string($0.rawValue) })],
      "What the program writes: events, JSON lines, unless given; or text, the answer itself."),
    OptionSpec(
      "input", ["enum": .array(Input.allCases.map { .string($0.rawValue) })],
      "What the program reads: request, the whole request as JSON; prompt, its text; or none. Unless given: none "
        + "where an argument holds the prompt, else prompt for text and request for events."),
  ]

  /// - Throws: a problem with a path within the profile.
  init(_ options: JSONObject) throws(Problem) {
    guard let words = options["command"]?.arrayValue?.map(\.stringValue), !words.isEmpty,
      !words.contains(nil)
    else {
      throw Problem(
        .error, "a command is an array of the program and its arguments", path: "options.command",
        advice: "no shell reads it: write each argument as a text of its own")
    }
    arguments = words.compactMap(\.self)
    if arguments[0].isEmpty {
      throw Problem(.error, "the program has no name", path: "options.command[0]")
    }
    if let place = arguments.firstIndex(where: { $0.utf8.contains(0) }) {
      throw Problem(.error, "an argument cannot hold a NUL", path: "options.command[\(place)]")
    }
    output = try Self.word(options["output"], "output") ?? .events
    let isInArguments = arguments.contains { Template.names(in: $0).contains("prompt") }
    let usual: Input = isInArguments ? .none : output == .text ? .prompt : .request
    input = try Self.word(options["input"], "input") ?? usual
    if input == .none, !isInArguments {
      throw Problem(
        .error, "the prompt does not reach the program", path: "options.command",
        advice: "write {{prompt}} in an argument, or let the program read it")
    }
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ value: JSONValue?, _ key: String
  ) throws(Problem) -> Word? where Word.RawValue == String {
    guard let value, value != .null else { return nil }
    if let word = value.stringValue.flatMap(Word.init(rawValue:)) { return word }
    throw Problem(
      .error, "'\(key)' is one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))",
      path: "options.\(key)")
  }
}

extension CommandOptions {
  /// What arguments may name, with its value; JSON's null where the profile or the call has none.
  static func variables(of profile: Profile, instructions: String?, prompt: String) -> JSONObject {
    let parameters = profile.parameters
    return [
      "prompt": .string(prompt), "instructions": instructions.map { .string($0) } ?? .null,
      "model": profile.model.isEmpty ? .null : .string(profile.model),
      "temperature": parameters.temperature.map { .number($0) } ?? .null,
      "topP": parameters.topP.map { .number($0) } ?? .null,
      "seed": parameters.seed.map { .integer($0) } ?? .null,
      "maxOutputTokens": parameters.maxOutputTokens.map { .integer(Int64($0)) } ?? .null,
      "reasoning": parameters.reasoning.map { .string($0) } ?? .null,
    ]
  }

  /// The arguments with their templates filled in.
  func filled(_ variables: JSONObject) throws(Template.Missing) -> [String] {
    var filled: [String] = []
    for argument in arguments { filled.append(try Template.render(argument, variables)) }
    return filled
  }

  /// Names that stand in the arguments, each with its argument's place.
  var names: [(name: String, place: Int)] {
    arguments.enumerated().flatMap { place, text in Template.names(in: text).map { ($0, place) } }
  }
}
