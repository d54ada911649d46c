import EvalCore
import Foundation
import Testing

@testable import EvalStore

/// Trials that were never in a database.
struct TrialList: TrialSource {
  var run: RunInfo
  var trials: [TrialRecord]
  func forEachTrial(_ body: (TrialRecord) throws -> Void) throws { for trial in trials { try body(trial) } }

  /// Cases × targets × repeats with some of everything that can happen to a trial.
  static func made(cases: Int, repeats: Int = 1, targets: [String] = ["small", "large"]) -> TrialList {
    var run = testRun(profiles: targets.map(testProfile))
    run.repeats = repeats
    run.caseCount = cases
    run.plannedTrials = cases * repeats * targets.count
    run.status = .finished
    var trials: [TrialRecord] = []
    for number in 0..<cases {
      for (place, target) in run.targets.enumerated() {
        for index in 0..<repeats { trials.append(trial(number, place, target, index)) }
      }
    }
    return TrialList(run: run, trials: trials)
  }

  private static func trial(
    _ number: Int, _ place: Int, _ target: RunInfo.TargetInfo, _ index: Int
  ) -> TrialRecord {
    var random = SeededRandom(seed: UInt64(number * 100 + place * 10 + index))
    let id = "case-\(String(number + 10_000).dropFirst())"
    var attempt = AttemptRecord(
      turn: 0, step: 0, number: 1, phase: .measured, profile: target.name,
      boundary: place == 0 ? .device : .thirdParty, cause: "first", outcome: "ok", errorClass: nil,
      provenance: .live, inFlight: 1, wait: 0, timeline: Timeline(), usage: nil,
      cost: Cost(dollars: place == 0 ? 0 : random.unit() / 1000))
    attempt.timeline.start = 5_000_000
    attempt.timeline.firstContent = 5_000_000 + Int64(random.below(200_000_000))
    attempt.timeline.terminal = 300_000_000 + Int64(random.below(800_000_000))
    attempt.timeline.done = attempt.timeline.terminal
    attempt.isCold = place == 0 ? nil : random.unit() < 0.1
    let score = ScoreRecord(
      check: "right", kind: "contains", weight: 1, turn: nil, judgement: .verdict(random.unit() < 0.8),
      explanation: "looked for 'x'")
    return TrialRecord(
      key: TrialKey(
        caseHash: ContentHash(of: .string(id), kind: "case"), targetHash: target.hash, repeatIndex: index),
      caseID: id, tags: [number % 3 == 0 ? "billing" : "tone"], cluster: nil, mustPass: number == 0,
      target: target.name, status: .ok, errorClass: nil, score: score.taken, duration: 1, attempts: [attempt],
      scores: [score])
  }
}

extension ScoreRecord {
  /// The score of a trial that has only this one.
  var taken: TrialScore {
    TrialScore([Score(check: check, kind: kind, weight: weight, judgement: judgement, turn: turn)])
  }
}

extension TrialSource {
  func written(_ name: String = "main") throws -> String {
    var text = ""
    try BaselineFile.write(self, name: name) { text += $0 }
    return text
  }

  func all() throws -> [TrialRecord] {
    var all: [TrialRecord] = []
    try forEachTrial { all.append($0) }
    return all
  }
}

@Suite struct BaselineFileTests {
  private func read(_ text: String, path: String = "main.json") throws(Problems) -> BaselineFile {
    try BaselineFile(bytes: Array(text.utf8), path: path)
  }

  /// One case of everything: two checks, a value with a verdict, a failure, an unknown cost, a call that never was.
  private func sample() -> TrialList {
    var list = TrialList.made(cases: 2, repeats: 2)
    let graded = ScoreRecord(
      check: "close", kind: "similarity", weight: 2, turn: nil,
      judgement: .scored(value: 1.0 / 3, passed: true), explanation: "near")
    for place in list.trials.indices where list.trials[place].caseID == "case-0001" {
      list.trials[place].scores.append(graded)
    }
    list.trials[0].scores[0].judgement = .verdict(true)
    list.trials[1].scores[0].judgement = .verdict(true)
    // The second repeat of the cloud breaks.
    list.trials[3].status = .failed
    list.trials[3].errorClass = .rateLimited
    list.trials[3].scores[0].judgement = .unscored(.noAnswer, "the call failed")
    list.trials[3].attempts[0].timeline = Timeline()
    list.trials[3].attempts[0].cost = Cost(dollars: 0.012345678, isLowerBound: true)
    list.trials[5].attempts[0].cost = Cost(dollars: nil)
    // Nothing was allowed to be called.
    list.trials[7].status = .blocked
    list.trials[7].attempts = []
    for place in list.trials.indices {
      list.trials[place].score = TrialScore(
        list.trials[place].scores.map {
          Score(check: $0.check, kind: $0.kind, weight: $0.weight, judgement: $0.judgement)
        })
    }
    return list
  }

