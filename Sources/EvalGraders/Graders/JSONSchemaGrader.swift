import EvalCore

/// The answer is JSON that a JSON Schema accepts.
struct JSONSchemaGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "jsonSchema", summary: "The answer is JSON that this JSON Schema (draft 2020-12) accepts.",
    argument: ["type": "object"],
    options: [
      OptionSpec(
        "formats", Shape.bool, "Let 'format' refuse values; false unless given, then it is an annotation.")
    ] + AnswerJSON.options,
    example: ["jsonSchema": ["type": "object", "required": ["city"]]]
  ) { spec, context throws(GraderProblem) in try JSONSchemaGrader(CheckReader(spec), context) }

  private let source: AnswerJSON
  private let schema: JSONSchema

  init(_ reader: CheckReader, _ context: GraderContext) throws(GraderProblem) {
    source = try AnswerJSON(reader)
    guard let object = reader.argument.objectValue else {
      throw reader.wrongArgument("a JSON Schema is an object, or {\"file\": …} that names one")
    }
    var document = reader.argument
    if object.count == 1, let file = object["file"]?.stringValue {
      document = try SmallFile.json(file, in: context.directory, at: "jsonSchema.file")
    }
    do {
      schema = try JSONSchema(document, assertsFormats: reader.bool("formats", default: false))
    } catch let problem as JSONSchema.Problem {
      let path = problem.path.isEmpty ? "jsonSchema" : "jsonSchema.\(problem.path)"
      throw GraderProblem("not a usable schema: \(problem.message)", path: path, advice: problem.advice)
    } catch let problem as GraderProblem {
      throw problem
    } catch {
      throw reader.wrongArgument("\(error)")
    }
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch source.read(subject.answer.text) {
    case .second(let why): return Verdict(.verdict(false), why)
    case .first(let value):
      switch schema.validate(value, limit: 3) {
      case .valid: return Verdict(.verdict(true), "the schema accepts \(Quote.json(value))")
      case .undecided(let reason): return Verdict(.unscored(.graderFailed, reason))
      case .invalid(let failures):
        let shown = failures.map { "at \($0.path): \($0.message)" }.joined(separator: "; ")
        return Verdict(.verdict(false), shown)
      }
    }
  }
}
