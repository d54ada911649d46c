import EvalCore

/// The answer starts, or ends, with a text.
struct AffixGrader: Grader {
  enum Side: String, Sendable { case start, end }

  static let startsWith = descriptor(
    .start, name: "startsWith", summary: "The answer starts with this text, or one of these.",
    example: ["startsWith": "Yes"])
  static let endsWith = descriptor(
    .end, name: "endsWith", summary: "The answer ends with this text, or one of these.",
    example: ["endsWith": [".", "!"]])

  private static func descriptor(
    _ side: Side, name: String, summary: String, example: JSONValue
  ) -> GraderDescriptor {
    GraderDescriptor(
      name: name, summary: summary, argument: Shape.any(Shape.string, Shape.strings),
      options: [SharedOption.ignoreCase, SharedOption.trim], example: example
    ) { spec, _ throws(GraderProblem) in try AffixGrader(CheckReader(spec), side) }
  }

  private let side: Side
  private let folding: TextFolding
  private let texts: [String]

  init(_ reader: CheckReader, _ side: Side) throws(GraderProblem) {
    self.side = side
    folding = TextFolding(
      ignoreCase: try reader.bool("ignoreCase", default: false), trim: try reader.bool("trim", default: true))
    guard !Expected.isReference(reader.argument), let texts = ExpectedTexts.texts(of: reader.argument) else {
      throw reader.wrongArgument("a text or a list of texts is needed")
    }
    self.texts = texts.map(folding.callAsFunction)
  }

  func grade(_ subject: Subject) async -> Verdict {
    let answer = folding(subject.answer.text)
    let found = texts.first { side == .start ? answer.hasPrefix($0) : answer.hasSuffix($0) }
    if let found { return Verdict(.verdict(true), "the answer \(side.rawValue)s with \(Quote.text(found))") }
    return Verdict(
      .verdict(false),
      "expected \(Quote.alternatives(texts)) at the \(side.rawValue) of \(Quote.text(answer))")
  }
}
