import EvalCore

/// What a JSONPath selects in the answer's JSON is what is expected.
struct JSONPathGrader: Grader {
  enum Nodes: String, CaseIterable { case any, all }

  static let descriptor = GraderDescriptor(
    name: "jsonPath",
    summary: "The answer is JSON and what a JSONPath (RFC 9535) selects in it is as expected.",
    argument: ["type": "string", "pattern": "^(\\$|\\{\\{)"],
    options: [
      OptionSpec("equals", true, "A selected value equals this JSON."),
      OptionSpec(
        "includes", true,
        "A selected text contains this text, a selected array has this element, a selected object this name."),
      OptionSpec(
        "exists", Shape.bool, "Something, or nothing, is selected; true unless another comparison is given."),
      OptionSpec(
        "count", ["type": "integer", "minimum": 0], "How many nodes are selected."),
      OptionSpec(
        "nodes", Shape.words(Nodes.self),
        "Whether 'equals' and 'includes' hold for any selected node, which is so unless given, or for all."),
      SharedOption.ignoreCase, SharedOption.tolerance, SharedOption.relativeTolerance,
    ] + AnswerJSON.options,
    example: ["jsonPath": "$.cities[0].name", "equals": "Paris"]
  ) { spec, _ throws(GraderProblem) in try JSONPathGrader(CheckReader(spec)) }

  private let source: AnswerJSON
  private let path: JSONPath
  private let equals: JSONValue?
  private let includes: JSONValue?
  private let exists: Bool?
  private let count: Int?
  private let nodes: Nodes
  private let folding: TextFolding
  private let comparison: JSONComparison

  init(_ reader: CheckReader) throws(GraderProblem) {
    guard let text = reader.argument.stringValue else {
      throw reader.wrongArgument("a JSONPath is a text such as \"$.city\"")
    }
    path = try JSONPath(text, at: "jsonPath")
    source = try AnswerJSON(reader)
    folding = TextFolding(ignoreCase: try reader.bool("ignoreCase", default: false))
    comparison = JSONComparison(tolerance: try NumericTolerance(reader))
    equals = reader.spec.options["equals"]
    includes = reader.spec.options["includes"]
    nodes = try reader.word("nodes", default: .any)
    if reader.has("count") {
      guard let number = reader.spec.options["count"]?.intValue, number >= 0 else {
        throw GraderProblem("'count' is an integer, 0 or more", path: "count")
      }
      count = Int(number)
    } else {
      count = nil
    }
    let compares = equals != nil || includes != nil
    exists =
      reader.has("exists") ? try reader.bool("exists", default: true) : compares || count != nil ? nil : true
    try JSONPathGrader.refuseIdle(reader, compares: compares, exists: exists)
  }

  /// Settings that contradict one another or have no effect.
  private static func refuseIdle(_ reader: CheckReader, compares: Bool, exists: Bool?) throws(GraderProblem) {
    if exists == false, compares || reader.has("count") {
      throw GraderProblem("where nothing is selected there is nothing to compare", path: "exists")
    }
    for key in ["nodes", "ignoreCase", "tolerance", "relativeTolerance"] where reader.has(key) && !compares {
      throw GraderProblem("'\(key)' has no effect without 'equals' or 'includes'", path: key)
    }
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch source.read(subject.answer.text) {
    case .second(let why): return Verdict(.verdict(false), why)
    case .first(let value):
      guard let selected = path.nodes(in: value) else {
        return Verdict(.unscored(.graderFailed, "the path \(path.text) is too expensive on this answer"))
      }
      return judge(selected.map(\.value))
    }
  }

  private func judge(_ selected: [JSONValue]) -> Verdict {
    let found = "\(path.text) selects \(describe(selected))"
    if let exists, exists == selected.isEmpty {
      return Verdict(.verdict(false), "expected \(exists ? "something" : "nothing"), \(found)")
    }
    if let count, count != selected.count {
      return Verdict(.verdict(false), "expected \(Quote.count(count, "node")), \(found)")
    }
    if let equals, !holds(selected, { isEqual($0, equals) }) {
      return Verdict(.verdict(false), "expected \(nodes.rawValue) to equal \(Quote.json(equals)), \(found)")
    }
    if let includes, !holds(selected, { self.includes($0, includes) }) {
      return Verdict(
        .verdict(false), "expected \(nodes.rawValue) to include \(Quote.json(includes)), \(found)")
    }
    return Verdict(.verdict(true), found)
  }

  /// No node satisfies nothing, also where all nodes must: an answer without the field is no right answer.
  private func holds(_ selected: [JSONValue], _ test: (JSONValue) -> Bool) -> Bool {
    nodes == .any ? selected.contains(where: test) : !selected.isEmpty && selected.allSatisfy(test)
  }

  private func isEqual(_ found: JSONValue, _ expected: JSONValue) -> Bool {
    if case .string(let left) = found, case .string(let right) = expected {
      return folding(left) == folding(right)
    }
    return comparison.equal(expected, found)
  }

  private func includes(_ found: JSONValue, _ part: JSONValue) -> Bool {
    switch found {
    case .string(let text):
      guard let part = part.stringValue else { return false }
      return TextSearch.contains(folding(text), folding(part))
    case .array(let elements): return elements.contains { isEqual($0, part) }
    case .object(let object): return part.stringValue.map { object[$0] != nil } ?? false
    default: return false
    }
  }

  private func describe(_ selected: [JSONValue]) -> String {
    switch selected.count {
    case 0: "nothing"
    case 1: Quote.json(selected[0])
    default: "\(selected.count) nodes: " + Quote.json(.array(selected))
    }
  }
}
