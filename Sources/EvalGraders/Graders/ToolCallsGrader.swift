import EvalCore

/// The model called the right tools with the right arguments.
struct ToolCallsGrader: Grader {
  enum Scope: String, CaseIterable { case answer, conversation }

  static let descriptor = GraderDescriptor(
    name: "toolCalls", summary: "The model called these tools with these arguments and no others.",
    argument: [
      "type": "array",
      "items": Shape.any(
        Shape.string,
        [
          "type": "object", "additionalProperties": false, "required": ["name"],
          "properties": [
            "name": Shape.string, "arguments": ["type": ["object", "string"]],
            "match": Shape.words(ExpectedCall.Match.self),
          ],
        ]),
    ],
    options: [
      OptionSpec(
        "match", Shape.words(ExpectedCall.Match.self),
        "Whether the arguments are exactly those given (exact, unless given) or may be more (partial)."),
      OptionSpec(
        "defaults", Shape.any(Shape.bool, ["type": "object", "additionalProperties": ["type": "object"]]),
        "The values that left out arguments have, so that giving or leaving out a default is the same: for each tool, or "
          + "true for those that the profile's tools declare."
      ),
      OptionSpec("ordered", Shape.bool, "The calls come in the given order; false unless given."),
      OptionSpec("allowExtra", Shape.bool, "Accept other calls too; false unless given."),
      OptionSpec("forbidden", Shape.strings, "Tools that must not be called, whatever else is right."),
      OptionSpec(
        "scope", Shape.words(Scope.self),
        "Whose calls: of the answer under judgement, unless given, or of all turns so far (conversation)."),
    ],
    example: ["toolCalls": [["name": "get_weather", "arguments": ["city": "Paris"]]], "match": "partial"]
  ) { spec, _ throws(GraderProblem) in try ToolCallsGrader(CheckReader(spec, graded: true)) }

  private let expected: [ExpectedCall]
  private let isOrdered: Bool
  private let allowExtra: Bool
  private let forbidden: [String]
  private let scope: Scope
  private let threshold: Double
  /// Left out arguments have the values that the profile's tools declare.
  private let takesDeclared: Bool

  init(_ reader: CheckReader) throws(GraderProblem) {
    guard let items = reader.argument.arrayValue else {
      throw reader.wrongArgument("an array of calls is needed; an empty one expects none")
    }
    isOrdered = try reader.bool("ordered", default: false)
    allowExtra = try reader.bool("allowExtra", default: false)
    forbidden = try reader.strings("forbidden") ?? []
    scope = try reader.word("scope", default: .answer)
    threshold = reader.spec.threshold ?? 1
    let match = try reader.word("match", default: ExpectedCall.Match.exact)
    takesDeclared = reader.spec.options["defaults"]?.boolValue == true
    let defaults = try ToolCallsGrader.defaults(reader)
    var expected: [ExpectedCall] = []
    for (index, item) in items.enumerated() {
      expected.append(try ExpectedCall(item, match, defaults, at: "toolCalls[\(index)]"))
    }
    self.expected = expected
    if let name = forbidden.first(where: { name in expected.contains { $0.name == name } }) {
      throw GraderProblem("the tool '\(name)' is both expected and forbidden", path: "forbidden")
    }
    if expected.isEmpty, allowExtra, forbidden.isEmpty {
      throw reader.wrongArgument("with 'allowExtra', no expected and no forbidden call, nothing is checked")
    }
  }

  private static func defaults(_ reader: CheckReader) throws(GraderProblem) -> [String: JSONObject] {
    guard let value = reader.spec.options["defaults"], value.boolValue == nil else { return [:] }
    guard let tools = value.objectValue else {
      throw GraderProblem("'defaults' is true, or an object with an object for each tool", path: "defaults")
    }
    var defaults: [String: JSONObject] = [:]
    for tool in tools.members {
      guard let object = tool.value.objectValue else {
        throw GraderProblem("the defaults of a tool are an object", path: "defaults.\(tool.key)")
      }
      defaults[tool.key] = object
    }
    return defaults
  }

  func grade(_ subject: Subject) async -> Verdict {
    let calls = scope == .answer ? subject.answer.toolCalls : subject.turns.flatMap(\.toolCalls)
    if let call = calls.first(where: { forbidden.contains($0.name) }) {
      return Verdict(.scored(value: 0, passed: false), "the forbidden tool \(describe(call)) was called")
    }
    let expected =
      takesDeclared ? self.expected.map { $0.filling(subject.declaredDefaults(of: $0.name)) } : self.expected
    let pairs = isOrdered ? CallMatching.inOrder(expected, calls) : CallMatching.inAnyOrder(expected, calls)
    let missing = expected.indices.filter { pairs[$0] == nil }
    let matched = Set(pairs.compactMap(\.self))
    let extra = allowExtra ? [] : calls.indices.filter { !matched.contains($0) }
    let whole = max(expected.count, allowExtra ? 0 : calls.count)
    let share = whole == 0 ? 1 : Double(expected.count - missing.count) / Double(whole)
    return Verdict(
      .graded(share, threshold: threshold),
      explanation(missing.map { expected[$0] }, extra.map { calls[$0] }, calls))
  }

  private func explanation(_ missing: [ExpectedCall], _ extra: [ToolCall], _ calls: [ToolCall]) -> String {
    if missing.isEmpty, extra.isEmpty {
      return calls.isEmpty ? "no tool was called, as expected" : "called \(list(calls))"
    }
    var parts: [String] = []
    if let first = missing.first {
      let near = (extra + calls).first { $0.name == first.name }
      let why =
        near.flatMap { first.difference($0) }.map { ": \($0)" }
        ?? (isOrdered && near != nil ? " in this order" : "")
      parts.append(
        "\(missing.count == 1 ? "" : "\(missing.count) calls are missing, first ")\(first.described) was not called\(why)"
      )
    }
    if !extra.isEmpty { parts.append("not expected: \(list(extra))") }
    if calls.isEmpty { parts.append("no tool was called") }
    return parts.joined(separator: "; ")
  }

  private func list(_ calls: [ToolCall]) -> String {
    calls.prefix(3).map(describe).joined(separator: ", ")
      + (calls.count > 3 ? " and \(calls.count - 3) more" : "")
  }

  private func describe(_ call: ToolCall) -> String { "\(call.name)(\(Quote.json(call.arguments)))" }
}

extension Subject {
  /// The `default`s in the schema of a tool's arguments, by argument; empty for a tool that the profile does not have.
  fileprivate func declaredDefaults(of tool: String) -> JSONObject {
    let properties = tools.first { $0.name == tool }?.parameters["properties"]?.objectValue ?? [:]
    return JSONObject(
      properties.members.compactMap { member in
        member.value["default"].map { (key: member.key, value: $0) }
      })
  }
}
