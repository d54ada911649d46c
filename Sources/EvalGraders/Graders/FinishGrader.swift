import EvalCore

/// The answer ended for a given reason.
struct FinishGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "finish", summary: "The answer ended for this reason, or one of these.",
    argument: Shape.any(
      Shape.words(Finish.self), ["type": "array", "items": Shape.words(Finish.self), "minItems": 1]),
    example: ["finish": "stop"]
  ) { spec, _ throws(GraderProblem) in try FinishGrader(CheckReader(spec)) }

  private let wanted: [Finish]

  init(_ reader: CheckReader) throws(GraderProblem) {
    let values = reader.argument.arrayValue ?? [reader.argument]
    var wanted: [Finish] = []
    for (index, value) in values.enumerated() {
      wanted.append(
        try reader.parseWord(value, at: reader.argument.arrayValue == nil ? "finish" : "finish[\(index)]"))
    }
    guard !wanted.isEmpty else { throw reader.wrongArgument("at least one reason is needed") }
    self.wanted = wanted
  }

  func grade(_ subject: Subject) async -> Verdict {
    let words = wanted.map(\.rawValue).joined(separator: " or ")
    guard let finish = subject.answer.finish, finish != .unknown || wanted.contains(.unknown) else {
      return Verdict(.unscored(.notReported, "the provider did not say why the answer ended"))
    }
    return Verdict(
      .verdict(wanted.contains(finish)), "expected \(words), the answer ended with \(finish.rawValue)")
  }
}
