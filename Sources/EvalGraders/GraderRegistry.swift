package import EvalCore

/// Every kind of check there is. A new grader is one file and one line here.
package enum GraderRegistry {
  package static let all: [GraderDescriptor] = [
    ExactGrader.descriptor,
    ContainsGrader.descriptor,
    AffixGrader.startsWith,
    AffixGrader.endsWith,
    RegexGrader.descriptor,
    NumberGrader.descriptor,
    ChoiceGrader.descriptor,
    JSONGrader.descriptor,
    JSONPathGrader.descriptor,
    JSONEqualsGrader.descriptor,
    JSONSchemaGrader.descriptor,
    FieldsGrader.descriptor,
    ToolCallsGrader.descriptor,
    LengthGrader.descriptor,
    SimilarityGrader.descriptor,
    EmbeddingGrader.descriptor,
    FinishGrader.descriptor,
    RefusalGrader.descriptor,
    LimitGrader.latency,
    LimitGrader.firstToken,
    CostGrader.descriptor,
    CommandGrader.descriptor,
    RubricGrader.rubric,
    RubricGrader.judge,
    AllGrader.descriptor,
    AnyGrader.descriptor,
    NotGrader.descriptor,
    WeightedGrader.descriptor,
    TurnsGrader.everyTurn,
    TurnsGrader.anyTurn,
  ]

  /// Whether the check, or one inside it, compares with the case's reference, so that a case without one cannot be
  /// judged by it.
  package static func needsReference(_ spec: CheckSpec) -> Bool {
    if combinators.contains(spec.kind) { return nested(spec).contains(where: needsReference) }
    switch spec.kind {
    case "regex": return spec.options["equals"].map(Expected.isReference) ?? false
    case "exact", "contains", "number", "choice", "jsonEquals", "similarity", "embeddingSimilarity":
      return Expected.isReference(spec.argument)
    case "fields": return spec.options["expected"] == nil
    default: return false
    }
  }

  /// Whether the check, or one inside it, asks a judge or an embedder.
  package static func asksJudge(_ spec: CheckSpec) -> Bool {
    if combinators.contains(spec.kind) { return nested(spec).contains(where: asksJudge) }
    return [RubricGrader.rubric.name, RubricGrader.judge.name, EmbeddingGrader.descriptor.name].contains(
      spec.kind)
  }

  private static func nested(_ spec: CheckSpec) -> [CheckSpec] {
    (spec.argument.arrayValue ?? [spec.argument]).compactMap { try? CheckSpec.decode($0, graders: all) }
  }

  private static let combinators: Set<String> = ["all", "any", "not", "weighted", "everyTurn", "anyTurn"]
}

/// Makes the grader of a check, with the checks inside it.
/// - Parameters:
///   - allowsCommands: whether `command` checks may start the user's programs.
///   - directory: the suite's folder, where relative paths in a check start.
///   - judging: the suite's rubrics and judges.
/// - Throws: `GraderProblem` with a path relative to the check.
package func makeGrader(
  _ spec: CheckSpec, allowsCommands: Bool, directory: String, judging: JudgingContext = JudgingContext()
) throws(GraderProblem) -> any Grader {
  let context = GraderContext(allowsCommands: allowsCommands, directory: directory, judging: judging) {
    nested throws(GraderProblem) in
    try makeGrader(nested, allowsCommands: allowsCommands, directory: directory, judging: judging)
  }
  guard let descriptor = GraderRegistry.all.first(where: { $0.name == spec.kind }) else {
    let names = GraderRegistry.all.map(\.name)
    throw GraderProblem(
      "'\(spec.kind)' is not a kind of check", path: spec.kind,
      advice: suggestion(for: spec.kind, among: names))
  }
  return try descriptor.make(spec, context)
}
