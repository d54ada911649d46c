import EvalCore
import Testing

@testable import EvalStore

@Suite struct RoundTripTests {
  let folder = Folder()
  let profile = testProfile("small")

  @Test func runComesBackWhole() throws {
    var run = testRun(profiles: [profile, testProfile("large")])
    run.name = "monday"
    run.recording = "recorded with a real model"
    run.isPrivate = false
    run.findings = [Finding(code: "clock", message: "odd", advice: "look", target: "small")]
    let store = try RunStore(path: folder.database)
    try store.begin(run, redactor: noSecrets)
    let lock = try store.lock(run.id)
    let read = try store.run(matching: run.id)
    #expect(read.id == run.id)
    #expect(read.name == "monday")
    #expect(read.suiteName == run.suiteName)
    #expect(read.suitePath == run.suitePath)
    #expect(read.suiteHash == run.suiteHash)
    #expect(read.planHash == run.planHash)
    #expect(read.status == .running)
    #expect(read.seed == .max)
    #expect(read.repeats == 2)
    #expect(read.plannedTrials == 4)
    #expect(read.caseCount == 2)
    #expect(read.startedAt == run.startedAt)
    #expect(read.startedMonotonic == run.startedMonotonic)
    #expect(read.finishedAt == nil)
    #expect(read.targets == run.targets)
    #expect(read.settings == run.settings)
    #expect(read.provenance == .live)
    #expect(read.recording == run.recording)
    #expect(read.isPrivate == false)
    #expect(read.toolVersion == run.toolVersion)
    #expect(read.machine == run.machine)
    #expect(read.findings == run.findings)
    lock.release()
  }

  @Test func attemptComesBackWhole() throws {
    let subject = testCase("one")
    var reply = testReply()
    reply.outcome = .failed(
      ProviderError(
        .rateLimited, "slow down", status: 429, code: "rate_limit", retryAfterMilliseconds: 1500.5,
        promptTokens: 7, contextSize: 8, inBand: true))
    reply.timeline.connectionReady = 2_000_500_000
    reply.timeline.firstEvent = 2_010_000_001
    reply.timeline.firstReasoning = 2_011_000_000
    reply.timeline.firstTool = 2_012_000_000
    reply.usage = Usage(input: 0, cachedInput: 1, cacheWrite: 2, output: 3, reasoning: 4)
    reply.finish = .toolCalls
    reply.rawFinish = "tool_calls"
    reply.servedModel = "model-2026"
    reply.connection = ConnectionInfo(isCold: true, httpVersion: "2", bytesSent: 0, bytesReceived: 9)
    var attempt = testAttempt(profile, number: 3, cause: .fallback(.overloaded), reply: reply)
    attempt.turn = 1
    attempt.step = 2
    attempt.wait = 5
    attempt.inFlight = 6
    attempt.cost = Cost(dollars: 0.125, isLowerBound: true)
    attempt.decision = ["rule": "small-first", "tokens": 12]
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    recorder.receive(.attempt(attempt, testKey(subject, profile), request: testRequest))
    recorder.receive(.trial(testTrial(subject, profile, status: .failed), CaseFacts(subject)))
    try recorder.flush()
    let read = try #require(try store.allTrials(testRun()).first?.attempts.first)
    #expect(read.turn == 1)
    #expect(read.step == 2)
    #expect(read.number == 3)
    #expect(read.phase == .measured)
    #expect(read.profile == "small")
    #expect(read.boundary == .device)
    #expect(read.cause == "fallback:overloaded")
    #expect(read.outcome == "rateLimited")
    #expect(read.errorClass == .rateLimited)
    #expect(read.errorMessage == "slow down")
    #expect(read.httpStatus == 429)
    #expect(read.finish == .toolCalls)
    #expect(read.rawFinish == "tool_calls")
    #expect(read.provenance == .live)
    #expect(read.isCold == true)
    #expect(read.httpVersion == "2")
    #expect(read.inFlight == 6)
    #expect(read.wait == 5)
    #expect(read.timeline == reply.timeline)
    #expect(read.usage == reply.usage)
    #expect(read.cost == attempt.cost)
    #expect(read.servedModel == "model-2026")
    #expect(read.bytesSent == 0)
    #expect(read.decision == attempt.decision)
    let row = try Connection(path: folder.database, access: .readOnly).prepare(
      """
      SELECT error_code, retry_after_ms, retryable, in_band, prompt_tokens, context_size, bytes_received,
        profile_hash FROM attempts
      """)
    #expect(try row.step())
    #expect(row.text(0) == "rate_limit")
    #expect(row.double(1) == 1500.5)
    #expect(row.flag(2) == true)
    #expect(row.flag(3) == true)
    #expect(row.int(4) == 7)
    #expect(row.int(5) == 8)
    #expect(row.int(6) == 9)
    #expect(row.hash(7) == profile.hash)
  }

