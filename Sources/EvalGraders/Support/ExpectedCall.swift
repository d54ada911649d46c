import EvalCore

/// A tool call that is expected.
struct ExpectedCall: Sendable {
  enum Match: String, CaseIterable, Sendable { case exact, partial }

  let name: String
  /// `nil` accepts any arguments.
  private let arguments: JSONObject?
  private let match: Match
  private var defaults: JSONObject

  init(
    _ json: JSONValue, _ match: Match, _ defaults: [String: JSONObject], at path: String
  ) throws(GraderProblem) {
    if let name = json.stringValue {
      (self.name, arguments, self.match, self.defaults) = (name, nil, match, [:])
      return
    }
    guard let object = json.objectValue, let name = object["name"]?.stringValue, !name.isEmpty else {
      throw GraderProblem("an expected call is a tool's name or an object with 'name'", path: path)
    }
    for key in object.keys where !["name", "arguments", "match"].contains(key) {
      throw GraderProblem(
        "'\(key)' is not a setting of an expected call", path: "\(path).\(key)",
        advice: suggestion(for: key, among: ["name", "arguments", "match"]))
    }
    self.name = name
    self.defaults = defaults[name] ?? [:]
    self.match = try ExpectedCall.match(object["match"], default: match, at: "\(path).match")
    guard let value = object["arguments"] else {
      arguments = nil
      return
    }
    guard let arguments = JSONEqualsGrader.structured(value).objectValue else {
      throw GraderProblem("'arguments' is an object", path: "\(path).arguments")
    }
    self.arguments = arguments
  }

  private static func match(
    _ value: JSONValue?, default fallback: Match, at path: String
  ) throws(GraderProblem) -> Match {
    guard let value else { return fallback }
    guard let match = value.stringValue.flatMap(Match.init) else {
      throw GraderProblem("\(value.serialized()) is not one of exact, partial", path: path)
    }
    return match
  }

  /// The same call with other values for arguments that are left out.
  func filling(_ defaults: JSONObject) -> ExpectedCall {
    var call = self
    call.defaults = defaults
    return call
  }

  func accepts(_ call: ToolCall) -> Bool { call.name == name && difference(call) == nil }

  /// How the arguments of a call of this tool differ; `nil` when they do not.
  func difference(_ call: ToolCall) -> String? {
    guard let arguments else { return nil }
    guard let found = call.arguments.objectValue else {
      return "the arguments are no JSON object: \(Quote.json(call.arguments))"
    }
    let comparison = JSONComparison(isSubset: match == .partial)
    // What is not expected in a partial match may differ from its default too.
    let left = match == .exact ? filled(arguments) : arguments
    return comparison.difference(.object(left), .object(filled(found))).map { "at \($0.path) \($0.message)" }
  }

  var described: String {
    guard let arguments else { return name }
    return "\(name)(\(Quote.json(.object(arguments))))"
  }

  private func filled(_ arguments: JSONObject) -> JSONObject {
    var arguments = arguments
    for member in defaults.members where arguments[member.key] == nil { arguments[member.key] = member.value }
    return arguments
  }
}

/// Pairs expected calls with calls that were made.
enum CallMatching {
  /// The call for each expected one, `nil` where there is none, as many as possible in total: augmenting paths
  /// (Kuhn 1955).
  static func inAnyOrder(_ expected: [ExpectedCall], _ calls: [ToolCall]) -> [Int?] {
    var owner = [Int?](repeating: nil, count: calls.count)
    for index in expected.indices {
      var tried = [Bool](repeating: false, count: calls.count)
      _ = augment(index, expected, calls, &owner, &tried)
    }
    var pairs = [Int?](repeating: nil, count: expected.count)
    for (call, index) in owner.enumerated() {
      if let index { pairs[index] = call }
    }
    return pairs
  }

  private static func augment(
    _ index: Int, _ expected: [ExpectedCall], _ calls: [ToolCall], _ owner: inout [Int?],
    _ tried: inout [Bool]
  ) -> Bool {
    for call in calls.indices where !tried[call] && expected[index].accepts(calls[call]) {
      tried[call] = true
      let other = owner[call]
      if other == nil || augment(other ?? 0, expected, calls, &owner, &tried) {
        owner[call] = index
        return true
      }
    }
    return false
  }

  /// The same with both in order: a longest common subsequence.
  static func inOrder(_ expected: [ExpectedCall], _ calls: [ToolCall]) -> [Int?] {
    var lengths = [[Int]](repeating: [Int](repeating: 0, count: calls.count + 1), count: expected.count + 1)
    for i in expected.indices.reversed() {
      for j in calls.indices.reversed() {
        lengths[i][j] =
          expected[i].accepts(calls[j])
          ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var pairs = [Int?](repeating: nil, count: expected.count)
    var (i, j) = (0, 0)
    while i < expected.count, j < calls.count {
      if expected[i].accepts(calls[j]), lengths[i][j] == lengths[i + 1][j + 1] + 1 {
        pairs[i] = j
        (i, j) = (i + 1, j + 1)
      } else if lengths[i + 1][j] >= lengths[i][j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }
}
