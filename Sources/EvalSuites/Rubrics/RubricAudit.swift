import EvalCore

/// Finds what makes judges judge badly: vague scales, too much at once, and judges that are not impartial.
struct RubricAudit {
  let reader: Reader
  let profiles: [ReadProfile]
  let rubrics: [ReadRubric]

  /// More criteria than this in one call blur into one impression.
  static let manyCriteria = 5
  /// Levels beyond these are not told apart reliably.
  static let manyLevels = 7

  /// - Parameter used: the rubrics that checks name; `nil` when some check could not be read.
  func check(used: Set<String>?) {
    for read in rubrics {
      for criterion in read.rubric.criteria { checkScale(criterion, read) }
      checkCalls(read)
      checkDraws(read)
      for name in read.rubric.judges { checkJudge(name, at: read.judgesView ?? read.nameView) }
      if let used, !used.contains(read.rubric.name) {
        reader.warning(
          "no check uses the rubric '\(read.rubric.name)'", at: read.nameView,
          advice: "add {\"rubric\": \"\(read.rubric.name)\"} to the checks")
      }
    }
  }

  private func checkScale(_ criterion: Criterion, _ read: ReadRubric) {
    let view = read.levelViews[criterion.name] ?? read.nameView
    let name = criterion.name
    let texts = criterion.levels.map { $0.summary.lowercased().filter { !$0.isWhitespace } }
    let empty = texts.count(where: \.isEmpty)
    if empty > 0 {
      reader.warning(
        "\(empty) of the \(texts.count) levels of '\(name)' are not described", at: view,
        advice: "say what is seen in an answer of each level, so that two readers would choose the same")
    }
    let described = texts.filter { !$0.isEmpty }
    if Set(described).count < described.count {
      reader.warning(
        "two levels of '\(name)' have the same description", at: view,
        advice: "a judge cannot tell them apart: describe each, or remove one")
    }
    if texts.count > 2, !texts.count.isMultiple(of: 2) {
      reader.warning(
        "the scale of '\(name)' has \(texts.count) levels, and judges flee to the middle of an odd one",
        at: view,
        advice: "use an even number of levels, such as 4")
    }
    if texts.count > Self.manyLevels {
      reader.warning(
        "the scale of '\(name)' has \(texts.count) levels, more than a judge tells apart", at: view,
        advice: "use 2 or 4 levels")
    }
  }

  private func checkCalls(_ read: ReadRubric) {
    let asked = min(read.rubric.criteriaPerCall, read.rubric.criteria.count)
    guard asked > Self.manyCriteria else { return }
    reader.warning(
      "one call of the rubric '\(read.rubric.name)' asks for \(asked) criteria, which blur into one impression",
      at: read.nameView, advice: "set 'criteriaPerCall' to 3 or less")
  }

  private func checkDraws(_ read: ReadRubric) {
    let rubric = read.rubric
    guard rubric.draws > 1 else {
      if rubric.reducer == .majority, rubric.judges.count == 2 {
        reader.warning(
          "two judges of '\(rubric.name)' have a majority only when they agree", at: read.nameView,
          advice: "ask an odd number of judges")
      }
      return
    }
    let cold = rubric.judges.filter { name in
      profiles.first { $0.name == name }.map { ($0.profile.parameters.temperature ?? 0) == 0 } ?? false
    }
    if let name = cold.first {
      reader.warning(
        "the judge '\(name)' is asked \(rubric.draws) times at temperature 0, which repeats itself",
        at: read.nameView, advice: "give the judge's profile a temperature, or ask several judges")
    }
  }

  func checkJudge(_ name: String, at view: JSONView) {
    checkJudge(name, at: reader.location(of: view), path: reader.path(of: view))
  }

  /// The judge against the targets: the same model, or one of the same family.
  func checkJudge(_ name: String, at location: SourceLocation?, path: String?) {
    guard let judge = profiles.first(where: { $0.name == name })?.profile,
      let (message, advice) = partiality(of: judge)
    else { return }
    reader.diagnostics.add(
      Problem(.warning, message, at: location, path: path, advice: advice), group: "judge \(name)")
  }

  private func partiality(of judge: Profile) -> (message: String, advice: String)? {
    let targets = profiles.map(\.profile).filter(\.isTarget)
    if targets.contains(where: { $0.name == judge.name }) {
      return (
        "the judge '\(judge.name)' is a model under test: it judges its own answers",
        "take another model; if this profile only judges, give it \"target\": false"
      )
    }
    if let same = targets.first(where: { Self.isSameModel($0, judge) }) {
      return (
        "the judge '\(judge.name)' is the model under test of '\(same.name)': it judges its own answers",
        "take another model"
      )
    }
    guard let family = ModelFamily.of(judge.model) else { return nil }
    let kin = targets.filter { ModelFamily.of($0.model) == family }.map { "'\($0.name)'" }
    guard !kin.isEmpty else { return nil }
    return (
      "the judge '\(judge.name)' is of the same family (\(family)) as \(kin.joined(separator: ", ")): "
        + "judges favour their own",
      "take a judge of a family that is not under test, or a panel"
    )
  }

  private static func isSameModel(_ left: Profile, _ right: Profile) -> Bool {
    !left.model.isEmpty && left.model == right.model && left.provider == right.provider
      && left.endpoint == right.endpoint
  }
}
