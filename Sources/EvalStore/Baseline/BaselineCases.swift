import EvalCore

/// Reads the lines of a baseline's cases.
struct BaselineCases {
  let run: RunInfo
  let checkSets: [String: [CheckShape]]

  private static let keys = ["id", "hash", "tags", "cluster", "mustPass", "checkSet", "results"]
  private static let resultKeys = [
    "target", "status", "checks", "ms", "firstTokenMs", "usd", "boundary", "profile", "cold",
  ]

  /// The trials of one case, by target and repeat.
  func trials(of view: JSONView, _ problems: inout BaselineProblems) -> [TrialRecord] {
    guard problems.expectObject(view, "a case", keys: BaselineCases.keys) else { return [] }
    let id = problems.string(view, "id")
    guard let hash = problems.hash(view, "hash"), let id else { return [] }
    let shapes = shapes(view, &problems)
    guard let results = view["results"], results.kind == .array else {
      problems.add("'results' is missing or not an array", view["results"] ?? view)
      return []
    }
    var blank = TrialRecord(
      key: TrialKey(caseHash: hash, targetHash: hash, repeatIndex: 0), caseID: id,
      tags: view["tags"].map { $0.elements.compactMap(\.string) } ?? [],
      cluster: problems.optionalString(view, "cluster"), mustPass: view["mustPass"]?.bool ?? false,
      target: "", status: .ok, errorClass: nil,
      score: TrialScore(value: nil, passed: nil, unscored: nil), duration: nil, attempts: [], scores: [])
    var trials: [TrialRecord] = []
    for result in results.elements {
      guard problems.expectObject(result, "a result", keys: BaselineCases.resultKeys),
        let name = problems.string(result, "target")
      else { continue }
      guard let target = run.targets.first(where: { $0.name == name }) else {
        problems.add(
          "there is no target '\(name)' in this baseline", result,
          advice: suggestion(for: name, among: run.targets.map(\.name)))
        continue
      }
      if trials.contains(where: { $0.target == name }) {
        problems.add("the target '\(name)' is there twice for this case", result)
        continue
      }
      blank.key.targetHash = target.hash
      blank.target = name
      trials += self.trials(result, shapes, like: blank, &problems)
    }
    return trials
  }

  private func shapes(_ view: JSONView, _ problems: inout BaselineProblems) -> [CheckShape] {
    guard let key = problems.optionalString(view, "checkSet") else { return [] }
    if let shapes = checkSets[key] { return shapes }
    problems.add("there is no check set '\(key)'", view["checkSet"] ?? view)
    return []
  }

  private func trials(
    _ view: JSONView, _ shapes: [CheckShape], like blank: TrialRecord, _ problems: inout BaselineProblems
  ) -> [TrialRecord] {
    let columns = Columns(view, repeats: run.repeats, checks: shapes.count, &problems)
    guard columns.isRight else { return [] }
    var trials: [TrialRecord] = []
    for index in 0..<run.repeats {
      guard let (status, kind) = columns.status(index, &problems) else { continue }
      var trial = blank
      trial.key.repeatIndex = index
      trial.status = status
      trial.errorClass = kind
      for (place, shape) in shapes.enumerated() {
        guard let judgement = columns.judgement(place, index, &problems) else { continue }
        trial.scores.append(shape.record(judgement))
      }
      trial.score = TrialScore(
        trial.scores.map {
          Score(check: $0.check, kind: $0.kind, weight: $0.weight, judgement: $0.judgement, turn: $0.turn)
        })
      addCall(to: &trial, columns, index, &problems)
      trials.append(trial)
    }
    return trials
  }

  /// All calls of a trial as one that took their times and cost what they cost.
  private func addCall(
    to trial: inout TrialRecord, _ columns: Columns, _ index: Int, _ problems: inout BaselineProblems
  ) {
    let total = columns.time("ms", index, &problems)
    let firstToken = columns.time("firstTokenMs", index, &problems)
    let cost = columns.cost(index, &problems)
    trial.duration = total
    guard let boundary = columns.boundary(index, &problems) else { return }
    var timeline = Timeline()
    timeline.start = total == nil && firstToken == nil ? nil : 0
    timeline.firstContent = firstToken
    timeline.lastToken = firstToken == nil ? nil : total
    timeline.terminal = total
    timeline.done = total
    var attempt = AttemptRecord(
      turn: 0, step: 0, number: 1, phase: .measured,
      profile: columns.profile(index) ?? trial.target, boundary: boundary.value,
      cause: AttemptCause.first.label, outcome: trial.errorClass?.rawValue ?? trial.status.rawValue,
      errorClass: trial.errorClass, provenance: run.provenance, inFlight: 1, wait: 0, timeline: timeline,
      usage: nil, cost: cost)
    attempt.isCold = columns.cold(index, &problems)
    trial.attempts = [attempt]
  }
}

