import EvalCore
import EvalEngine
import EvalGraders
import EvalStore

/// Has judges compare the answers of a run, when all its trials are there.
///
/// It is a step of its own after the run: both answers must be there, and an earlier process may have asked for one of
/// them, so they are read back from the store. What was compared already is not asked again.
struct ComparisonDesk {
  let suite: Suite
  let store: RunStore
  let opened: RunDesk.Opened
  let judges: JudgeDesk

  /// What names a question that was asked.
  private struct Asked: Hashable {
    var key: TrialKey
    var comparison: String
    var opponent: String
    var judge: String
    var draw: Int
  }

  /// Asks what is left to ask.
  /// - Returns: false when the run was stopped before everything was asked.
  func perform() throws(CommandFailure) -> Bool {
    guard !suite.comparisons.isEmpty else { return true }
    do {
      try opened.recorder.flush()
      let open = try questions()
      guard !open.isEmpty else { return true }
      return try blocking {
        let work = Task { await ask(open) }
        opened.control.onChange { state in
          if case .aborting = state { work.cancel() }
        }
        return await work.value
      }.get()
    } catch {
      throw CommandFailure(error)
    }
  }

  private func questions() throws -> [OpenQuestion] {
    var answered: [ContentHash: [Int: [String: Answered]]] = [:]
    var order: [ContentHash] = []
    var asked: Set<Asked> = []
    try store.trials(opened.run).forEachTrial { trial in
      for call in trial.judgeCalls where call.place.purpose == .compare && call.reading.fault != .cancelled {
        asked.insert(
          Asked(
            key: trial.key, comparison: call.place.check, opponent: call.place.opponent ?? "",
            judge: call.judge,
            draw: call.place.draw))
      }
      guard trial.status == .ok, let served = trial.served else { return }
      if answered[trial.key.caseHash] == nil { order.append(trial.key.caseHash) }
      answered[trial.key.caseHash, default: [:]][trial.key.repeatIndex, default: [:]][trial.target] =
        Answered(
          key: trial.key, target: trial.target, attempt: served.number)
    }
    let targets = opened.run.targets.map(\.name)
    var questions: [OpenQuestion] = []
    for hash in order {
      for (_, answers) in (answered[hash] ?? [:]).sorted(by: { $0.key < $1.key }) {
        for comparison in suite.comparisons {
          questions += open(comparison, answers, targets).filter { question in
            !asked.contains(
              Asked(
                key: question.first.key, comparison: comparison.name, opponent: question.second.target,
                judge: question.judge, draw: question.isSwapped ? 1 : 0))
          }
        }
      }
    }
    return questions
  }

  private func open(
    _ comparison: PairComparison, _ answers: [String: Answered], _ targets: [String]
  ) -> [OpenQuestion] {
    comparison.pairs(among: targets).flatMap { pair -> [OpenQuestion] in
      guard let first = answers[pair.first], let second = answers[pair.second] else { return [] }
      return comparison.judges.flatMap { judge in
        [false, true].map { isSwapped in
          OpenQuestion(
            comparison: comparison, first: first, second: second, judge: judge, isSwapped: isSwapped)
        }
      }
    }
  }

  /// As many at once as judges may need; their widths decide how many calls there are.
  private static let width = 64

  private func ask(_ questions: [OpenQuestion]) async -> Result<Bool, StoreError> {
    let pairs: PairReader
    do {
      pairs = PairReader(suite: suite, texts: try store.textReader(opened.run.id))
    } catch {
      return .failure(error)
    }
    let comparing = Comparing(caller: judges)
    var isWhole = true
    await withTaskGroup(of: Bool.self) { group in
      for (index, question) in questions.enumerated() {
        if index >= ComparisonDesk.width, await group.next() == false { isWhole = false }
        guard opened.control.isRunning else {
          isWhole = false
          break
        }
        guard let pair = pairs.pair(of: question) else { continue }
        group.addTask {
          await comparing.ask(pair, judge: question.judge, isSwapped: question.isSwapped).fault != .cancelled
        }
      }
      for await isAnswered in group where !isAnswered { isWhole = false }
    }
    return .success(isWhole)
  }
}

/// One question that is still open.
private struct OpenQuestion: Sendable {
  var comparison: PairComparison
  var first: Answered
  var second: Answered
  var judge: String
  var isSwapped: Bool
}

/// A trial that ended with an answer.
private struct Answered: Sendable {
  var key: TrialKey
  var target: String
  var attempt: Int
}

/// Reads the two answers of a question and what they answer.
private struct PairReader {
  private let texts: TextReader
  private let suite: Suite
  private let places: [ContentHash: Int]

  init(suite: Suite, texts: TextReader) {
    self.suite = suite
    self.texts = texts
    places = Dictionary(
      suite.cases.summaries.enumerated().map { ($1.hash, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// `nil` when an answer is not stored or the case is gone.
  func pair(of question: OpenQuestion) -> ComparedPair? {
    guard let place = places[question.first.key.caseHash], let subject = try? suite.cases.load(place),
      let first = answer(question.first), let second = answer(question.second)
    else { return nil }
    var pair = ComparedPair(
      comparison: question.comparison, trial: question.first.key, first: (question.first.target, first),
      second: (question.second.target, second),
      messages: subject.history + subject.turns.map { Message(role: .user, parts: $0.content) },
      reference: subject.reference)
    pair.signals = subject.signals
    return pair
  }

  private func answer(_ trial: Answered) -> String? { (try? texts.texts(trial.key))?[trial.attempt]?.answer }
}
