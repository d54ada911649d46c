import EvalCore

struct ComparisonDraft: Draft {
  var question = ""
  var targets: JSONView?
  var judges: [String] = []
  var facts: [String] = []
  var places: [String: JSONView] = [:]

  mutating func note(_ key: String, at view: JSONView, in origin: Origin) { places[key] = view }
}

extension ObjectTable where Into == ComparisonDraft {
  static let comparison = ObjectTable(
    "comparison", "a comparison",
    [
      Key("question", \.question, .name, "What makes one answer the better one, for the judge to read.")
        .required(),
      Key(
        "targets", \.targets, .later(["type": "array", "items": ["type": "string"], "minItems": 2]),
        "The targets of which every two are compared; all of them unless given."),
      Key(
        "judge", \.judges, .strings,
        "The profile that judges, or several; as in the defaults unless given."),
      Key("facts", \.facts, .array(of: .name), "What is known to be true, for every answer."),
    ])
}

/// A comparison that was read, with the place that findings speak of.
struct ReadComparison {
  var comparison: PairComparison
  var view: JSONView
}

/// Reads the suite's comparisons.
struct ComparisonsReader {
  let reader: Reader
  /// Names of the profiles that may judge.
  let profiles: [String]
  let targets: [String]
  /// Who judges where a comparison names nobody.
  let standing: String?

  func read(_ view: JSONView) -> [ReadComparison] {
    guard view.kind == .object else {
      reader.wrong(view, expected: "an object of comparisons")
      return []
    }
    var comparisons: [ReadComparison] = []
    for member in view.members {
      let name = member.key.string ?? ""
      if name.isEmpty { reader.error("a comparison needs a name", at: member.key) }
      if comparisons.contains(where: { $0.comparison.name == name }) {
        reader.error("two comparisons are called '\(name)'", at: member.key, advice: "rename one")
      } else if let draft = ObjectTable.comparison.readAnyway(member.value, reader) {
        comparisons.append(comparison(name, draft, at: member.key))
      }
    }
    return comparisons
  }

  private func comparison(_ name: String, _ draft: ComparisonDraft, at view: JSONView) -> ReadComparison {
    var judges = draft.judges
    if let place = draft.places["judge"] {
      for item in place.kind == .array ? Array(place.elements) : [place] {
        if let name = item.string, !name.isEmpty { reader.noteJudge(name, at: item, among: profiles) }
      }
    } else if let standing {
      judges = [standing]
    } else {
      reader.error(
        "the comparison '\(name)' has no judge", at: view,
        advice: "name a profile with 'judge', or one for all with 'defaults.judge'")
    }
    let chosen = draft.targets.map(names) ?? []
    if chosen.isEmpty, draft.targets == nil, targets.count < 2 {
      reader.error(
        "the comparison '\(name)' needs two targets, and the suite has \(targets.count)", at: view,
        advice: "add a profile, or take the comparison out")
    }
    return ReadComparison(
      comparison: PairComparison(
        name: name, question: draft.question, targets: chosen, judges: judges, facts: draft.facts), view: view
    )
  }

  private func names(_ view: JSONView) -> [String] {
    guard view.kind == .array, view.count >= 2 else {
      reader.wrong(view, expected: "at least two targets")
      return []
    }
    var names: [String] = []
    for item in view.elements {
      guard let name = Shape<String>.name.read(item, reader) else { continue }
      if !targets.contains(name) {
        reader.error(
          "there is no target '\(name)' to compare", at: item,
          advice: suggestion(for: name, among: targets) ?? "there are \(targets.joined(separator: ", "))")
      } else if names.contains(name) {
        reader.error("the target '\(name)' is named twice", at: item, advice: "remove one")
      }
      names.append(name)
    }
    return names
  }
}
