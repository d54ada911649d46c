import EvalCore
import Foundation

@testable import EvalSuites

/// A folder of its own for a test, with a suite and what it names; gone when the test is.
final class Folder {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "evalsuites-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ text: String) -> String { write(name, [UInt8](text.utf8)) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) -> String {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try! FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: file, contents: Data(bytes))
    return file
  }

  func read(
    _ suite: String, vocabulary: SuiteVocabulary = .test, commands: Bool = false,
    environment: [String: String] = [:]
  ) throws(Problems) -> Suite {
    let file = write("suite.json", suite)
    return try SuiteReader(vocabulary: vocabulary, allowsCommands: commands, environment: environment)
      .read(path: file)
  }

  /// What is wrong with a suite, a line each, paths relative to the folder; warnings only when it can be read.
  func problems(
    _ suite: String, vocabulary: SuiteVocabulary = .test, environment: [String: String] = [:]
  ) -> [String] {
    do throws(Problems) {
      return lines(try read(suite, vocabulary: vocabulary, environment: environment).findings)
    } catch {
      return lines(error.all)
    }
  }

  func lines(_ problems: [Problem]) -> [String] {
    problems.map { problem in
      let place = problem.location.map { "\($0): " } ?? ""
      let path = problem.path.map { "\($0): " } ?? ""
      let advice = problem.advice.map { " (\($0))" } ?? ""
      return (place + "\(problem.severity): " + path + problem.message + advice)
        .replacingOccurrences(of: self.path + "/", with: "")
    }
  }
}

/// The messages alone, for tests in which the place does not matter.
func messages(_ lines: [String]) -> [String] {
  lines.map { line in
    line.components(separatedBy: ": ").last ?? line
  }
}

struct NoGrader: Grader {
  func grade(_ subject: Subject) async -> Verdict { Verdict(.verdict(true)) }
}

extension SuiteVocabulary {
  static let test = SuiteVocabulary(providers: [.chat, .plain], graders: [.contains, .regex, .equals, .all])
}

extension ProviderDescriptor {
  /// One that takes everything.
  static let chat = ProviderDescriptor(
    name: "openai-chat", summary: "a service", capabilities: Set(Capability.allCases),
    options: [OptionSpec("apiVersion", ["type": "string"], "the version of the service")],
    servers: ["llama.cpp", "vllm"])

  /// A program that takes a text and nothing else.
  static let plain = ProviderDescriptor(
    name: "plain", summary: "a program", needsModel: false, usesEndpoint: false, capabilities: [],
    options: [
      OptionSpec(
        "command", ["type": "array", "items": ["type": "string"], "minItems": 1], "the program",
        isRequired: true),
      OptionSpec("speed", ["type": "integer", "minimum": 1], "how fast it is"),
    ],
    validate: { profile in
      guard profile.options["command"]?[0]?.stringValue == "rm" else { return [] }
      return [
        Problem(.error, "that program is dangerous", path: "options.command[0]", advice: "take another")
      ]
    })
}

extension GraderDescriptor {
  static let contains = GraderDescriptor(
    name: "contains", summary: "the answer has a text", argument: ["type": "string"],
    options: [OptionSpec("ignoreCase", ["type": "boolean"], "whether case counts")],
    example: ["contains": "Paris"]
  ) { spec, _ throws(GraderProblem) in
    guard spec.argument.stringValue != nil else {
      throw GraderProblem("'contains' takes a string", path: "contains")
    }
    return NoGrader()
  }

  /// Refuses a pattern with an open bracket.
  static let regex = GraderDescriptor(
    name: "regex", summary: "the answer matches", argument: ["type": "string"], example: ["regex": "a"]
  ) { spec, _ throws(GraderProblem) in
    if spec.argument.stringValue?.contains("[") == true, spec.argument.stringValue?.contains("]") == false {
      throw GraderProblem("the pattern has '[' without ']'", path: "regex", advice: "close it")
    }
    return NoGrader()
  }

  static let equals = GraderDescriptor(
    name: "equals", summary: "the answer is a value", argument: [:], example: ["equals": 1]
  ) { _, _ throws(GraderProblem) in NoGrader() }

  static let all = GraderDescriptor(
    name: "all", summary: "every check passes",
    argument: ["type": "array", "items": ["$ref": "#/$defs/check"]], example: ["all": [["contains": "a"]]]
  ) { spec, context throws(GraderProblem) in
    for (index, json) in (spec.argument.arrayValue ?? []).enumerated() {
      do throws(GraderProblem) {
        _ = try context.makeNested(CheckSpec.decode(json, graders: [.contains, .regex, .rubric, .judge]))
      } catch {
        throw GraderProblem(error.message, path: "all[\(index)].\(error.path)", advice: error.advice)
      }
    }
    return NoGrader()
  }
}

/// A suite around some members; profiles, cases and checks that are right unless given.
func suite(
  profiles: String = #"{"m": {"endpoint": "http://h/v1", "model": "x", "price": "free"}}"#,
  cases: String = #"[{"id": "a", "input": "Hello"}]"#, checks: String = #"[{"contains": "x"}]"#,
  more: String = ""
) -> String {
  """
  {"version": 1, "profiles": \(profiles), "cases": \(cases), "checks": \(checks)\(more.isEmpty ? "" : ", " + more)}
  """
}
