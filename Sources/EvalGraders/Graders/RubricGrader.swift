import EvalCore

/// Models judge the answer by a rubric of the suite, or by one criterion that stands in the check.
struct RubricGrader: Grader {
  private static let facts = OptionSpec(
    "facts", Shape.strings,
    "What is known to be true about this case, for the judge; added to the rubric's own.")
  private static let reference = OptionSpec(
    "reference", Shape.any(["const": false], Shape.string),
    "A right answer for the judge to compare with; the case's reference unless given, none with false.")

  static let rubric = GraderDescriptor(
    name: "rubric", summary: "A model judges the answer by this rubric of the suite (Docs/Judges.md).",
    argument: ["type": "string", "minLength": 1], options: [facts, reference], example: ["rubric": "helpful"]
  ) { spec, context throws(GraderProblem) in
    let reader = try CheckReader(spec, graded: true)
    guard let name = spec.argument.stringValue else {
      throw reader.wrongArgument("'rubric' is the name of a rubric of the suite")
    }
    guard let rubric = context.judging.rubrics[name] else {
      let names = context.judging.rubrics.keys.sorted()
      throw reader.wrongArgument(
        "the suite has no rubric '\(name)'",
        advice: suggestion(for: name, among: names)
          ?? (names.isEmpty ? "give it under 'rubrics'" : "there are \(names.joined(separator: ", "))"))
    }
    return try RubricGrader(reader, rubric, name: name, context)
  }

  static let judge = GraderDescriptor(
    name: "judge", summary: "A model judges whether this holds for the answer: yes or no.",
    argument: ["type": "string", "minLength": 1],
    options: [
      OptionSpec(
        "by", Shape.any(["type": "string", "minLength": 1], Shape.strings),
        "The profile that judges, or several of which the majority counts; the defaults' judge unless given."),
      facts, reference,
    ],
    example: ["judge": "The answer names the capital of France.", "by": "judge"]
  ) { spec, context throws(GraderProblem) in
    let reader = try CheckReader(spec)
    guard let criterion = spec.argument.stringValue, !criterion.isEmpty else {
      throw reader.wrongArgument("'judge' is a sentence that holds for a good answer")
    }
    let rubric = Rubric(
      name: spec.name, criteria: [RubricGrader.criterion(criterion)],
      judges: try RubricGrader.judges(reader, context.judging), reducer: .majority)
    return try RubricGrader(reader, rubric, name: nil, context)
  }

  /// The one criterion of a `judge` check.
  private static func criterion(_ text: String) -> Criterion {
    Criterion(
      name: "holds", question: "Does this hold for the answer? \(text)",
      levels: [
        RubricLevel(label: "no", summary: "It does not hold, or only in part."),
        RubricLevel(label: "yes", summary: "It holds."),
      ], minimum: 1)
  }

  private static func judges(
    _ reader: CheckReader, _ context: JudgingContext
  ) throws(GraderProblem) -> [String] {
    guard let value = reader.spec.options["by"] else {
      if let standing = context.standing { return [standing] }
      throw reader.wrongArgument(
        "nobody is named who judges", advice: "name a profile with 'by', or one for all with 'defaults.judge'"
      )
    }
    var names: [String] = []
    if let name = value.stringValue {
      names = [name]
    } else {
      names = try CheckReader.strings(value, at: "by")
    }
    for name in names where !context.profiles.contains(name) {
      throw GraderProblem(
        "there is no profile '\(name)' to judge", path: "by",
        advice: suggestion(for: name, among: context.profiles))
    }
    if Set(names).count < names.count {
      throw GraderProblem("a judge is named twice", path: "by", advice: "name each once")
    }
    return names
  }

  private let rubric: Rubric
  private let name: String?
  private let check: String
  private let facts: [String]
  private let reference: JSONValue?
  private let threshold: Double?
  private let form: JudgedForm
  private let caller: (any JudgeCalling)?

  private init(
    _ reader: CheckReader, _ rubric: Rubric, name: String?, _ context: GraderContext
  ) throws(GraderProblem) {
    self.rubric = rubric
    self.name = name
    check = reader.spec.name
    facts = rubric.facts + (try reader.strings("facts") ?? [])
    reference = reader.spec.options["reference"]
    if let reference, reference != false, reference.stringValue == nil {
      throw GraderProblem("'reference' is a text, or false to show none", path: "reference")
    }
    threshold = reader.spec.threshold
    form = JudgedForm(rubric, threshold: reader.spec.threshold, promptHash: JudgePrompt.hash)
    caller = context.judging.caller
  }

  func grade(_ subject: Subject) async -> Verdict {
    guard let caller else { return Verdict(.unscored(.graderFailed, "nobody is there to judge")) }
    let shown = reference == false ? nil : reference ?? subject.reference.flatMap { $0.isNull ? nil : $0 }
    let judging = Judging(rubric: rubric, check: check, name: name, caller: caller, form: form)
    let answers = await judging.answers(subject, JudgedMaterial(subject, facts: facts, reference: shown))
    return verdict(answers)
  }

  private func verdict(_ answers: [Judging.Answer]) -> Verdict {
    let cost = Cost.sum(of: answers.map(\.cost))
    let counting = answers.filter { $0.place.purpose == .score }
    var scores: [CriterionScore] = []
    for criterion in rubric.criteria {
      let marks = counting.flatMap(\.marks).filter { $0.criterion == criterion.name }
      let asked = rubric.judges.count * rubric.draws
      switch Panel.score(criterion, levels: marks.compactMap(\.level), asked: asked, by: rubric.reducer) {
      case .first(let score): scores.append(score)
      case .second(let why):
        let text = RubricGrader.firstFault(counting, criterion.name).map { "\(why): \($0)" } ?? why
        return Verdict(.unscored(.graderFailed, text), text, cost: cost)
      }
    }
    return Verdict(
      Judgement.ofRubric(scores, rubric.criteria, threshold: threshold), explanation(scores, counting),
      cost: cost,
      criteria: scores)
  }

  /// Why the first verdict on a criterion is missing.
  private static func firstFault(_ answers: [Judging.Answer], _ criterion: String) -> String? {
    for answer in answers {
      switch answer.reading {
      case .unread(_, let why): return "\(answer.judge): \(why)"
      case .marks(let marks):
        for mark in marks where mark.criterion == criterion && mark.level == nil {
          return "\(answer.judge) cannot judge it: \(Quote.text(mark.reason ?? ""))"
        }
      case .preference, .embedded: continue
      }
    }
    return nil
  }

  /// What each criterion got, and the reason of the first verdict on it.
  private func explanation(_ scores: [CriterionScore], _ answers: [Judging.Answer]) -> String {
    zip(rubric.criteria, scores).map { criterion, score in
      let marks = answers.flatMap(\.marks).filter { $0.criterion == criterion.name && $0.level != nil }
      var text = "\(criterion.name) "
      if marks.count == 1, let label = marks[0].label {
        text += "\(Quote.text(label))"
      } else {
        text += "\(Quote.share(score.value)), \(rubric.reducer.rawValue) of \(score.verdicts)"
        text += ", spread \(Quote.share(score.spread ?? 0))"
      }
      if score.passed == false { text += " (below its minimum)" }
      if let reason = marks.first?.reason, !reason.isEmpty { text += ": \(Quote.shortened(reason))" }
      return text
    }.joined(separator: "; ")
  }
}

extension Judging.Answer {
  var marks: [CriterionMark] { if case .marks(let marks) = reading { marks } else { [] } }
}
