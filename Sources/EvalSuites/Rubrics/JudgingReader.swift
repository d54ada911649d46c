import EvalCore

/// The rubrics and judges that checks name, gathered while checks are made.
struct JudgingUse {
  private(set) var rubrics: Set<String> = []
  /// Where a check first names each judge.
  private(set) var judges: [String: SourceLocation?] = [:]
  /// The embedders that checks name.
  private(set) var embedders: Set<String> = []
  /// A check compares vectors and names nobody who makes them.
  private(set) var usesSoleEmbedder = false
  /// A check judges by a criterion of its own and names nobody.
  private(set) var usesStanding = false

  /// Kinds of checks that hold others.
  private static let combinators = ["all", "any", "not", "weighted", "everyTurn", "anyTurn"]

  /// Takes in a check and the checks within it.
  mutating func note(_ check: JSONValue, at location: SourceLocation?) {
    switch check {
    case .array(let items): for item in items { note(item, at: location) }
    case .object(let object):
      if let name = object["rubric"]?.stringValue { rubrics.insert(name) }
      if object["judge"] != nil { noteJudges(object["by"], at: location) }
      if object["embeddingSimilarity"] != nil {
        if let name = object["by"]?.stringValue { embedders.insert(name) } else { usesSoleEmbedder = true }
      }
      for key in Self.combinators { if let nested = object[key] { note(nested, at: location) } }
    default: break
    }
  }

  private mutating func noteJudges(_ value: JSONValue?, at location: SourceLocation?) {
    guard let value else {
      usesStanding = true
      return
    }
    for name in value.arrayValue?.compactMap(\.stringValue) ?? [value.stringValue].compactMap(\.self)
    where judges[name] == nil {
      judges[name] = .some(location)
    }
  }
}

/// Reads who judges, and by what.
struct JudgingReader {
  let reader: Reader
  let profiles: [ReadProfile]
  /// Names of the suite's routes.
  let routes: [String]

  private var targets: [String] { profiles.map(\.profile).filter(\.isTarget).map(\.name) + routes }

  /// What was read, for the checks that come after it.
  struct Judging {
    let reader: Reader
    let profiles: [ReadProfile]
    var rubrics: [ReadRubric] = []
    var comparisons: [ReadComparison] = []
    var standing: String?
    var standingView: JSONView?
    /// The profiles whose providers embed.
    var embedders: [String] = []

    /// The profiles that judge or embed.
    var judges: [Profile] {
      var names = Set(rubrics.flatMap(\.rubric.judges))
      names.formUnion(comparisons.flatMap(\.comparison.judges))
      names.formUnion(reader.checks.judging.judges.keys)
      if let standing, reader.checks.judging.usesStanding { names.insert(standing) }
      names.formUnion(reader.checks.judging.embedders)
      if reader.checks.judging.usesSoleEmbedder { names.formUnion(embedders) }
      return profiles.map(\.profile).filter { names.contains($0.name) }
    }

    /// Looks at everything that judges, when all checks are known.
    func finish() {
      let use = reader.checks.judging
      let audit = RubricAudit(reader: reader, profiles: profiles, rubrics: rubrics)
      audit.check(used: reader.diagnostics.errorCount == 0 ? use.rubrics : nil)
      for read in comparisons {
        for name in read.comparison.judges { audit.checkJudge(name, at: read.view) }
      }
      for (name, location) in use.judges.sorted(by: { $0.key < $1.key }) {
        audit.checkJudge(name, at: location, path: nil)
      }
      if let standing, let standingView, use.usesStanding { audit.checkJudge(standing, at: standingView) }
      if reader.diagnostics.errorCount == 0, !profiles.contains(where: \.profile.isTarget) {
        reader.noteNoTarget(profiles)
      }
    }
  }

  func read(_ draft: SuiteDraft) -> Judging {
    var judging = Judging(reader: reader, profiles: profiles)
    judging.embedders = profiles.filter { isEmbedder($0.profile) }.map(\.name)
    let names = profiles.map(\.name).filter { !judging.embedders.contains($0) }
    if let view = draft.defaults.judge, let name = Shape<String>.name.read(view, reader) {
      reader.noteJudge(name, at: view, among: names)
      judging.standing = name
      judging.standingView = view
    }
    if let view = draft.rubrics {
      judging.rubrics = RubricsReader(reader: reader, profiles: names, standing: judging.standing).read(view)
    }
    if let view = draft.comparisons {
      judging.comparisons = ComparisonsReader(
        reader: reader, profiles: names, targets: targets, standing: judging.standing
      ).read(view)
    }
    let rubrics = judging.rubrics.map { ($0.rubric.name, $0.rubric) }
    reader.checks.use(
      JudgingContext(
        rubrics: Dictionary(rubrics, uniquingKeysWith: { first, _ in first }), profiles: names,
        standing: judging.standing, embedders: judging.embedders))
    return judging
  }

  private func isEmbedder(_ profile: Profile) -> Bool {
    reader.vocabulary.provider(profile.provider)?.embeds == true
  }
}

extension Reader {
  fileprivate func noteNoTarget(_ profiles: [ReadProfile]) {
    guard let first = profiles.first, root["routes"] == nil else { return }
    error(
      "no profile is a target", at: first.nameView,
      advice: "take \"target\": false out of the one that is under test")
  }

  private var root: JSONView { origin.root }
}