  @Test func aLineForEachCaseAndTarget() throws {
    let text = try sample().written()
    let lines = text.split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("\"case-0000\"") })
    #expect(
      lines[first].hasPrefix("    {\"id\":\"case-0000\",\"hash\":\"")
        && lines[first].hasSuffix("\"results\":["))
    #expect(lines[first + 1].contains("{\"target\":\"small\",\"checks\":[true],\"ms\":["))
    #expect(!lines[first + 1].contains("boundary") && lines[first + 1].contains("\"usd\":0"))
    #expect(lines[first + 2].contains("\"status\":[\"ok\",\"failed:rateLimited\"]"))
    #expect(
      lines[first + 2].contains("\">=0.01235\"") && lines[first + 2].contains("\"boundary\":\"thirdParty\""))
    #expect(text.contains("0.333333 pass") && text.contains("\"none\""))
    #expect(!text.contains("looked for") && !text.contains("near"), "no words of a model or a grader")
    #expect(lines.allSatisfy { $0.utf8.count < 500 })
  }

  @Test func whatIsReadIsWhatWasWritten() throws {
    let sample = sample()
    let text = try sample.written()
    let file = try read(text)
    #expect(file.name == "main" && file.run.id == sample.run.id && file.run.seed == .max)
    #expect(file.run.targets == sample.run.targets && file.run.suiteHash == sample.run.suiteHash)
    let (before, after) = (sample.trials, try file.all())
    #expect(after.map(\.key) == before.map(\.key))
    for (old, new) in zip(before, after) {
      #expect(new.status == old.status && new.errorClass == old.errorClass && new.tags == old.tags)
      #expect(new.score.passed == old.score.passed && new.score.unscored == old.score.unscored)
      #expect(near(new.score.value, old.score.value, within: 1e-6))
      #expect(new.scores.map(\.check) == old.scores.map(\.check))
      #expect(new.scores.map(\.weight) == old.scores.map(\.weight))
      #expect(new.mustPass == old.mustPass && new.target == old.target)
      let (one, other) = (old.attempts.first, new.attempts.first)
      #expect((one == nil) == (other == nil))
      #expect(other?.boundary == one?.boundary && other?.isCold == one?.isCold)
      #expect(other?.cost.isLowerBound == one?.cost.isLowerBound)
      let (dollars, ms) = (one?.cost.dollars, one?.timeline.total.map(Double.init))
      #expect(near(other?.cost.dollars, dollars, within: 5e-4 * abs(dollars ?? 0)))
      let total = other?.timeline.total.map(Double.init)
      if old.status == .ok { #expect(near(total, ms, within: 5.1e-3 * (ms ?? 0))) }
    }
    #expect(try file.written() == text, "reading and writing again changes no byte")
  }

  @Test func allCallsOfATrialAreOneThatTookTheirTime() throws {
    var list = TrialList.made(cases: 1, targets: ["small"])
    var first = list.trials[0].attempts[0]
    first.timeline = Timeline()
    first.timeline.start = 1_000_000_000
    first.timeline.done = 1_100_000_000
    first.outcome = "rateLimited"
    first.errorClass = .rateLimited
    first.cost = Cost(dollars: 0.25)
    var second = first
    (second.outcome, second.errorClass) = ("ok", nil)
    second.wait = 500_000_000
    second.boundary = .thirdParty
    second.timeline.scheduled = 1_600_000_000
    second.timeline.start = 1_650_000_000
    second.timeline.firstContent = 1_700_000_000
    second.timeline.terminal = 1_900_000_000
    var third = second
    third.turn = 1
    third.wait = 0
    list.trials[0].attempts = [first, second, third]
    let trial = try #require(try read(list.written()).all().first)
    // 100 ms call + 500 ms wait + 50 ms queue + 50 ms; then 250 ms, and 50 + 250 ms of the second turn.
    #expect(trial.attempts.count == 1)
    #expect(trial.attempts[0].timeline.timeToFirstToken == 700_000_000)
    #expect(trial.attempts[0].timeline.total == 1_200_000_000)
    #expect(trial.attempts[0].cost.dollars == 0.75 && trial.attempts[0].boundary == .thirdParty)
  }

  @Test func aThousandCasesAreASmallFile() throws {
    let text = try TrialList.made(cases: 1000).written()
    // About 350 bytes for a case with its two targets, as Docs/Baselines.md says.
    #expect((340_000...365_000).contains(text.utf8.count), "\(text.utf8.count)")
    #expect(text.split(separator: "\n").count < 3100)
    #expect(try read(text).all().count == 2000)
  }

  @Test func oneChangedResultIsOneChangedLine() throws {
    var list = TrialList.made(cases: 50)
    let before = try list.written().split(separator: "\n")
    list.trials[40].scores[0].judgement = .unscored(.graderFailed, "")
    let after = try list.written().split(separator: "\n")
    #expect(before.count == after.count && zip(before, after).filter { $0 != $1 }.count == 1)
    // Noise below the digits that are kept is no change at all.
    list.trials[41].attempts[0].cost.dollars? *= 1.000001
    #expect(try list.written().split(separator: "\n") == after)
  }

  @Test(arguments: [
    ("\"version\": 1", "\"version\": 2", "version that this evalrun does not know", 3),
    ("\"name\": \"main\"", "\"nmae\": \"main\"", "no member 'nmae'", 4),
    ("evalrun.baseline", "evalrun.report", "this is not a baseline", 1),
    ("\"target\":\"large\"", "\"target\":\"lagre\"", "there is no target 'lagre'", 13),
    ("\"checks\":[true]", "\"checks\":[\"maybe\"]", "a check's result is", 12),
    ("\"checks\":[true]", "\"checks\":[true,true]", "entries of its check set", 12),
    ("\"checks\":[true]", "\"checks\":[[true]]", "has 1 values for 2 repeats", 12),
    ("\"failed:rateLimited\"", "\"failed:tired\"", "no status of a trial", 13),
    ("\">=0.01235\"", "-1", "not a number of dollars", 13),
    ("\"hash\":\"", "\"hash\":\"zz", "not a hash", 7),
    ("{\"target\":\"small\"", "{\"target\":\"small\" \"x\"", "expected ','", 12),
  ])
  func saysWhatIsWrongAndWhere(old: String, new: String, message: String, line: Int) throws {
    let text = try sample().written()
    let place = try #require(text.range(of: old))
    let broken = text.replacingCharacters(in: place, with: new)
    let error = try #require(throws: Problems.self) { try read(broken) }
    let problem = try #require(error.all.first { $0.message.contains(message) }, "\(error.all)")
    #expect(problem.location?.line == line && problem.location?.file == "main.json", "\(problem)")
  }

  /// One value stands for all repeats: a wrong count of them must not become as many trials.
  @Test func moreRepeatsThanTrialsCannotBe() throws {
    let text = try sample().written()
    let broken = text.replacing(#/"repeats": ?2/#, with: "\"repeats\":1000000000")
    #expect(broken != text)
    let error = try #require(throws: Problems.self) { try read(broken) }
    #expect(error.all.contains { $0.message.contains("1000000000 repeats of") }, "\(error.all)")
  }

  @Test func noCaseIsThereTwice() throws {
    let text = try TrialList.made(cases: 2).written()
    let hashes = text.matches(of: #/"hash":"([0-9a-f]+)","/#).map { String($0.1) }
    let broken = text.replacing(hashes[hashes.count - 1], with: hashes[hashes.count - 2])
    #expect(broken != text)
    let error = try #require(throws: Problems.self) { try read(broken) }
    #expect(error.all.contains { $0.message.contains("this case is there twice") }, "\(error.all)")
  }

  @Test func aFileOfTenThousandMistakesSaysTwenty() throws {
    let text = try TrialList.made(cases: 1000).written().replacing(
      "\"checks\":[true]", with: "\"checks\":[7]")
    let error = try #require(throws: Problems.self) { try read(text) }
    #expect(error.all.count == 20)
  }

  @Test(arguments: ["", "[]", "null", "{", "{\"format\":\"evalrun.baseline\",\"version\":1}"])
  func isNoBaseline(text: String) {
    #expect(throws: Problems.self) { try read(text) }
  }
}

/// Both missing, or both there and about the same.
private func near(_ left: Double?, _ right: Double?, within distance: Double) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  return abs(left - right) <= distance
}
