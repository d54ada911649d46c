import EvalCore
import Testing

@testable import EvalAnalysis

/// A stored run of two profiles, read into the table that policies replay over.
@Suite struct RecordedRunTests {
  static func profile(_ name: String, _ change: (inout Profile) -> Void = { _ in }) -> Profile {
    var profile = Profile(name: name, provider: "openai-chat", model: "m-\(name)")
    profile.endpoint = "http://\(name)"
    change(&profile)
    return profile
  }

  static let device = profile("device") {
    $0.boundary = .device
    $0.contextSize = .tokens(4096)
    $0.price = .free
    $0.instructions = "Answer {{who}} about {{reference}}."
  }
  static let cloud = profile("cloud") { $0.price = Price(input: 1, output: 2) }

  static func run(repeats: Int = 1, routes: [String] = [], isPrivate: Bool = false) -> RunInfo {
    var run = TestRun(cases: 2, repeats: repeats).run
    run.targets = [device, cloud].map {
      RunInfo.TargetInfo(
        name: $0.name, kind: "profile", hash: $0.hash, content: .object($0.contentObject))
    }
    run.targets += routes.map {
      RunInfo.TargetInfo(name: $0, kind: "route", hash: TestRun.hash($0), content: ["policy": .string($0)])
    }
    run.settings = ["retries": ["limit": 5, "maxRetryAfterSeconds": 2.0]]
    run.isPrivate = isPrivate
    return run
  }

  static let subject = Case(
    id: "a", variables: ["who": "Ann"], history: [Message(.user, "Hello"), Message(.assistant, "Hi there")],
    turns: [Turn(content: [.text("Where is the Eiffel tower?")])], reference: "Paris",
    signals: ["task": "qa"])

  static func record(_ subject: Case, isPrivate: Bool = false) -> CaseRecord {
    let facts = CaseFacts(subject)
    return CaseRecord(
      id: facts.id, hash: facts.hash, cluster: facts.cluster, signals: facts.signals, expects: facts.expects,
      content: isPrivate ? nil : facts.content)
  }

  static func trial(
    _ subject: Case, _ target: String, repeatIndex: Int = 0, status: TrialStatus = .ok,
    scores: [ScoreRecord] = [], attempts: [AttemptRecord] = [TestRun.attempt()]
  ) -> TrialRecord {
    var numbered = attempts
    for index in numbered.indices { numbered[index].number = index + 1 }
    let total = TrialScore(
      scores.map { Score(check: $0.check, kind: $0.kind, weight: $0.weight, judgement: $0.judgement) })
    return TrialRecord(
      key: TrialKey(
        caseHash: subject.hash, targetHash: TestRun.hash(target), repeatIndex: repeatIndex),
      caseID: subject.id, tags: [], cluster: nil, mustPass: false, target: target, status: status,
      errorClass: attempts.last?.errorClass, score: total, duration: nil, attempts: numbered, scores: scores)
  }

  static func score(_ name: String, _ value: Double, turn: Int? = nil, weight: Double = 1) -> ScoreRecord {
    ScoreRecord(
      check: name, kind: "k", weight: weight, turn: turn, judgement: .scored(value: value, passed: nil),
      explanation: nil)
  }

  @Test func `Cells, arms and cases are what the run stored`() throws {
    let other = Case(id: "b", turns: [Turn(content: [.text("x")])])
    var builder = RecordedRunBuilder(
      run: Self.run(repeats: 2), cases: [Self.record(other), Self.record(Self.subject)], texts: nil)
    var failed = TestRun.attempt(error: .rateLimited)
    failed.isRetryable = true
    failed.retryAfterMilliseconds = 2000
    var late = failed
    late.retryAfterMilliseconds = 2001
    late.hadOutput = true
    var answer = TestRun.attempt(
      250, cause: .retry(.rateLimited), wait: 30, usage: Usage(input: 9, output: 4))
    answer.finish = .length
    answer.bytesSent = 512
    try builder.add(
      Self.trial(
        Self.subject, "device", repeatIndex: 1, scores: [Self.score("good", 0.5)],
        attempts: [failed, late, answer]))
    try builder.add(Self.trial(other, "cloud", status: .failed, attempts: [failed]))
    let recorded = builder.recorded(privacy: .standard)
    #expect(recorded.table.cases.map(\.id) == ["b", "a"])
    #expect(recorded.table.cases[1].signals == ["task": "qa"])
    #expect(recorded.table.arms.map(\.name) == ["device", "cloud"])
    #expect(recorded.table.arms.map(\.boundary) == [.device, nil])
    #expect(recorded.table.arms.map(\.provider) == ["http://device", "http://cloud"])
    #expect(recorded.retryLimit == 5)
    // 2 cases × 2 arms × 2 repeats, of which 2 are there.
    #expect(recorded.unfinished == ["device": 3, "cloud": 3])

    let cell = try #require(recorded.table[case: 1, arm: 0, repeat: 1])
    #expect(cell.quality == 0.5 && cell.turns.count == 1)
    let attempts = cell.turns[0].attempts
    #expect(attempts.map(\.end) == [.failed(.rateLimited), .failed(.rateLimited), .ok])
    // A server that asks for more than the run waits is not asked again.
    #expect(attempts.map(\.isRetryable) == [true, false, false])
    #expect(attempts.map(\.hasVisibleOutput) == [false, true, false])
    #expect(attempts[2].latency == 250_000_000 && attempts[2].wait == 30_000_000)
    #expect(attempts[2].bytesSent == 512)
    #expect(attempts[0].answer.isEmpty)
    #expect(attempts[2].answer == ["outputTokens": 4, "finish": "length", "check.good": 0.5])
    #expect(recorded.table[case: 0, arm: 1, repeat: 0]?.status == .failed)
    #expect(recorded.table[case: 1, arm: 1, repeat: 0] == nil)
  }

