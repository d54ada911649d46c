import EvalCore

/// A rubric that was read, with the places that findings speak of.
struct ReadRubric {
  var rubric: Rubric
  var nameView: JSONView
  /// Where the judges are named; `nil` when they are the standing one.
  var judgesView: JSONView?
  /// By criterion: its levels.
  var levelViews: [String: JSONView] = [:]
}

/// Reads the suite's rubrics.
struct RubricsReader {
  let reader: Reader
  /// Names of the profiles that may judge.
  let profiles: [String]
  /// Who judges where a rubric names nobody.
  let standing: String?

  func read(_ view: JSONView) -> [ReadRubric] {
    guard view.kind == .object else {
      reader.wrong(view, expected: "an object of rubrics")
      return []
    }
    var rubrics: [ReadRubric] = []
    for member in view.members {
      let name = member.key.string ?? ""
      if name.isEmpty { reader.error("a rubric needs a name", at: member.key) }
      if rubrics.contains(where: { $0.rubric.name == name }) {
        reader.error("two rubrics are called '\(name)'", at: member.key, advice: "rename one")
      } else if let rubric = rubric(name, member) {
        rubrics.append(rubric)
      }
    }
    return rubrics
  }

  private func rubric(_ name: String, _ member: (key: JSONView, value: JSONView)) -> ReadRubric? {
    guard let draft = ObjectTable.rubric.readAnyway(member.value, reader) else { return nil }
    var read = ReadRubric(
      rubric: Rubric(
        name: name, summary: draft.description, criteria: [], judges: draft.judges, draws: draft.draws,
        reducer: draft.reducer, criteriaPerCall: draft.criteriaPerCall, recheck: draft.recheck,
        facts: draft.facts),
      nameView: member.key, judgesView: draft.places["judge"]?.view)
    if let view = draft.criteria { readCriteria(view, into: &read) }
    if let view = draft.examples { readExamples(view, into: &read) }
    checkJudges(&read)
    return read
  }

  private func checkJudges(_ read: inout ReadRubric) {
    if read.rubric.judges.isEmpty, let standing { read.rubric.judges = [standing] }
    if read.rubric.judges.isEmpty, read.judgesView == nil {
      reader.error(
        "the rubric '\(read.rubric.name)' has no judge", at: read.nameView,
        advice: "name a profile with 'judge', or one for all with 'defaults.judge'")
    }
    guard let view = read.judgesView else { return }
    var seen: Set<String> = []
    let items = view.kind == .array ? Array(view.elements) : [view]
    for item in items {
      guard let name = item.string, !name.isEmpty else { continue }
      reader.noteJudge(name, at: item, among: profiles)
      if !seen.insert(name).inserted {
        reader.error(
          "the judge '\(name)' is named twice", at: item, advice: "ask one judge several times with 'draws'")
      }
    }
  }

  private func readCriteria(_ view: JSONView, into read: inout ReadRubric) {
    guard view.kind == .object, view.count > 0 else {
      reader.wrong(view, expected: "at least one criterion by its name")
      return
    }
    for member in view.members {
      let name = member.key.string ?? ""
      if name.isEmpty { reader.error("a criterion needs a name", at: member.key) }
      if read.rubric.criteria.contains(where: { $0.name == name }) {
        reader.error("two criteria are called '\(name)'", at: member.key, advice: "rename one")
        continue
      }
      guard let draft = ObjectTable.criterion.shape.read(member.value, reader) else { continue }
      let minimum = draft.minimum.flatMap { level($0, of: draft.levels, criterion: name) }
      read.levelViews[name] = draft.places["levels"]
      read.rubric.criteria.append(
        Criterion(
          name: name, question: draft.question, levels: draft.levels, weight: draft.weight, minimum: minimum,
          mustPass: draft.mustPass))
    }
  }

  private func readExamples(_ view: JSONView, into read: inout ReadRubric) {
    guard view.kind == .array else {
      reader.wrong(view, expected: "an array of scored examples")
      return
    }
    for item in view.elements {
      guard let draft = ObjectTable.scoredExample.shape.read(item, reader), let scores = draft.scores,
        let levels = scoresOf(scores, read.rubric)
      else { continue }
      read.rubric.examples.append(
        ScoredExample(input: draft.input, answer: draft.answer, levels: levels, reason: draft.why))
    }
  }

  private func scoresOf(_ view: JSONView, _ rubric: Rubric) -> [String: Int]? {
    guard view.kind == .object, view.count > 0 else {
      reader.wrong(view, expected: "the levels by criterion")
      return nil
    }
    var levels: [String: Int] = [:]
    for member in view.members {
      let name = member.key.string ?? ""
      guard let criterion = rubric.criteria.first(where: { $0.name == name }) else {
        reader.error(
          "the rubric has no criterion '\(name)'", at: member.key,
          advice: suggestion(for: name, among: rubric.criteria.map(\.name)))
        continue
      }
      levels[name] = level(member.value, of: criterion.levels, criterion: name)
    }
    return levels
  }

  /// A level by its label; `nil` after noting one that the scale does not have.
  private func level(_ view: JSONView, of levels: [RubricLevel], criterion: String) -> Int? {
    let label = view.string ?? view.int.map { String($0) }
    if let label, let index = levels.firstIndex(where: { $0.label == label }) { return index }
    let labels = levels.map(\.label)
    reader.wrong(
      view, expected: "a level of '\(criterion)'",
      advice: label.flatMap { suggestion(for: $0, among: labels) }
        ?? "the scale is \(labels.joined(separator: ", "))")
    return nil
  }
}

extension Reader {
  /// Notes a judge that is no profile.
  func noteJudge(_ name: String, at view: JSONView, among profiles: [String]) {
    guard !profiles.contains(name) else { return }
    error(
      "there is no profile '\(name)' to judge", at: view,
      advice: suggestion(for: name, among: profiles) ?? "there are \(profiles.joined(separator: ", "))")
  }
}
