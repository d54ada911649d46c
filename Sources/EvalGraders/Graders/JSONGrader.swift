import EvalCore

/// The answer is JSON.
struct JSONGrader: Grader {
  enum Kind: String, CaseIterable { case object, array, string, number, boolean, null }

  static let descriptor = GraderDescriptor(
    name: "json", summary: "The answer is JSON and nothing else, of this type if one is named.",
    argument: ["enum": .array([true] + Kind.allCases.map { .string($0.rawValue) })],
    options: AnswerJSON.options, example: ["json": "object"]
  ) { spec, _ throws(GraderProblem) in try JSONGrader(CheckReader(spec)) }

  private let source: AnswerJSON
  private let kind: Kind?

  init(_ reader: CheckReader) throws(GraderProblem) {
    source = try AnswerJSON(reader)
    if reader.argument == .bool(true) {
      kind = nil
    } else if reader.argument == .bool(false) {
      throw reader.wrongArgument(
        "'json' is true or a type", advice: "write {\"not\": {\"json\": true}} for the opposite")
    } else {
      kind = try reader.parseWord(reader.argument, at: "json")
    }
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch source.read(subject.answer.text) {
    case .second(let why): return Verdict(.verdict(false), why)
    case .first(let value):
      let found = JSONGrader.kind(of: value)
      guard let kind, kind != found else {
        return Verdict(.verdict(true), "the answer is JSON: \(Quote.json(value))")
      }
      return Verdict(
        .verdict(false), "expected a JSON \(kind.rawValue), found a \(found.rawValue): \(Quote.json(value))")
    }
  }

  static func kind(of value: JSONValue) -> Kind {
    switch value {
    case .null: .null
    case .bool: .boolean
    case .integer, .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