  /// The same number that a live route's policy sees.
  @Test func `Tokens are estimated over the words that the arm would get`() throws {
    let builder = RecordedRunBuilder(run: Self.run(), cases: [Self.record(Self.subject)], texts: nil)
    let recorded = builder.recorded(privacy: .standard)
    let messages = Self.subject.history + [Message(.user, "Where is the Eiffel tower?")]
    for (arm, words) in [(0, "Answer Ann about Paris."), (1, nil)] {
      let profile = [Self.device, Self.cloud][arm]
      let expected = TokenEstimate.Input(profile: profile, instructions: words, messages: messages).total
      #expect(recorded.table.cases[0].facts[0][arm].tokensIn == expected)
    }
    #expect(recorded.table.cases[0].facts[0].map(\.window) == [ContextWindow(tokens: 4096), nil])
    #expect(recorded.tokenSources == [.estimated: 2])
  }

  @Test func `What a route had counted comes before the estimate`() throws {
    var builder = RecordedRunBuilder(
      run: Self.run(routes: ["r"]), cases: [Self.record(Self.subject)], texts: nil)
    func attempt(_ nanoseconds: Int64, _ candidates: JSONValue, signals: JSONValue = [:]) -> AttemptRecord {
      var attempt = TestRun.attempt()
      attempt.decision = [
        "candidates": candidates, "signals": signals, "nanoseconds": .integer(nanoseconds),
      ]
      return attempt
    }
    try builder.add(
      Self.trial(
        Self.subject, "r",
        attempts: [
          attempt(
            700, [["arm": "device", "tokensIn": 41, "tokensFrom": "counted"]],
            signals: ["tokensIn.cloud": ["value": 43, "source": "counted"]]),
          attempt(500, [["arm": "cloud", "tokensIn": 99, "tokensFrom": "estimated"]]),
          attempt(900, []),
        ]))
    let recorded = builder.recorded(privacy: .standard)
    #expect(recorded.table.cases[0].facts[0].map(\.tokensIn) == [.counted(41), .counted(43)])
    #expect(recorded.tokenSources == [.counted: 2])
    #expect(recorded.routingNanoseconds == 700)
    #expect(recorded.settings.routingNanoseconds == 700 && recorded.settings.retryLimit == 5)
    // A route's trial is no cell.
    #expect(recorded.unfinished == ["device": 1, "cloud": 1])
  }

  @Test func `A private run knows what servers reported, and says what it does not know`() throws {
    var builder = RecordedRunBuilder(
      run: Self.run(isPrivate: true), cases: [Self.record(Self.subject, isPrivate: true)], texts: nil)
    try builder.add(
      Self.trial(
        Self.subject, "device", attempts: [TestRun.attempt(usage: Usage(input: 17, output: 1))]))
    try builder.add(Self.trial(Self.subject, "cloud"))
    let recorded = builder.recorded(privacy: .standard)
    #expect(recorded.table.cases[0].facts[0].map(\.tokensIn) == [.counted(17), nil])
    #expect(recorded.tokenSources == [.reported: 1, .unknown: 1])
  }

  @Test func `Turns are told apart, with their own quality, answers and tokens`() throws {
    let subject = Case(
      id: "t", turns: [Turn(content: [.text("one")]), Turn(content: [.text("two")])])
    let requests = [
      RequestSnapshot(instructions: nil, messages: [Message(.user, "one")]),
      RequestSnapshot(
        instructions: nil,
        messages: [Message(.user, "one"), Message(.assistant, "long answer here"), Message(.user, "two")]),
    ]
    func texts(_ answers: [String]) -> [Int: AttemptTexts] {
      var texts: [Int: AttemptTexts] = [:]
      for (index, answer) in answers.enumerated() {
        texts[index + 1] = AttemptTexts(
          request: requests[index].json, answer: answer, reasoning: nil, toolCalls: [], refusal: nil)
      }
      return texts
    }
    let answers = ["device": texts(["same", "x"]), "cloud": texts(["same", "y"])]
    var builder = RecordedRunBuilder(run: Self.run(), cases: [Self.record(subject)]) { key in
      answers[key.targetHash == TestRun.hash("device") ? "device" : "cloud"] ?? [:]
    }
    for arm in ["device", "cloud"] {
      try builder.add(
        Self.trial(
          subject, arm,
          scores: [
            Self.score("a", 1, turn: 0), Self.score("b", 0.25, turn: 0, weight: 3),
            Self.score("c", 0, turn: 1),
            Self.score("d", 1),
          ], attempts: [TestRun.attempt(), TestRun.attempt(turn: 1)]))
    }
    let recorded = builder.recorded(privacy: .standard)
    let cells = (0..<2).compactMap { recorded.table[case: 0, arm: $0, repeat: 0] }
    #expect(cells.map { $0.turns.map(\.quality) } == [[0.4375, 0], [0.4375, 0]])
    #expect(cells[0].turns[0].answerHash != nil)
    #expect(cells[0].turns[0].answerHash == cells[1].turns[0].answerHash)
    #expect(cells[0].turns[1].answerHash != cells[1].turns[1].answerHash)
    #expect(cells[0].turns[0].attempts[0].answer["check.a"] == 1.0)
    #expect(cells[0].turns[0].attempts[0].answer["check.d"] == nil)
    #expect(cells[0].turns[1].attempts[0].answer == ["characters": 1, "check.c": 0.0, "check.d": 1.0])
    let second = TokenEstimate.Input(
      profile: Self.cloud, instructions: nil, messages: requests[1].messages)
    #expect(recorded.table.cases[0].facts[1][1].tokensIn == second.total)
  }
}
