import EvalCore
import Foundation
import Synchronization
import Testing

@testable import EvalStore

@Suite struct ReadingTests {
  let folder = Folder()
  let profiles = [testProfile("zeta"), testProfile("alpha")]

  @Test func orderDoesNotDependOnWriting() throws {
    var orders: [[String]] = []
    for reversed in [false, true] {
      let store = try RunStore(path: folder.path + "/\(reversed).db")
      let recorder = try store.record(testRun(profiles: profiles))
      var trials: [(String, Profile, Int)] = []
      for id in ["b", "a", "c"] {
        for profile in profiles { for index in 0..<2 { trials.append((id, profile, index)) } }
      }
      for (id, profile, index) in reversed ? trials.reversed() : trials {
        recorder.record(testCase(id), profile, index)
      }
      try recorder.flush()
      orders.append(
        try store.allTrials(testRun()).map { "\($0.caseID) \($0.target) \($0.key.repeatIndex)" })
    }
    #expect(orders[0] == orders[1])
    #expect(orders[0].prefix(5) == ["a zeta 0", "a zeta 1", "a alpha 0", "a alpha 1", "b zeta 0"])
    #expect(orders[0].count == 12)
  }

  @Test(arguments: [false, true]) func answersOfRepeatsAreCounted(isPrivate: Bool) throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun(profiles: profiles), isPrivate: isPrivate)
    for id in ["same", "other", "once"] {
      for index in 0..<(id == "once" ? 1 : 3) {
        let text = id == "other" && index == 2 ? "another" : "an answer"
        recorder.record(testCase(id), profiles[0], index, reply: testReply(text: text))
      }
    }
    try recorder.flush()
    let found = try store.repeatedAnswers(testRun().id)
    #expect(found.map(\.target) == ["zeta"] && found[0].cases == 2 && found[0].identical == 1)
    // Each trial finds its attempts by their numbers: all attempts for each trial would be a run's square.
    let plan = try store.reader().prepare("EXPLAIN QUERY PLAN " + RunStore.repeatedAnswersQuery)
    plan.bind([.text("x")])
    var steps: [String] = []
    while try plan.step() { steps.append(plan.text(3) ?? "") }
    #expect(
      steps.contains { $0.hasPrefix("SEARCH a USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)") }, "\(steps)")
  }

  @Test func attemptsAndScoresBelongToTheirTrial() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun(profiles: profiles))
    // Attempts of many trials come mixed.
    let subjects = (0..<20).map { testCase("case \($0)") }
    for number in 1...3 {
      for (index, subject) in subjects.enumerated() where number <= index % 4 {
        recorder.receive(
          .attempt(
            testAttempt(profiles[0], number: number), testKey(subject, profiles[0]), request: testRequest))
      }
    }
    for (index, subject) in subjects.enumerated() {
      let scores = (0..<index % 3).map {
        Score(check: "\(subject.id) \($0)", kind: "exact", judgement: .verdict(true))
      }
      recorder.receive(.trial(testTrial(subject, profiles[0], scores: scores), CaseFacts(subject)))
    }
    try recorder.flush()
    let trials = try store.allTrials(testRun())
    #expect(trials.count == 20)
    for trial in trials {
      let index = try #require(Int(trial.caseID.dropFirst(5)))
      #expect(trial.attempts.map(\.number) == Array(1...3).filter { $0 <= index % 4 })
      #expect(trial.scores.map(\.check) == (0..<index % 3).map { "\(trial.caseID) \($0)" })
    }
  }

  @Test func errorInTheBodyEndsThePass() throws {
    struct Enough: Error {}
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun(profiles: profiles))
    for index in 0..<3 { recorder.record(testCase("\(index)"), profiles[0]) }
    try recorder.flush()
    var seen = 0
    #expect(throws: Enough.self) {
      try store.trials(testRun()).forEachTrial { _ in
        seen += 1
        throw Enough()
      }
    }
    #expect(seen == 1)
  }

  @Test func runIsFoundAsPeopleNameIt() throws {
    let store = try RunStore(path: folder.database)
    #expect(throws: StoreError.self) { try store.run(matching: "latest") }
    for (index, id) in ["20261130-071533-aaaa", "20261130-081533-bbbb", "20261201-071533-cccc"].enumerated() {
      var run = testRun(id)
      run.startedAt += Double(index)
      run.name = index < 2 ? "baseline" : nil
      try store.begin(run, redactor: noSecrets)
    }
    #expect(try store.run(matching: "latest").id == "20261201-071533-cccc")
    #expect(try store.run(matching: "20261130-071533-aaaa").id == "20261130-071533-aaaa")
    #expect(try store.run(matching: "baseline").id == "20261130-081533-bbbb")
    #expect(try store.run(matching: "20261201").id == "20261201-071533-cccc")
    #expect(try store.runs().map(\.id.last) == ["c", "b", "a"])
    #expect(try store.runs(limit: 2).count == 2)
    let ambiguous = #expect(throws: StoreError.self) { try store.run(matching: "20261130") }
    #expect(ambiguous?.kind == .ambiguousRun)
    #expect(ambiguous?.message.contains("20261130-071533-aaaa, 20261130-081533-bbbb") == true)
    let missing = #expect(throws: StoreError.self) { try store.run(matching: "basline") }
    #expect(missing?.kind == .noSuchRun)
    #expect(missing?.advice == "did you mean 'baseline'?")
    #expect(throws: StoreError.self) { try store.run(matching: "") }
    #expect(throws: StoreError.self) { try store.run(matching: "%") }
  }

  @Test func passSeesOneSnapshot() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun(profiles: profiles))
    for index in 0..<3 { recorder.record(testCase("\(index)"), profiles[0]) }
    try recorder.flush()
    var seen = 0
    try store.trials(testRun()).forEachTrial { _ in
      seen += 1
      recorder.record(testCase("later \(seen)"), profiles[0])
      try recorder.flush()
    }
    #expect(seen == 3)
    #expect(try store.allTrials(testRun()).count == 6)
  }

  @Test func textsOfAnotherTrialAreNotFound() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun(profiles: profiles))
    recorder.record(testCase("one"), profiles[0])
    try recorder.flush()
    #expect(try store.texts(testRun().id, testKey(testCase("one"), profiles[0])).count == 1)
    #expect(try store.texts(testRun().id, testKey(testCase("one"), profiles[0], 1)).isEmpty)
    #expect(try store.texts(testRun().id, testKey(testCase("one"), profiles[1])).isEmpty)
    #expect(try store.texts(testRun().id, testKey(testCase("two"), profiles[0])).isEmpty)
    let error = #expect(throws: StoreError.self) {
      try store.texts("another", testKey(testCase("one"), profiles[0]))
    }
    #expect(error?.kind == .noSuchRun)
  }
}

