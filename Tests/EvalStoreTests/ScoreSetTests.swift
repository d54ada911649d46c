import EvalCore
import Foundation
import Testing

@testable import EvalStore

@Suite struct ScoreSetTests {
  let folder = Folder()
  let profile = testProfile("small")

  private func set(_ name: String? = nil) -> ScoreSetInfo {
    ScoreSetInfo(
      name: name, createdAt: 1_796_100_000.5, hash: ContentHash(of: "checks", kind: "scores"),
      suiteName: "strict",
      suitePath: "strict.json", suiteHash: ContentHash(of: "strict", kind: "suite"), toolVersion: "0.2.0",
      provenance: .live, trials: 3, planned: 2, skipped: [.init(id: "c", reason: .inputChanged)],
      skippedCount: 1,
      judging: ["judges": [["name": "strict judge"]]])
  }

  private func filled() throws -> (RunStore, RunInfo) {
    let store = try RunStore(path: folder.database)
    var run = testRun()
    run.settings = ["concurrency": 4, "judging": ["judges": [["name": "own judge"]]]]
    let recorder = try store.record(run)
    for id in ["a", "b", "c"] { recorder.record(testCase(id), profile) }
    try recorder.flush()
    try store.finish(run.id, .finished, redactor: noSecrets)
    return (store, run)
  }

  private func fails(_ store: RunStore, _ run: RunInfo) throws -> (ScoreSetInfo, ScoreRecorder) {
    try store.openScoreSet(set("strict"), of: run.id, redactor: noSecrets) { Issue.record("\($0)") }
  }