/// The members of one result: each a value for every repeat, or one for all of them.
private struct Columns {
  private let view: JSONView
  private let repeats: Int
  private(set) var isRight = true

  init(_ view: JSONView, repeats: Int, checks: Int, _ problems: inout BaselineProblems) {
    self.view = view
    self.repeats = repeats
    for member in view.members {
      let key = member.key.string ?? ""
      if key == "checks" {
        guard member.value.kind == .array, member.value.count == checks else {
          isRight = false
          problems.add("'checks' does not have the \(checks) entries of its check set", member.value)
          continue
        }
        for check in member.value.elements { expectRepeats(check, key, &problems) }
      } else {
        expectRepeats(member.value, key, &problems)
      }
    }
    if view["checks"] == nil, checks > 0 {
      isRight = false
      problems.add("'checks' is missing", view)
    }
  }

  private mutating func expectRepeats(
    _ value: JSONView, _ key: String, _ problems: inout BaselineProblems
  ) {
    guard value.kind == .array, value.count != repeats else { return }
    isRight = false
    problems.add("'\(key)' has \(value.count) values for \(repeats) repeats", value)
  }

  private func value(_ view: JSONView?, _ index: Int) -> JSONView? {
    guard let view else { return nil }
    let value = view.kind == .array ? view[index] : view
    return value.flatMap { $0.isNull ? nil : $0 }
  }

  /// `nil` for a repeat that is not there.
  func status(_ index: Int, _ problems: inout BaselineProblems) -> (TrialStatus, ErrorClass?)? {
    guard let column = view["status"] else { return (.ok, nil) }
    guard let value = value(column, index) else { return nil }
    if let status = value.string.flatMap(BaselineValues.status) { return status }
    problems.add("'\(value.string ?? "")' is no status of a trial", value)
    return nil
  }

  func judgement(_ place: Int, _ index: Int, _ problems: inout BaselineProblems) -> Judgement? {
    guard let value = value(view["checks"]?[place], index) else { return nil }
    if let judgement = BaselineValues.judgement(value) { return judgement }
    problems.add("a check's result is true, false, a number in 0…1, '0.75 pass' or a reason", value)
    return nil
  }

  /// Nanoseconds.
  func time(_ key: String, _ index: Int, _ problems: inout BaselineProblems) -> Int64? {
    guard let value = value(view[key], index) else { return nil }
    if let number = value.double, number >= 0, number < 1e12 { return Int64((number * 1e6).rounded()) }
    problems.add("'\(key)' is not a number of milliseconds", value)
    return nil
  }

  func cost(_ index: Int, _ problems: inout BaselineProblems) -> Cost {
    guard let value = value(view["usd"], index) else { return Cost(dollars: nil) }
    if let cost = BaselineValues.dollars(value) { return cost }
    problems.add("'usd' is not a number of dollars", value)
    return Cost(dollars: nil)
  }

  /// `nil` when there was no call; a boundary that is not known has no value.
  func boundary(_ index: Int, _ problems: inout BaselineProblems) -> KnownBoundary? {
    guard let column = view["boundary"] else { return KnownBoundary(value: .device) }
    guard let value = value(column, index) else { return KnownBoundary(value: nil) }
    if value.string == "none" { return nil }
    if let boundary = value.string.flatMap(Boundary.init) { return KnownBoundary(value: boundary) }
    problems.add(
      "'boundary' is none or one of \(Boundary.allCases.map(\.rawValue).joined(separator: ", "))", value)
    return nil
  }

  func profile(_ index: Int) -> String? { value(view["profile"], index)?.string }

  func cold(_ index: Int, _ problems: inout BaselineProblems) -> Bool? {
    guard let value = value(view["cold"], index) else { return nil }
    if value.bool == nil { problems.add("'cold' is not true or false", value) }
    return value.bool
  }
}

/// The boundary of a trial that made a call; `nil` when it is not known.
private struct KnownBoundary { var value: Boundary? }
