import EvalCore
import Testing

@testable import EvalAnalysis

/// Comparisons become wins, ties and strengths.
@Suite struct PairTests {
  @Test(arguments: [
    (Preference.first, Preference.second, 1.0, false), (.second, .first, 0, false), (.tie, .tie, 0.5, false),
    (.first, .first, 0.5, true), (.second, .second, 0.5, true), (.first, .tie, 0.5, true),
    (.tie, .second, 0.5, true),
  ])
  func whatChangesWithTheOrderIsATie(straight: Preference, swapped: Preference, score: Double, flipped: Bool)
  {
    #expect(PairTally.verdict(straight, swapped) == (score, flipped))
  }

  private func call(
    _ preference: Preference?, draw: Int, judge: String = "j", opponent: String = "b"
  ) -> JudgeCallRecord {
    var call = JudgingTests.call(
      preference.map { .preference($0, reason: nil) } ?? .unread(.noVerdict, "prose"), judge: judge,
      draw: draw,
      purpose: .compare)
    call.place.check = "better"
    call.place.opponent = opponent
    return call
  }

  @Test func judgesAreWeighedUpAndWhatIsMissingIsCounted() throws {
    var run = TestRun(["a", "b"], cases: 4)
    let calls: [[JudgeCallRecord]] = [
      // Both judges for a.
      [
        call(.first, draw: 0), call(.second, draw: 1), call(.first, draw: 0, judge: "k"),
        call(.second, draw: 1, judge: "k"),
      ],
      // One for b, one undecided.
      [
        call(.second, draw: 0), call(.first, draw: 1), call(.first, draw: 0, judge: "k"),
        call(.first, draw: 1, judge: "k"),
      ],
      // One for each.
      [
        call(.first, draw: 0), call(.second, draw: 1), call(.second, draw: 0, judge: "k"),
        call(.first, draw: 1, judge: "k"),
      ],
      // No judge in both orders.
      [call(.first, draw: 0), call(nil, draw: 1)],
    ]
    for (index, calls) in calls.enumerated() {
      run.add(case: "c\(index)")
      run.trials[run.trials.count - 1].judgeCalls = calls
      run.add(case: "c\(index)", target: "b")
    }
    let pair = try #require(try RunSummary.make(from: run).judging?.pairs.first)
    #expect(pair.first == "a" && pair.second == "b")
    #expect((pair.wins, pair.losses, pair.ties, pair.unscored) == (1, 1, 1, 1))
    #expect(pair.winRate.value == 0.5 && pair.winRate.missing == 1 && pair.winRate.interval != nil)
    // One of six verdicts in both orders changed; by case 0, 1/2 and 0.
    #expect(abs((pair.flipRate.value ?? 0) - 0.5 / 3) < 1e-12)
  }
}
