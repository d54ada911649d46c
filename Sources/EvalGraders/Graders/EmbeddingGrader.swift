import EvalCore

/// How near the answer is to a text in meaning, as an embedding model has it.
struct EmbeddingGrader: Grader {
  /// How several texts make one value.
  enum Reduction: String, Sendable, CaseIterable { case best, mean }

  static let descriptor = GraderDescriptor(
    name: "embeddingSimilarity",
    summary: "How near the answer and this text, or several, are in meaning, by the cosine of their vectors.",
    argument: Shape.any(["type": ["string", "number", "boolean", "null"]], Shape.strings),
    options: [
      OptionSpec(
        "by", ["type": "string", "minLength": 1],
        "The profile that embeds; may be left out when the suite has just one that does."),
      OptionSpec(
        "reduce", Shape.words(Reduction.self),
        "What counts of several texts: the best (unless given) or the mean of all."),
    ],
    example: [
      "embeddingSimilarity": "The capital of France is Paris.", "by": "embedder", "threshold": 0.8,
    ]
  ) { spec, context throws(GraderProblem) in
    try EmbeddingGrader(CheckReader(spec, graded: true), context.judging)
  }

  private let embedder: String
  private let reduction: Reduction
  private let expected: ExpectedTexts
  private let threshold: Double?
  private let check: String
  private let caller: (any JudgeCalling)?

  init(_ reader: CheckReader, _ context: JudgingContext) throws(GraderProblem) {
    embedder = try EmbeddingGrader.embedder(reader, context)
    reduction = try reader.word("reduce", default: .best)
    expected = try ExpectedTexts(reader)
    threshold = reader.spec.threshold
    check = reader.spec.name
    caller = context.caller
  }

  private static func embedder(
    _ reader: CheckReader, _ context: JudgingContext
  ) throws(GraderProblem) -> String {
    let known = context.embedders
    guard let value = reader.spec.options["by"] else {
      if known.count == 1 { return known[0] }
      throw reader.wrongArgument(
        known.isEmpty ? "no profile of the suite embeds" : "it is not said which profile embeds",
        advice: known.isEmpty
          ? "give one with the provider openai-embeddings or ollama-embeddings and \"target\": false"
          : "name one of \(known.joined(separator: ", ")) with 'by'")
    }
    guard let name = value.stringValue, known.contains(name) else {
      throw GraderProblem(
        "there is no profile \(value.serialized()) that embeds", path: "by",
        advice: value.stringValue.flatMap { suggestion(for: $0, among: known) }
          ?? "an embedder's provider is openai-embeddings or ollama-embeddings")
    }
    return name
  }

  func grade(_ subject: Subject) async -> Verdict {
    guard let caller else { return Verdict(.unscored(.graderFailed, "nobody is there to embed")) }
    switch expected.texts(for: subject) {
    case .second(let verdict): return verdict
    case .first(let texts):
      let answer = subject.answer.text
      if answer.trimmed.isEmpty {
        return Verdict(.unscored(.noAnswer, "the answer has no text, which has no meaning to compare"))
      }
      if texts.contains(where: \.trimmed.isEmpty) {
        return Verdict(.unscored(.notApplicable, "a text to compare with is empty"))
      }
      let place = JudgePlace(
        trial: subject.trial, target: subject.target, check: check, turn: subject.turn, purpose: .embed)
      let found = await caller.embed(
        EmbeddingQuestion(
          embedder: embedder, texts: [answer] + texts, place: place, signals: subject.signals))
      return verdict(found, answer: answer, texts: texts)
    }
  }

  private func verdict(_ found: EmbeddingAnswer, answer: String, texts: [String]) -> Verdict {
    let vectors: [[Float]]
    switch found.result {
    case .none(let why):
      let text = "\(embedder): \(why)"
      return Verdict(.unscored(.graderFailed, text), text, cost: found.cost)
    case .vectors(let all): vectors = all
    }
    var cosines: [Double] = []
    for vector in vectors.dropFirst() {
      guard let cosine = Cosine.between(vectors[0], vector) else {
        let text = "vectors of \(vectors[0].count) and \(vector.count) numbers cannot be compared"
        return Verdict(.unscored(.graderFailed, text), text, cost: found.cost)
      }
      cosines.append(cosine)
    }
    let nearest = cosines.indices.max { cosines[$0] < cosines[$1] } ?? 0
    let value =
      reduction == .best ? cosines[nearest] : cosines.reduce(0, +) / Double(cosines.count)
    return Verdict(
      .graded(max(0, value), threshold: threshold), explanation(value, cosines, texts[nearest], answer),
      cost: found.cost)
  }

  private func explanation(
    _ value: Double, _ cosines: [Double], _ nearest: String, _ answer: String
  ) -> String {
    var text = "cosine \(Quote.share(value))"
    if cosines.count > 1 {
      text += reduction == .best ? ", the best of \(cosines.count)," : ", the mean of \(cosines.count);"
      if reduction == .mean { text += " nearest" }
    }
    text += " between \(Quote.text(nearest)) and \(Quote.text(answer))"
    return value < 0 ? text + "; below 0, which counts as 0" : text
  }
}

/// The cosine of the angle between two vectors.
enum Cosine {
  /// `a·b / (|a|·|b|)`, summed in double precision, in −1…1.
  /// - Returns: `nil` for vectors of different lengths and for one without direction.
  static func between(_ left: [Float], _ right: [Float]) -> Double? {
    guard left.count == right.count, !left.isEmpty else { return nil }
    var (product, leftSquares, rightSquares) = (0.0, 0.0, 0.0)
    for (a, b) in zip(left, right) {
      let (a, b) = (Double(a), Double(b))
      product += a * b
      leftSquares += a * a
      rightSquares += b * b
    }
    let norms = leftSquares.squareRoot() * rightSquares.squareRoot()
    guard norms > 0, norms.isFinite else { return nil }
    // Rounding can carry equal vectors a little beyond 1.
    return min(1, max(-1, product / norms))
  }
}
