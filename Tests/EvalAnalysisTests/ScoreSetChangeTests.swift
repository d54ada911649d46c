import EvalAnalysis
import EvalCore
import Testing

/// Two gradings of the same answers, set side by side.
@Suite struct ScoreSetChangeTests {
  static func set(_ number: Int = 1) -> ScoreSetInfo {
    var set = ScoreSetInfo(
      name: nil, createdAt: 0, hash: TestRun.hash("h"), suiteName: "s", suitePath: "s.json",
      suiteHash: TestRun.hash("s"),
      toolVersion: "0", provenance: .live, trials: 0, planned: 0, skipped: [], skippedCount: 0, judging: nil)
    set.number = number
    return set
  }

  /// 20 cases: the old check passes the first 12; the new one passes those but the first two, and three of the others.
  private static let old = (0..<20).map { $0 < 12 }
  private static let new = (0..<20).map { ($0 >= 2 && $0 < 12) || $0 >= 17 }

  private func run(_ verdicts: [Judgement?], more: [[Judgement]] = [], repeats: Int = 1) -> TestRun {
    var run = TestRun(cases: verdicts.count, repeats: repeats)
    for (number, verdict) in verdicts.enumerated() {
      let scores = verdict.map { [$0] + (more.isEmpty ? [] : more[number]) } ?? []
      run.add(case: "c\(number)", scores: scores)
      if verdict == nil {
        run.trials[number].score = TrialScore(value: nil, passed: nil, unscored: .notApplicable)
      }
    }
    return run
  }

  @Test func aChangeHasTheIntervalAndTheFlipsOfAComparison() throws {
    let before = run(Self.old.map(Judgement.verdict))
    let after = run(Self.new.map(Judgement.verdict))
    let change = try ScoreSetChange(before: before, after: after, set: Self.set())
    let target = try #require(change.targets.first)
    let check = try #require(target.checks.first)
    #expect(target.trials == 20 && target.covered == 20 && target.checks.count == 1)
    #expect(check.before.passes == 12 && check.after.passes == 13 && check.after.verdicts == 20)
    #expect(check.flips.map(\.caseID) == ["c0", "c1", "c17", "c18", "c19"])
    #expect(target.flips.map(\.caseID) == check.flips.map(\.caseID))
    let difference = try #require(check.differences.first)
    #expect(difference.risen == 3 && difference.fallen == 2 && difference.missing == 0)
    // The comparison of two runs with these verdicts, whose intervals are held against scipy elsewhere.
    let sides = (
      try ComparisonInput.read(before, label: "a")[0], try ComparisonInput.read(after, label: "b")[0]
    )
    let known = try #require(Comparison(reference: sides.0, candidate: sides.1).difference(.pass))
    #expect(difference.change == known.change && abs((difference.change.value ?? 0) - 0.05) < 1e-12)
    #expect(target.whole.map(\.change) == [known.change])
    // McNemar, exact: 5 discordant, 2 and 3: p = 1.
    #expect(abs((difference.test?.p ?? 0) - 1) < 1e-9)
  }

  @Test func whatCannotBeJudgedIsMissingAndNever0() throws {
    var news = Self.new.map(Judgement.verdict)
    news[5] = .unscored(.graderFailed, "no verdict")
    let change = try ScoreSetChange(
      before: run(Self.old.map(Judgement.verdict)), after: run(news), set: Self.set())
    let check = change.targets[0].checks[0]
    #expect(check.after.unscored == 1 && check.after.passes == 12 && check.after.verdicts == 19)
    #expect(check.differences[0].missing == 1 && check.differences[0].cases == 19)
    #expect(check.flips.count == 5, "c5 has not fallen")
    #expect(check.after.mean == 12.0 / 19)
  }

  @Test func trialsThatASetDoesNotCoverAreInNoDifference() throws {
    var news = Self.new.map { Judgement?.some(.verdict($0)) }
    news[0] = nil
    let change = try ScoreSetChange(
      before: run(Self.old.map(Judgement.verdict)), after: run(news), set: Self.set())
    let target = change.targets[0]
    #expect(target.trials == 20 && target.covered == 19)
    #expect(target.checks[0].differences[0].cases == 19 && target.checks[0].before.trials == 20)
    #expect(target.whole[0].cases == 19 && target.flips.map(\.caseID) == ["c1", "c17", "c18", "c19"])
  }

  @Test func checksOfOneGradingAloneAreNewOrGone() throws {
    let before = run(Self.old.map(Judgement.verdict))
    let after = run(
      Self.old.map(Judgement.verdict), more: Self.old.map { _ in [.scored(value: 0.5, passed: nil)] })
    let added = try ScoreSetChange(before: before, after: after, set: Self.set()).targets[0]
    #expect(added.checks.map(\.check) == ["check 0", "check 1"] && !added.checks[1].isPaired)
    #expect(added.checks[1].before.trials == 0 && added.checks[1].after.mean == 0.5)
    #expect(added.checks[1].differences.isEmpty && added.checks[0].flips.isEmpty)
    let gone = try ScoreSetChange(before: after, after: before, set: Self.set()).targets[0]
    #expect(gone.checks[1].after.trials == 0 && gone.checks[1].before.trials == 20)
  }

  @Test func numbersWithoutAThresholdChangeByTheirValues() throws {
    let before = run((0..<10).map { .scored(value: Double($0) / 10, passed: nil) })
    let after = run(
      (0..<10).map { .scored(value: min(1, Double($0) / 10 + ($0 == 3 ? 0.4 : 0)), passed: nil) })
    let check = try ScoreSetChange(before: before, after: after, set: Self.set()).targets[0].checks[0]
    #expect(check.differences.map(\.measure) == [.score])
    #expect(abs((check.differences[0].change.value ?? 0) - 0.04) < 1e-12)
    #expect(check.flips.map(\.caseID) == ["c3"] && abs(check.flips[0].change - 0.4) < 1e-12)
  }

  @Test func aTrialWithoutAnAnswerCountsTheSameOnBothSides() throws {
    var before = run(Self.old.map(Judgement.verdict))
    before.trials[0].status = .failed
    before.trials[0].score = TrialScore(value: nil, passed: nil, unscored: .noAnswer)
    before.trials[0].scores[0].judgement = .unscored(.noAnswer, "the call failed")
    var after = before
    after.trials[4].scores[0].judgement = .verdict(false)
    after.trials[4].score = TrialScore(value: 0, passed: false, unscored: nil)
    let target = try ScoreSetChange(before: before, after: after, set: Self.set()).targets[0]
    #expect(target.whole[0].cases == 20 && target.whole[0].reference.value == 11.0 / 20)
    #expect(target.whole[0].candidate.value == 10.0 / 20)
    #expect(target.checks[0].before.unscored == 1 && target.checks[0].differences[0].cases == 19)
  }
}