  @Test func absentIsNilAndNotZero() throws {
    let subject = testCase("one")
    var bare = testAttempt(profile, reply: ProviderReply(outcome: .empty))
    bare.boundary = nil
    bare.cost = Cost(dollars: nil)
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    recorder.receive(.attempt(bare, testKey(subject, profile), request: testRequest))
    var trial = testTrial(subject, profile, status: .empty, scores: [])
    trial.duration = nil
    recorder.receive(.trial(trial, CaseFacts(subject)))
    try recorder.flush()
    let record = try #require(try store.allTrials(testRun()).first)
    #expect(record.duration == nil)
    #expect(record.score == TrialScore(value: nil, passed: nil, unscored: nil))
    #expect(record.cluster == nil)
    let read = try #require(record.attempts.first)
    #expect(read.timeline == Timeline())
    #expect(read.usage == nil)
    #expect(read.cost.dollars == nil)
    #expect(read.boundary == nil)
    #expect(read.errorClass == nil)
    #expect(read.errorMessage == nil)
    #expect(read.httpStatus == nil)
    #expect(read.finish == nil)
    #expect(read.rawFinish == nil)
    #expect(read.isCold == nil)
    #expect(read.httpVersion == nil)
    #expect(read.servedModel == nil)
    #expect(read.bytesSent == nil)
    #expect(read.decision == nil)
  }

  @Test func reportedUsageWithoutCountsIsNotNoUsage() throws {
    let subject = testCase("one")
    var reply = testReply()
    reply.usage = Usage()
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    recorder.record(subject, profile, reply: reply)
    try recorder.flush()
    #expect(try store.allTrials(testRun()).first?.attempts.first?.usage == Usage())
  }

