import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program of the user's own judges: JSON in, JSON out.
struct CommandGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "command",
    summary: "A program of your own judges: it reads the case as JSON and writes {\"pass\"} or {\"score\"}.",
    argument: Shape.strings,
    options: [
      OptionSpec("timeout", TimeSpan.shape, "How long it may take; 10 seconds unless given."),
      OptionSpec(
        "input", true, "Anything that the program should get besides, as 'input' of its JSON's 'check'."),
    ],
    example: ["command": ["python3", "grade.py"], "timeout": "5s"]
  ) { spec, context throws(GraderProblem) in try CommandGrader(CheckReader(spec, graded: true), context) }

  private let arguments: [String]
  private let directory: String
  private let limits: CommandRun.Limits
  private let settings: JSONValue
  private let threshold: Double?

  init(_ reader: CheckReader, _ context: GraderContext) throws(GraderProblem) {
    guard context.allowsCommands else {
      throw GraderProblem(
        "a suite may not start programs unless it is allowed to", path: "command",
        advice: "pass --allow-commands if you trust this suite")
    }
    arguments = try CommandGrader.arguments(reader, context.directory)
    directory = context.directory
    let timeout = try TimeSpan.nanoseconds(reader.spec.options["timeout"] ?? "10s", at: "timeout")
    limits = CommandRun.Limits(time: timeout)
    threshold = reader.spec.threshold
    var settings: JSONObject = ["name": .string(reader.spec.name)]
    settings["input"] = reader.spec.options["input"]
    self.settings = .object(settings)
  }

  private static func arguments(_ reader: CheckReader, _ directory: String) throws(GraderProblem) -> [String]
  {
    guard var arguments = try? CheckReader.strings(reader.argument, at: "command"), !arguments[0].isEmpty,
      !arguments.contains(where: { $0.utf8.contains(0) })
    else {
      throw reader.wrongArgument(
        "a command is an array of the program and its arguments, such as [\"python3\", \"grade.py\"]",
        advice: "no shell reads it: write each argument as a text of its own")
    }
    // The program is named from the suite's folder, wherever it is started.
    if arguments[0].contains("/") {
      let path = SmallFile.absolute(arguments[0], in: directory)
      guard access(path, X_OK) == 0 else {
        throw GraderProblem("'\(arguments[0])' is not a program that can be run", path: "command[0]")
      }
      arguments[0] = path
    }
    return arguments
  }

  func grade(_ subject: Subject) async -> Verdict {
    let input = SubjectJSON.bytes(subject, check: settings)
    let run = CommandRun(arguments: arguments, directory: directory, input: input, limits: limits)
    let result = await run.result()
    guard result.end == .exited(0) else { return failed(describe(result.end), result) }
    switch CommandAnswer.read(result.output) {
    case .second(let why): return failed(why, result)
    case .first(let answer): return Verdict(answer.judgement(threshold: threshold), answer.explanation)
    }
  }

  private func failed(_ why: String, _ result: CommandRun.Result) -> Verdict {
    var text = why
    let errors = String(decoding: result.errors, as: UTF8.self).trimmed
    // The end of what it wrote says more than the beginning.
    if !errors.isEmpty { text += "; it wrote \(Quote.text(String(errors.suffix(Quote.limit - 1))))" }
    return Verdict(.unscored(.graderFailed, text), text)
  }

  private func describe(_ end: CommandRun.End) -> String {
    let name = arguments[0].split(separator: "/").last.map(String.init) ?? arguments[0]
    return switch end {
    case .exited(let code): "the command '\(name)' ended with \(code)"
    case .killed: "the command '\(name)' was ended by a signal"
    case .timedOut: "the command '\(name)' did not end within \(TimeSpan.words(limits.time))"
    case .tooMuchOutput: "the command '\(name)' wrote more than \(limits.output) bytes"
    case .cancelled: "the command '\(name)' was cancelled"
    case .notStarted(let why): why
    }
  }
}

/// What a command answers.
struct CommandAnswer: Sendable {
  private var score: Double?
  private var passed: Bool?
  private(set) var explanation: String?

  /// The answer, or why it is none.
  static func read(_ output: [UInt8]) -> Either<CommandAnswer, String> {
    let text = String(decoding: output, as: UTF8.self)
    guard let object = (try? JSONValue.parse(text))?.objectValue else {
      return .second("the command's output is no JSON object: \(Quote.text(text))")
    }
    var answer = CommandAnswer()
    if let value = object["score"] {
      guard let number = value.doubleValue, (0...1).contains(number) else {
        return .second("the command's score \(Quote.json(value)) is not within 0…1")
      }
      answer.score = number
    }
    if let value = object["pass"] {
      guard let flag = value.boolValue else {
        return .second("the command's pass \(Quote.json(value)) is not true or false")
      }
      answer.passed = flag
    }
    if answer.score == nil, answer.passed == nil {
      return .second("the command's output has neither 'score' nor 'pass': \(Quote.text(text))")
    }
    if let value = object["explanation"] {
      answer.explanation = Quote.shortened(value.stringValue ?? value.serialized(), to: 4000)
    }
    return .first(answer)
  }

  /// The program's own verdict counts before the check's threshold.
  func judgement(threshold: Double?) -> Judgement {
    switch (score, passed) {
    case (let score?, let passed?): .scored(value: score, passed: passed)
    case (let score?, nil): .graded(score, threshold: threshold)
    case (nil, let passed): .verdict(passed ?? false)
    }
  }
}
