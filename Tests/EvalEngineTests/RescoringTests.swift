import EvalCore
import Synchronization
import Testing

@testable import EvalEngine

/// Stored answers graded by the engine: the pairing of cases, and the same scores as live.
@Suite struct RescoringTests {
  /// Stored trials that a test made, and what came of them.
  final class Tray: RescoringDesk {
    var trials: ArraySlice<StoredTrial>
    var kept: [Int64: [Score]] = [:]
    var batches: [Int] = []
    /// Thrown when this many trials are kept.
    var breaksAt = Int.max

    struct Full: Error {}

    init(_ trials: [StoredTrial]) { self.trials = trials[...] }

    func next(_ count: Int) throws -> [StoredTrial] {
      let batch = trials.prefix(count)
      trials = trials.dropFirst(count)
      return Array(batch)
    }

    func keep(_ trials: [RescoredTrial]) throws {
      batches.append(trials.count)
      for trial in trials { kept[trial.number] = trial.scores }
      if kept.count >= breaksAt { throw Full() }
    }
  }

  private func places(_ bench: Bench) -> [ContentHash: Int] {
    Dictionary(uniqueKeysWithValues: bench.cases.enumerated().map { ($1.hash, $0) })
  }

  private func parts(_ bench: Bench) -> EngineParts {
    var parts = bench.parts
    parts.plan = Plan(
      targets: [], trials: [], seed: 1, caseCount: 0, hash: ContentHash(of: "none", kind: "plan"))
    parts.providers = [:]
    return parts
  }

  private func stored(_ trial: Trial, _ number: Int64) -> StoredTrial {
    StoredTrial(
      number: number, key: trial.key, caseID: trial.caseID, target: trial.target, status: trial.status,
      errorClass: trial.errorClass, attempts: trial.attempts, servedNumbers: trial.served)
  }

  @Test func `Every live score comes again, whatever became of the trial`() async throws {
    var bench = Bench(cases: 200)
    for index in bench.cases.indices where index % 3 == 0 {
      bench.cases[index].turns.append(
        Turn(content: [.text("more")], checks: [CheckSpec(kind: "contains", argument: "again", name: "turn")])
      )
    }
    bench.cases[7].expects = .refusal
    bench.providers = [
      "local": ScriptedProvider { call, number in
        switch number % 7 {
        case 0: return .failure(.invalidRequest)
        case 1:
          var reply = ProviderReply.text("")
          (reply.outcome, reply.refusal) = (.refused, "no")
          return reply
        default: return .text(number % 2 == 0 ? "ok, again" : "no")
        }
      }
    ]
    _ = await bench.run()
    let live = bench.recorder.trials
    #expect(live.count == 200 && Set(live.map(\.status)).count >= 3)
    let tray = Tray(live.enumerated().map { stored($1, Int64($0)) })
    var regraded = Bench(cases: 0)
    regraded.cases = bench.cases
    let outcome = await Rescoring(parts(regraded), places: places(bench)).run(
      tray, planned: 200, alreadyDone: 0, cores: 2)
    #expect(outcome.isComplete && outcome.progress.calls == 0)
    #expect(tray.batches.reduce(0, +) == 200 && tray.batches.allSatisfy { $0 <= 64 })
    for (index, trial) in live.enumerated() {
      let scores = try #require(tray.kept[Int64(index)])
      #expect(scores.map(\.judgement) == trial.scores.map(\.judgement))
      #expect(scores.map(\.explanation) == trial.scores.map(\.explanation))
      #expect(TrialScore(scores) == trial.score)
    }
  }

  @Test func `An answer that is lost is unscored and says so`() async throws {
    let bench = Bench(cases: 1)
    let subject = bench.cases[0]
    func trial(_ number: Int64, lost: Bool) -> StoredTrial {
      var trial = StoredTrial(
        number: number,
        key: TrialKey(caseHash: subject.hash, targetHash: bench.profiles[0].hash, repeatIndex: Int(number)),
        caseID: subject.id, target: "local", status: .ok, errorClass: nil,
        attempts: [
          Attempt(turn: 0, step: 0, number: 1, profile: "local", reply: .text("ok"), cost: Cost(dollars: 0))
        ], servedNumbers: nil)
      if lost { trial.lostAnswer = 1 }
      return trial
    }
    let tray = Tray([trial(0, lost: false), trial(1, lost: true)])
    _ = await Rescoring(parts(bench), places: places(bench)).run(tray, planned: 2, alreadyDone: 0, cores: 1)
    #expect(tray.kept[0]?.first?.judgement == .verdict(true))
    #expect(tray.kept[1]?.first?.judgement == .unscored(.noAnswer, "the answer is not in the database"))
  }