  @Test func trialAndScoresComeBackWhole() throws {
    var subject = testCase("one")
    subject.cluster = "article 7"
    subject.mustPass = true
    var graded = Score(
      check: "similar", kind: "similarity", weight: 2.5, judgement: .scored(value: 0.5, passed: nil),
      explanation: "half of it", turn: 0)
    graded.duration = 77
    graded.cost = Cost(dollars: 0.5, isLowerBound: true)
    let scores = [
      graded, Score(check: "exact", kind: "exact", judgement: .verdict(false)),
      Score(check: "judge", kind: "judge", judgement: .unscored(.graderFailed, "it fell over")),
    ]
    var trial = testTrial(subject, profile, 1, status: .failed, scores: scores)
    trial.errorClass = .stallTimeout
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    recorder.receive(.trial(trial, CaseFacts(subject)))
    try recorder.flush()
    let read = try #require(try store.allTrials(testRun()).first)
    #expect(read.key == trial.key)
    #expect(read.caseID == "one")
    #expect(read.tags == ["a", "b"])
    #expect(read.cluster == "article 7")
    #expect(read.mustPass)
    #expect(read.target == "small")
    #expect(read.status == .failed)
    #expect(read.errorClass == .stallTimeout)
    #expect(read.score == trial.score)
    #expect(read.score.passed == false)
    #expect(read.duration == 70_000_000)
    #expect(read.attempts.isEmpty)
    #expect(
      read.scores
        == scores.map {
          ScoreRecord(
            check: $0.check, kind: $0.kind, weight: $0.weight, turn: $0.turn, judgement: $0.judgement,
            explanation: $0.explanation)
        })
    let row = try Connection(path: folder.database, access: .readOnly).prepare(
      "SELECT duration_ns, cost_usd, cost_is_lower_bound FROM scores WHERE check_name = 'similar'")
    #expect(try row.step())
    #expect(row.int(0) == 77)
    #expect(row.double(1) == 0.5)
    #expect(row.flag(2) == true)
  }

  @Test func textsComeBackWhole() throws {
    let subject = testCase("one", "quote \" and \u{0} and é")
    var reply = testReply(text: "answer with \u{0} and 🙂")
    reply.reasoning = "thought"
    reply.refusal = "no"
    reply.toolCalls = [
      ToolCall(id: "c1", name: "look", arguments: ["at": [1, 2.5, .null]]),
      ToolCall(id: nil, name: "wait", arguments: "not JSON"),
    ]
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    let request = RequestSnapshot(
      instructions: "Be brief.", messages: [Message(.user, "question"), Message(.assistant, "")])
    recorder.receive(
      .attempt(testAttempt(profile, reply: testReply(text: "")), testKey(subject, profile), request: request))
    recorder.receive(
      .attempt(testAttempt(profile, number: 2, reply: reply), testKey(subject, profile), request: request))
    recorder.receive(.trial(testTrial(subject, profile), CaseFacts(subject)))
    try recorder.flush()
    let texts = try store.texts(testRun().id, testKey(subject, profile))
    #expect(texts.keys.sorted() == [1, 2])
    #expect(texts[1]?.answer == "")
    #expect(texts[1]?.reasoning == nil)
    #expect(texts[1]?.refusal == nil)
    #expect(texts[1]?.toolCalls == [])
    #expect(texts[2]?.request == request.json)
    #expect(texts[2]?.answer == reply.text)
    #expect(texts[2]?.reasoning == "thought")
    #expect(texts[2]?.refusal == "no")
    #expect(texts[2]?.toolCalls == reply.toolCalls)
    #expect(try store.caseContent(testRun().id, subject.hash) == CaseFacts(subject).content)
    #expect(try store.caseContent(testRun().id, testCase("other").hash) == nil)
  }

  @Test func paceComesBackWhole() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    recorder.receive(
      .pace(PaceChange(endpoint: "http://localhost:1", at: 5, width: 3, reason: .rateLimited, pause: 7)))
    recorder.receive(
      .pace(PaceChange(endpoint: "http://localhost:1", at: 6, width: 4, reason: .recovered, pause: nil)))
    try recorder.flush()
    let row = try Connection(path: folder.database, access: .readOnly).prepare(
      "SELECT generation, endpoint, t_changed, width, reason, pause_ns FROM pace ORDER BY pace_no")
    #expect(try row.step())
    #expect((0..<6).map { row.text($0) } == ["1", "http://localhost:1", "5", "3", "rateLimited", "7"])
    #expect(try row.step())
    #expect((0..<6).map { row.text($0) } == ["1", "http://localhost:1", "6", "4", "recovered", nil])
  }

  @Test(arguments: [
    [], [TokenRead(at: 0, events: 1)], [TokenRead(at: .max, events: 300), TokenRead(at: .min, events: 1)],
    [TokenRead(at: 5_000_000_000, events: 2), TokenRead(at: 4_999_999_999, events: 1)],
  ])
  func tokenStampsComeBack(_ reads: [TokenRead]) {
    let bytes = TokenStamps.encode(reads)
    #expect((bytes == nil) == reads.isEmpty)
    #expect((bytes ?? []).withUnsafeBytes { TokenStamps.decode($0) } == reads)
  }
}
