import EvalCore
import Testing

@testable import EvalStore

@Suite struct ResumeTests {
  let folder = Folder()
  let profile = testProfile("small")
  let run = testRun()

  @Test func cancelledAndOpenTrialsAreNotFinished() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(run)
    recorder.record(testCase("done"), profile, 1)
    recorder.record(testCase("failed"), profile, status: .failed)
    recorder.record(testCase("blocked"), profile, status: .blocked)
    recorder.record(testCase("cancelled"), profile, status: .cancelled)
    recorder.receive(.attempt(testAttempt(profile), testKey(testCase("open"), profile), request: testRequest))
    try recorder.flush()
    #expect(
      try store.finishedTrials(run.id) == [
        testKey(testCase("done"), profile, 1), testKey(testCase("failed"), profile),
        testKey(testCase("blocked"), profile),
      ])
    #expect(try store.allTrials(run).map(\.caseID) == ["blocked", "done", "failed"])
    #expect(try store.finishedTrials("another") == [])
    try store.begin(testRun("empty"), redactor: noSecrets)
    #expect(try store.finishedCounts() == [run.id: 3])
  }

  @Test func interruptedTrialIsDoneAgainAndItsCostStays() throws {
    let subject = testCase("one")
    let store = try RunStore(path: folder.database)
    var recorder = try store.record(run)
    recorder.receive(
      .attempt(
        testAttempt(profile, reply: testReply(text: "lost"), dollars: 1), testKey(subject, profile),
        request: testRequest))
    recorder.record(testCase("cancelled"), profile, status: .cancelled)
    recorder.record(testCase("whole"), profile)
    try recorder.flush()
    try store.finish(run.id, .interrupted, redactor: noSecrets)
    recorder = try store.recorder(run: run, redactor: noSecrets, isPrivate: false) { _ in }
    recorder.record(subject, profile, reply: testReply(text: "kept"))
    recorder.record(testCase("cancelled"), profile)
    try recorder.flush()

    let trials = try store.allTrials(run)
    #expect(trials.map(\.caseID) == ["cancelled", "one", "whole"])
    #expect(trials.map(\.attempts.count) == [1, 1, 1])
    #expect(trials.map(\.scores.count) == [1, 1, 1])
    #expect(try store.texts(run.id, testKey(subject, profile)).mapValues(\.answer) == [1: "kept"])
    let totals = try store.totals(run.id)
    #expect(totals.trials == [.ok: 3])
    #expect(totals.attempts == 5)
    #expect(totals.uncountedAttempts == 2)
    #expect(totals.knownDollars == 2)
    #expect(totals.cost == Cost(dollars: 2))
    let connection = try Connection(path: folder.database, access: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM attempt_metrics WHERE counted") == 3)
    #expect(try connection.integer("SELECT n FROM latency_percentiles WHERE metric = 'ttft'") == 3)
  }

  @Test func unknownCostIsUnknownAndNotNothing() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(run)
    let key = testKey(testCase("one"), profile)
    recorder.receive(.attempt(testAttempt(profile), key, request: testRequest))
    var unknown = testAttempt(profile, number: 2, dollars: nil)
    unknown.cost.isLowerBound = true
    recorder.receive(.attempt(unknown, key, request: testRequest))
    try recorder.flush()
    let totals = try store.totals(run.id)
    #expect(totals.knownDollars == 0.25)
    #expect(totals.unknownCosts == 1)
    #expect(totals.cost == Cost(dollars: nil, isLowerBound: true))
  }

  /// A resumed run may be on a machine that has started anew, whose monotonic clock begins again.
  @Test func stampsOfALaterProcessStandOnTheRunsTimeLine() throws {
    let store = try RunStore(path: folder.database)
    var recorder = try store.record(run)
    recorder.record(testCase("a"), profile)
    try recorder.flush()
    recorder = try store.recorder(run: run, redactor: noSecrets, isPrivate: false) { _ in }
    try store.write { desk throws(StoreError) in
      try desk.connection.run(
        "UPDATE sessions SET started_at = ?1, started_monotonic = 7 WHERE generation = 2",
        .real(testRun().startedAt + 60))
    }
    recorder.record(testCase("b"), profile, reply: testReply(start: 1_000_000_007))
    try recorder.flush()
    let timelines = try store.allTrials(run).map(\.attempts[0].timeline)
    #expect(timelines[0].start == 2_000_000_000)
    // The second process began 60 s after the first's anchor of 1 s, and its attempt 1 s later.
    #expect(timelines[1].start == 62_000_000_000)
    #expect(timelines[1].tokenReads.last?.at == 62_060_000_000)
    #expect(timelines[0].timeToFirstToken == timelines[1].timeToFirstToken)
  }

  @Test func oneTrialTwiceKeepsTheLastWord() throws {
    let subject = testCase("one")
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(run)
    recorder.record(subject, profile, status: .failed)
    recorder.record(subject, profile)
    try recorder.flush()
    let trial = try #require(try store.allTrials(run).first)
    #expect(trial.status == .ok)
    #expect(trial.scores.count == 1)
    #expect(trial.attempts.count == 2)
  }

  @Test func unfinishedRunIsFoundByItsPlan() throws {
    let store = try RunStore(path: folder.database)
    #expect(try store.unfinished(planHash: run.planHash) == nil)
    for (id, status) in [("r1", RunStatus.interrupted), ("r2", .interrupted), ("r3", .finished)] {
      var each = testRun(id)
      each.startedAt += Double(id.last?.wholeNumberValue ?? 0)
      try store.begin(each, redactor: noSecrets)
      try store.finish(id, status, redactor: noSecrets)
    }
    try store.begin(testRun("r4", plan: "another plan"), redactor: noSecrets)
    #expect(try store.unfinished(planHash: run.planHash)?.id == "r2")
    try store.abandon("r2")
    #expect(try store.unfinished(planHash: run.planHash)?.id == "r1")
    #expect(try store.run(matching: "r2").status == .abandoned)
  }

  @Test(arguments: [RunStatus.finished, .abandoned]) func endedRunIsNotTouchedAgain(_ status: RunStatus)
    throws
  {
    let store = try RunStore(path: folder.database)
    try store.begin(run, redactor: noSecrets)
    try store.finish(run.id, status, findings: [Finding(code: "c", message: "m")], redactor: noSecrets)
    let ended = try store.run(matching: run.id)
    #expect(ended.finishedAt != nil)
    #expect(ended.findings.map(\.code) == ["c"])
    let error = #expect(throws: StoreError.self) {
      try store.recorder(run: run, redactor: noSecrets, isPrivate: false) { _ in }
    }
    #expect(error?.kind == .runEnded)
    #expect(throws: StoreError.self) { try store.abandon(run.id) }
    #expect(throws: StoreError.self) { try store.begin(run, redactor: noSecrets) }
    #expect(try store.run(matching: run.id).status == status)
  }

  @Test func findingIsStoredOnce() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(run)
    let finding = Finding(code: "served-model-differs", message: "m", advice: "a", target: "small")
    recorder.receive(.finding(finding))
    recorder.receive(.finding(finding))
    recorder.receive(.finding(Finding(code: "served-model-differs", message: "m")))
    try recorder.flush()
    try store.finish(run.id, .interrupted, findings: [finding], redactor: noSecrets)
    #expect(
      try store.run(matching: run.id).findings == [
        finding, Finding(code: "served-model-differs", message: "m"),
      ])
  }

  @Test func warmUpCallsAreKeptApart() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(run)
    // A profile that is an arm of a route and no target of its own.
    let arm = testProfile("arm")
    let key = TrialKey(
      caseHash: ContentHash(of: "warm", kind: "warmup"), targetHash: arm.hash, repeatIndex: 0)
    var warm = testAttempt(arm)
    warm.phase = .warmup
    recorder.receive(.attempt(warm, key, request: testRequest))
    recorder.record(testCase("one"), profile)
    try recorder.flush()
    #expect(try store.allTrials(run).map(\.caseID) == ["one"])
    #expect(try store.totals(run.id).warmupAttempts == 1)
    #expect(try store.run(matching: run.id).targets.map(\.name) == ["small"])
    let connection = try Connection(path: folder.database, access: .readOnly)
    #expect(try connection.integer("SELECT sum(n) FROM latency_percentiles WHERE metric = 'ttft'") == 1)
  }

  @Test func measurementsCannotBeEdited() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(run)
    recorder.record(testCase("one"), profile)
    try recorder.flush()
    let error = #expect(throws: StoreError.self) {
      try store.write { desk throws(StoreError) in
        try desk.connection.execute("UPDATE attempts SET t_start = 0")
      }
    }
    #expect(error?.message.contains("measurements are never edited") == true)
  }
}