@Suite struct QueueTests {
  @Test func orderIsKeptAndNothingIsLostAtTheDoor() async {
    let queue = JobQueue<Int>(capacity: 4)
    let taken = Mutex<[Int]>([])
    let thread = Thread {
      var batch: [Int] = []
      while queue.take(into: &batch, count: 3, patience: 1_000_000) {
        #expect(batch.count <= 4)
        taken.withLock { $0 += batch }
      }
      taken.withLock { $0.append(-1) }
    }
    thread.start()
    for job in 0..<1000 { queue.add(job, isUrgent: false) }
    #expect(queue.close())
    while taken.withLock({ $0.last }) != -1 { await Task.yield() }
    #expect(taken.withLock { $0 } == Array(0..<1000) + [-1])
  }

  @Test func urgentJobIsNotKeptWaiting() {
    let queue = JobQueue<Int>(capacity: 100)
    queue.add(1, isUrgent: true)
    var batch: [Int] = []
    // An hour of patience for a hundred jobs.
    #expect(queue.take(into: &batch, count: 100, patience: 3_600_000_000_000))
    #expect(batch == [1])
  }

  @Test func patienceEnds() {
    let queue = JobQueue<Int>(capacity: 100)
    queue.add(1, isUrgent: false)
    var batch: [Int] = []
    #expect(queue.take(into: &batch, count: 100, patience: 1_000_000))
    #expect(batch == [1])
    #expect(queue.close())
    #expect(!queue.close())
    #expect(!queue.add(2, isUrgent: true))
    #expect(!queue.take(into: &batch, count: 100, patience: 1_000_000))
  }
}
