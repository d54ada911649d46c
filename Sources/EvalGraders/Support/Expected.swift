import EvalCore

/// What an answer is compared with: given in the check, or the case's reference.
enum Expected: Sendable {
  case reference
  case value(JSONValue)

  /// `true` and `null` stand for the case's reference.
  static func isReference(_ argument: JSONValue) -> Bool { argument.isNull || argument == .bool(true) }

  init(_ argument: JSONValue) { self = Expected.isReference(argument) ? .reference : .value(argument) }

  /// The value to compare `subject` with; `nil` when the case has no reference.
  func value(for subject: Subject) -> JSONValue? {
    switch self {
    case .reference: subject.reference.flatMap { $0.isNull ? nil : $0 }
    case .value(let value): value
    }
  }

  static let missing = Verdict(.unscored(.notApplicable, "the case has no reference to compare with"))

  static func unusable(_ needed: String, _ value: JSONValue) -> Verdict {
    Verdict(.unscored(.notApplicable, "the reference \(Quote.json(value)) is not \(needed)"))
  }
}

/// Texts any of which is right, prepared once when they stand in the check.
struct ExpectedTexts: Sendable {
  private let expected: Expected
  private let prepared: [String]
  private let prepare: @Sendable (String) -> String

  /// - Parameter prepare: what is done to every text before it is compared.
  /// - Throws: `GraderProblem` when the argument is no text and no list of texts.
  init(
    _ reader: CheckReader, at path: String? = nil, prepare: @escaping @Sendable (String) -> String = { $0 }
  ) throws(GraderProblem) {
    let argument = path.flatMap { reader.spec.options[$0] } ?? reader.argument
    expected = Expected(argument)
    self.prepare = prepare
    guard case .value(let value) = expected else {
      prepared = []
      return
    }
    guard let texts = ExpectedTexts.texts(of: value) else {
      throw GraderProblem(
        "a text or a list of texts is needed, or true for the case's reference",
        path: path ?? reader.spec.kind,
        advice: value.objectValue == nil ? nil : "compare objects with 'jsonEquals' or 'fields'")
    }
    prepared = texts.map(prepare)
  }

  /// The prepared texts, or the verdict that says why there are none.
  func texts(for subject: Subject) -> Either<[String], Verdict> {
    guard case .reference = expected else { return .first(prepared) }
    guard let value = expected.value(for: subject) else { return .second(Expected.missing) }
    guard let texts = ExpectedTexts.texts(of: value) else {
      return .second(Expected.unusable("a text or a list of texts", value))
    }
    return .first(texts.map(prepare))
  }

  /// A string is itself, a number or Boolean its JSON text, an array a list of these; `nil` for anything else.
  static func texts(of value: JSONValue) -> [String]? {
    switch value {
    case .string(let text): return [text]
    case .integer, .number: return [value.serialized()]
    case .bool(let flag): return [flag ? "true" : "false"]
    case .array(let items):
      let texts = items.compactMap { $0.arrayValue == nil ? ExpectedTexts.texts(of: $0)?.first : nil }
      return texts.count == items.count && !texts.isEmpty ? texts : nil
    case .null, .object: return nil
    }
  }
}

enum Either<First: Sendable, Second: Sendable>: Sendable {
  case first(First)
  case second(Second)
}