  @Test func `What breaks the tool stops the grading, and what was kept stays`() async throws {
    let bench = Bench(cases: 1)
    let subject = bench.cases[0]
    let trials = (0..<500).map { index in
      StoredTrial(
        number: Int64(index),
        key: TrialKey(caseHash: subject.hash, targetHash: bench.profiles[0].hash, repeatIndex: index),
        caseID: subject.id, target: "local", status: .ok, errorClass: nil,
        attempts: [
          Attempt(turn: 0, step: 0, number: 1, profile: "local", reply: .text("ok"), cost: Cost(dollars: 0))
        ], servedNumbers: nil)
    }
    let tray = Tray(trials)
    tray.breaksAt = 100
    let outcome = await Rescoring(parts(bench), places: places(bench)).run(
      tray, planned: 500, alreadyDone: 0, cores: 2)
    guard case .broken = outcome.stopped else {
      Issue.record("\(String(describing: outcome.stopped))")
      return
    }
    #expect(tray.kept.count >= 100 && tray.kept.count < 500)
  }

  @Test func `Cases pair by id, then by content, and only with the same input`() throws {
    func one(_ id: String, _ text: String, reference: JSONValue? = nil, variables: JSONObject = [:]) -> Case {
      Case(id: id, variables: variables, turns: [Turn(content: [.text(text)])], reference: reference)
    }
    func record(_ subject: Case) -> CaseRecord {
      CaseRecord(
        id: subject.id, hash: subject.hash, signals: subject.signals, content: CaseFacts(subject).content)
    }
    let stored = [
      one("same", "a"), one("reference", "b", reference: "old"), one("input", "c"), one("gone", "d"),
      one("renamed", "e"), one("variables", "f", variables: ["x": 1]),
    ]
    var tools = one("tools", "g")
    tools.hash =
      Case(
        id: "tools",
        turns: [Turn(content: [.text("g")], toolResults: [ScriptedToolResult(tool: "t", result: "1")])]
      ).hash
    let suite = CasesInMemory([
      one("reference", "b", reference: "new"), one("same", "a"), one("input", "C"), one("other", "e"),
      one("variables", "f", variables: ["x": 2]),
      Case(
        id: "tools",
        turns: [Turn(content: [.text("g")], toolResults: [ScriptedToolResult(tool: "t", result: "2")])]),
      one("more", "z"),
    ])
    let cases = try RescoredCases(stored: stored.map(record) + [record(tools)], cases: suite)
    #expect(cases.places == [stored[0].hash: 1, stored[1].hash: 0, stored[4].hash: 3])
    #expect(
      cases.skipped == [
        .init(id: "gone", reason: .notInSuite), .init(id: "input", reason: .inputChanged),
        .init(id: "tools", reason: .inputChanged), .init(id: "variables", reason: .inputChanged),
      ])
    #expect(cases.unanswered == 4)
  }

  @Test func `What graded has an identity: checks, references and the version, not the order of cases`()
    throws
  {
    func hash(_ cases: [Case], _ version: String = "1") throws -> ContentHash {
      let source = CasesInMemory(cases)
      let suite = Suite(
        name: "s", path: "s.json", profiles: [], cases: source, settings: RunSettings(),
        hash: ContentHash(of: "s", kind: "suite"))
      let stored = Bench(cases: 3).cases.map { CaseRecord(id: $0.id, hash: $0.hash) }
      return try RescoredCases(stored: stored, cases: source).hash(suite, version: version)
    }
    let cases = Bench(cases: 3).cases
    let known = try hash(cases)
    #expect(try hash(cases.reversed()) == known && hash(cases, "2") != known)
    var edited = cases
    edited[1].checks[0].argument = "other"
    #expect(try hash(edited) != known)
    edited = cases
    edited[1].tags = ["tag"]
    #expect(try hash(edited) == known)
  }
}
