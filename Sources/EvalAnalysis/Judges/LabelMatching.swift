import EvalCore

/// Finds the answers that labels are about.
struct LabelMatching {
  private struct Place: Hashable {
    /// Its id, or its hash.
    var subject: String
    var check: String
  }

  let answers: [JudgedAnswer]
  private var byCase: [Place: [Int]] = [:]
  private var byHash: [Place: [Int]] = [:]
  private var checks: [String] = []
  private let targets: Set<String>
  private let cases: Set<String>
  private let repeats: Int
  private let digest: (JudgedAnswer) throws -> String?
  private var digests: [Int: String?] = [:]
  /// Answers that a label of this question has taken: one label is one answer.
  private var taken: Set<[String]> = []

  /// - Parameters:
  ///   - cases: the ids of all cases of the run, judged or not.
  ///   - digest: an answer's SHA-256 in hexadecimal digits; `nil` when nothing is stored of it.
  init(
    _ run: RunInfo, _ answers: [JudgedAnswer], cases: [String],
    digest: @escaping (JudgedAnswer) throws -> String?
  ) {
    self.cases = Set(cases)
    targets = Set(run.targets.map(\.name))
    self.answers = answers
    self.digest = digest
    repeats = run.repeats
    for (index, answer) in answers.enumerated() {
      byCase[Place(subject: answer.caseID, check: answer.check), default: []].append(index)
      byHash[Place(subject: answer.key.caseHash.hex, check: answer.check), default: []].append(index)
      if !checks.contains(answer.check) { checks.append(answer.check) }
    }
  }

  enum Match {
    case answer(Int)
    /// The run has other answers.
    case none
    case problem(Problem)
  }

  mutating func match(_ label: AnswerLabel) throws -> Match {
    guard checks.contains(label.check) else {
      return problem(
        label, "no judge scored anything for a check '\(label.check)'", label.check, among: checks)
    }
    if label.answerHash != nil { return try matchByContent(label) }
    if let problem = problem(ofName: label) { return problem }
    let fitting = (byCase[Place(subject: label.caseID, check: label.check)] ?? []).filter { index in
      let answer = answers[index]
      return (label.target ?? answer.target) == answer.target
        && (label.repeatIndex ?? answer.key.repeatIndex) == answer.key.repeatIndex
        && (label.turn ?? answer.turn) == answer.turn
    }
    // The case is there, but the judge gave this answer no score.
    if fitting.isEmpty { return .none }
    if fitting.count == 1 { return take(fitting[0], label) }
    return ambiguous(label, "turn")
  }

  /// What is wrong with a label that names its answer by the case's id.
  private func problem(ofName label: AnswerLabel) -> Match? {
    guard cases.contains(label.caseID) else {
      return problem(label, "the run has no case '\(label.caseID)'", label.caseID, among: cases)
    }
    if let target = label.target, !targets.contains(target) {
      return problem(label, "the run has no target '\(target)'", target, among: targets)
    }
    if label.target == nil, targets.count > 1 { return ambiguous(label, "target") }
    if label.repeatIndex == nil, repeats > 1 { return ambiguous(label, "repeat") }
    return nil
  }

  private func ambiguous(_ label: AnswerLabel, _ what: String) -> Match {
    .problem(
      Problem(
        .error, "several answers fit this label", at: label.location,
        advice: "say which '\(what)' it is about"))
  }

  /// By what the answer says: it may stand in another run, or for another target.
  private mutating func matchByContent(_ label: AnswerLabel) throws -> Match {
    var found: (rank: Int, index: Int)?
    let fitting =
      label.caseHash.map { byHash[Place(subject: $0.hex, check: label.check)] ?? [] }
      ?? byCase[Place(subject: label.caseID, check: label.check)] ?? []
    for index in fitting {
      let answer = answers[index]
      guard label.turn == nil || label.turn == answer.turn, !taken.contains(taking(index, label))
      else { continue }
      if digests[index] == nil { digests[index] = .some(try digest(answer)) }
      guard digests[index] == .some(label.answerHash) else { continue }
      let sameTarget = answer.key.targetHash == label.targetHash
      let rank = (sameTarget ? 2 : 0) + (answer.key.repeatIndex == label.repeatIndex ? 1 : 0)
      if rank > (found?.rank ?? -1) { found = (rank, index) }
    }
    return found.map { take($0.index, label) } ?? .none
  }

  private func taking(_ index: Int, _ label: AnswerLabel) -> [String] { ["\(index)", label.criterion ?? ""] }

  private mutating func take(_ index: Int, _ label: AnswerLabel) -> Match {
    guard taken.insert(taking(index, label)).inserted else {
      return .problem(
        Problem(.error, "this answer has a label already", at: label.location, advice: "keep one of them"))
    }
    return .answer(index)
  }

  private func problem(
    _ label: AnswerLabel, _ message: String, _ word: String, among names: some Sequence<String>
  ) -> Match {
    let names = names.sorted()
    return .problem(
      Problem(
        .error, message, at: label.location,
        advice: suggestion(for: word, among: names)
          ?? (names.isEmpty
            ? "no judge scored anything in this run"
            : "there are \(names.prefix(10).joined(separator: ", "))")))
  }
}