  @Test func aSetHasScoresOfItsOwnAndLeavesEverythingElse() throws {
    let (store, run) = try filled()
    let before = try dump()
    let (opened, recorder) = try fails(store, run)
    #expect(opened.number == 1)
    let covered = Set(["a", "b"].map { testCase($0).hash })
    let answers = try store.answers(run.id, set: 1) { covered.contains($0) }
    #expect(answers.trials == 3 && answers.planned == 2 && answers.left == 2)
    let trials = try answers.next(10)
    #expect(trials.map(\.caseID) == ["a", "b"] && answers.left == 0)
    #expect(try answers.next(1).isEmpty)
    let score = Score(
      check: "exact", kind: "exact", weight: 2, judgement: .scored(value: 0.25, passed: false))
    try recorder.keep(trials.map { ($0.number, [score]) })
    try store.finishScoreSet(opened, of: run.id)
    #expect(try dump() == before, "no measurement and no score of the run was touched")

    let read = try #require(try store.scoreSets(run.id).first)
    #expect(read.number == 1 && read.name == "strict" && read.covered == 2 && read.finishedAt != nil)
    #expect(read.createdAt == 1_796_100_000.5 && read.hash == opened.hash && read.suitePath == "strict.json")
    #expect(read.skipped == [.init(id: "c", reason: .inputChanged)] && read.trials == 3 && read.planned == 2)
    for text in ["1", "strict"] { #expect(try store.scoreSet(text, of: run.id) == read) }
    #expect(try store.scoreSet("0", of: run.id) == nil)
    #expect { try store.scoreSet("strikt", of: run.id) } throws: { error in
      (error as? StoreError)?.kind == .noSuchScoreSet
        && (error as? StoreError)?.advice?.contains("strict") == true
    }

    let source = store.trials(try store.run(matching: run.id), scores: read)
    #expect(
      source.run.settings["judging"]?["judges"]?.arrayValue?.first?["name"]?.stringValue == "strict judge")
    var records: [TrialRecord] = []
    try source.forEachTrial { records.append($0) }
    #expect(
      records.map(\.score.value) == [0.25, 0.25, nil] && records.map(\.isCovered) == [true, true, false])
    #expect(records[2].score.unscored == .notApplicable && records[2].attempts.count == 1)
    #expect(records[0].scores.map(\.weight) == [2])
    #expect(try store.allTrials(run).map(\.score.value) == [1, 1, 1])
  }

  @Test func aSecondProcessGoesOnWhereTheFirstStopped() throws {
    let (store, run) = try filled()
    let (opened, first) = try fails(store, run)
    let answers = try store.answers(run.id, set: opened.number) { _ in true }
    let trials = try answers.next(2)
    try first.keep([(trials[0].number, [Score(check: "x", kind: "x", judgement: .verdict(true))])])
    let other = try RunStore(path: folder.database)
    let (again, second) = try other.openScoreSet(
      try #require(try other.scoreSets(run.id).first), of: run.id, redactor: noSecrets
    ) { Issue.record("\($0)") }
    #expect(again.number == opened.number)
    let left = try other.answers(run.id, set: again.number) { _ in true }
    #expect(left.planned == 3 && left.left == 2)
    try second.keep(try left.next(5).map { ($0.number, []) })
    #expect(try other.answers(run.id, set: again.number) { _ in true }.left == 0)
    // What is there is there: nobody writes it twice, and nothing of a batch that fails stays.
    #expect(throws: StoreError.self) {
      try second.keep(trials.map { ($0.number, [Score(check: "y", kind: "y", judgement: .verdict(true))]) })
    }
    #expect(try other.scoreSets(run.id)[0].covered == 3)
  }

  @Test func judgesOfASetAreItsOwnAndThoseOfALostTrialAreCountedApart() throws {
    let (store, run) = try filled()
    func call(_ level: Int) -> JudgeCall {
      var reply = testReply(text: "verdict")
      reply.usage = Usage(input: 7, output: 2)
      return JudgeCall(
        place: JudgePlace(trial: testKey(testCase("a"), profile), target: "small", check: "r", rubric: "r"),
        judge: "judge", judgeHash: ContentHash(of: "judge", kind: "profile"), force: .schema, temperature: 0,
        seed: 1,
        number: 1, wait: 0, reply: reply, cost: Cost(dollars: 0.5),
        reading: .marks([CriterionMark(criterion: "c", level: level, levels: 4, label: nil, reason: "why")]))
    }
    let (opened, first) = try fails(store, run)
    first.receive(.judgeCall(call(1)))
    // The process ends before the trial is graded; the next one asks again.
    let (_, second) = try store.openScoreSet(
      try #require(try store.scoreSets(run.id).first), of: run.id, redactor: noSecrets
    ) { Issue.record("\($0)") }
    second.receive(.judgeCall(call(3)))
    let trial = try #require(try store.answers(run.id, set: 1) { _ in true }.next(1).first)
    try second.keep([(trial.number, [Score(check: "r", kind: "rubric", judgement: .verdict(true))])])
    #expect(try store.judgeCosts(run.id, set: 1) == (2, 1, 0))
    #expect(try store.judgeCosts(run.id, set: 0) == (0, 0, 0))
    var calls: [[JudgeCallRecord]] = []
    try store.trials(run, scores: try store.scoreSet("1", of: run.id)).forEachTrial {
      calls.append($0.judgeCalls)
    }
    #expect(calls.map(\.count) == [1, 0, 0])
    #expect(
      calls[0][0].reading
        == .marks([CriterionMark(criterion: "c", level: 3, levels: 4, label: nil, reason: "why")]))
    #expect(try store.allTrials(run).allSatisfy(\.judgeCalls.isEmpty))
    let connection = try Connection(path: folder.database, access: .readOnly)
    #expect(
      try connection.integer("SELECT count(*) FROM judge_results WHERE score_set = 1 AND level = 3") == 1)
    #expect(try connection.integer("SELECT count(*) FROM judge_results") == 1)
    #expect(opened.number == 1)
  }

  @Test func answersComeWithEverythingThatGradersLookAt() throws {
    let store = try RunStore(path: folder.database)
    let run = testRun()
    let recorder = try store.record(run)
    let subject = testCase("a")
    let key = testKey(subject, profile)
    var call = testReply(text: "")
    call.toolCalls = [ToolCall(id: "1", name: "find", arguments: ["name": "Ada"])]
    call.finish = .toolCalls
    var answer = testReply(text: "An answer with ünïcödé\u{0}.")
    answer.reasoning = "Because."
    answer.usage = Usage(input: 10, cachedInput: 2, cacheWrite: nil, output: 5, reasoning: 1)
    answer.provenance = .recorded
    var refusal = testReply(text: "")
    refusal.outcome = .refused
    refusal.refusal = "No."
    let replies = [
      (0, 0, ProviderReply(outcome: .failed(ProviderError(.serverError, "broken", status: 500)))),
      (0, 0, call),
      (0, 1, answer), (1, 0, refusal),
    ]
    for (index, (turn, step, reply)) in replies.enumerated() {
      var attempt = testAttempt(profile, number: index + 1, reply: reply, dollars: index == 0 ? nil : 0.25)
      (attempt.turn, attempt.step) = (turn, step)
      recorder.receive(.attempt(attempt, key, request: testRequest))
    }
    var trial = testTrial(subject, profile, status: .refused)
    trial.served = [3, 4]
    recorder.receive(.trial(trial, CaseFacts(subject)))
    try recorder.flush()
    let stored = try #require(try store.answers(run.id, set: 0) { _ in true }.next(9).first)
    #expect(stored.key == key && stored.status == .refused && stored.servedNumbers == [3, 4])
    #expect(stored.attempts.map(\.number) == [1, 2, 3, 4] && stored.attempts.map(\.step) == [0, 0, 1, 0])
    #expect(stored.attempts.map(\.cost.dollars) == [nil, 0.25, 0.25, 0.25] && stored.lostAnswer == nil)
    for (attempt, (_, _, reply)) in zip(stored.attempts, replies) {
      let read = attempt.reply
      #expect(read.text == reply.text && read.reasoning == reply.reasoning && read.refusal == reply.refusal)
      #expect(read.toolCalls == reply.toolCalls && read.finish == reply.finish && read.usage == reply.usage)
      #expect(read.provenance == reply.provenance && read.outcome.label == reply.outcome.label)
      #expect(read.timeline.total == reply.timeline.total)
      #expect(read.timeline.timeToFirstToken == reply.timeline.timeToFirstToken)
    }
    #expect(stored.attempts[0].reply.outcome.error?.status == 500)
    try Connection(path: folder.database, access: .readWrite).execute(
      "DELETE FROM texts WHERE attempt_no % 65536 = 4")
    #expect(try store.answers(run.id, set: 0) { _ in true }.next(9).first?.lostAnswer == 4)
  }

  @Test func nothingIsEdited() throws {
    let (store, run) = try filled()
    let (_, recorder) = try fails(store, run)
    let trial = try #require(try store.answers(run.id, set: 1) { _ in true }.next(1).first)
    try recorder.keep([(trial.number, [Score(check: "x", kind: "x", judgement: .verdict(true))])])
    let connection = try Connection(path: folder.database, access: .readWrite)
    for edit in [
      "UPDATE scores SET value = 0", "UPDATE set_trials SET passed = 0", "UPDATE texts SET answer = 'x'",
      "UPDATE attempts SET turn = 1",
    ] {
      #expect(throws: StoreError.self, "\(edit)") { try connection.execute(edit) }
    }
  }

  @Test func aTrialThatIsDoneAgainHasNoPlaceInASet() throws {
    let store = try RunStore(path: folder.database)
    let run = testRun()
    let recorder = try store.record(run)
    recorder.record(testCase("a"), profile)
    try recorder.flush()
    let (_, scores) = try fails(store, run)
    let trial = try #require(try store.answers(run.id, set: 1) { _ in true }.next(1).first)
    try scores.keep([(trial.number, [Score(check: "x", kind: "x", judgement: .verdict(true))])])
    recorder.record(testCase("a"), profile)
    try recorder.flush()
    #expect(try store.scoreSets(run.id)[0].covered == 0)
    #expect(try store.answers(run.id, set: 1) { _ in true }.left == 1)
  }

  /// Every row that a new grading must not touch.
  private func dump() throws -> [String] {
    let connection = try Connection(path: folder.database, access: .readOnly)
    var lines: [String] = []
    for table in [
      "runs", "sessions", "targets", "cases", "trials", "attempts", "texts", "scores", "trial_results",
    ] {
      let select = try connection.prepare(
        "SELECT * FROM \(table)\(table == "scores" ? " WHERE score_set = 0" : "")")
      while try select.step() {
        lines.append(table + (0..<Int32(select.names.count)).map { "|\(select.text($0) ?? "-")" }.joined())
      }
    }
    return lines
  }
}
