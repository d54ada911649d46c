import EvalCore
import Testing

@testable import EvalAnalysis

/// What is said of judges, from their calls.
@Suite struct JudgingTests {
  static func call(
    _ reading: JudgeReading, judge: String = "j", draw: Int = 0, purpose: JudgePlace.Purpose = .score,
    isRepair: Bool = false, number: Int = 1, error: ErrorClass? = nil, dollars: Double? = 0.5,
    milliseconds: Int64 = 100
  ) -> JudgeCallRecord {
    JudgeCallRecord(
      place: JudgePlace(
        trial: nil, target: "a", check: "helpful", rubric: "helpful", turn: 0, draw: draw, purpose: purpose,
        isRepair: isRepair), judge: judge, force: .schema, number: number, outcome: error?.rawValue ?? "ok",
      errorClass: error, provenance: .live, duration: milliseconds * 1_000_000,
      usage: error == nil ? Usage(input: 100, output: 20) : nil, cost: Cost(dollars: dollars),
      reading: reading)
  }

  static func marks(_ levels: [String: Int?], of count: Int = 4) -> JudgeReading {
    .marks(
      levels.sorted { $0.key < $1.key }.map { criterion, level in
        CriterionMark(
          criterion: criterion, level: level, levels: count, label: level.map { "\($0 + 1)" }, reason: "so")
      })
  }

  private static func summary(_ trials: [[JudgeCallRecord]]) throws -> RunSummary {
    var run = TestRun(cases: trials.count)
    run.run.settings = [
      "judging": [
        "promptVersion": 1, "promptHash": "abc", "judges": [["name": "j", "content": ["model": "big"]]],
      ]
    ]
    for (index, calls) in trials.enumerated() {
      run.add(case: "c\(index)")
      run.trials[index].judgeCalls = calls
    }
    return try RunSummary.make(from: run)
  }

  @Test func aRunWithoutJudgesSaysNothingOfThem() throws {
    #expect(try Self.summary([[], []]).judging == nil)
  }

  @Test func callsAreBookedInTheJudgesOwnLedger() throws {
    let summary = try Self.summary([
      [
        Self.call(.unread(.callFailed, "429"), number: 1, error: .rateLimited, dollars: 0),
        Self.call(Self.marks(["right": 3]), number: 2),
      ],
      [
        Self.call(.unread(.noVerdict, "prose")),
        Self.call(Self.marks(["right": nil]), isRepair: true, dollars: nil),
      ],
      [Self.call(.unread(.truncated, "cut")), Self.call(.unread(.truncated, "cut"), isRepair: true)],
    ])
    let judging = try #require(summary.judging)
    #expect(judging.promptVersion == 1 && judging.promptHash == "abc")
    let judge = try #require(judging.judges.first)
    #expect(judge.model == "big" && judge.calls == 6 && judge.questions == 3 && judge.verdicts == 2)
    #expect(judge.retries == 1 && judge.repaired == 1 && judge.abstentions == 1)
    #expect(judge.faults == [.init(fault: .truncated, count: 1)])
    #expect(judge.input.sum == 500 && judge.input.reported == 5 && judge.input.unreported == 0)
    #expect(judge.output.sum == 100 && judge.knownCost == 2 && judge.unknownCosts == 1)
    #expect(judge.time.n == 5 && judge.forced == [.schema: 6])
    // Nothing of it is the subject's.
    #expect(summary.targets[0].cost.known == 0 && summary.targets[0].cost.attempts == 3)
    let codes = summary.findings.map(\.code)
    #expect(codes.contains("judge-unread") && codes.contains("judge-cost-unknown"))
  }

  @Test func agreementIsThatOfTheVerdictsThatCount() throws {
    let trials = (0..<12).map { number in
      [
        Self.call(Self.marks(["right": number % 4])),
        Self.call(Self.marks(["right": number < 8 ? number % 4 : 3 - number % 4]), judge: "k"),
        Self.call(Self.marks(["right": number % 3 == 0 ? 0 : number % 4]), draw: 1, purpose: .recheck),
      ]
    }
    let criterion = try #require(try Self.summary(trials).judging?.criteria.first)
    #expect(criterion.answers == 12 && criterion.verdicts == 24 && criterion.levels == 4)
    let units = (0..<12).map { number in
      Krippendorff.Unit(cluster: number, levels: [number % 4, number < 8 ? number % 4 : 3 - number % 4])
    }
    #expect(criterion.alpha.value == Krippendorff.alpha(units, levels: 4, scale: .ordinal))
    // Four answers of twelve differ by 3, 1, 1 and 3 of three steps.
    #expect(abs((criterion.spread.value ?? 0) - (8.0 / 3) / 12) < 1e-12)
    // Of the second looks at 0, 3, 6 and 9, one found what the first had.
    #expect(criterion.selfConsistency.map(\.judge) == ["j"])
    #expect(abs((criterion.selfConsistency[0].same.value ?? 0) - 9.0 / 12) < 1e-12)
    #expect(criterion.selfConsistency[0].same.n == 12)
  }

  @Test func littleAgreementAndAJudgeAtOddsWithItselfAreFindings() throws {
    let noisy = (0..<20).map { number in
      [
        Self.call(Self.marks(["right": number % 4])),
        Self.call(Self.marks(["right": (number * 7 + 1) % 4]), draw: 1),
      ]
    }
    let codes = try Self.summary(noisy).findings.map(\.code)
    #expect(codes.contains("judges-disagree") && codes.contains("judge-inconsistent"))
    let steady = (0..<20).map { number in
      [Self.call(Self.marks(["right": number % 4])), Self.call(Self.marks(["right": number % 4]), draw: 1)]
    }
    let quiet = try Self.summary(steady).findings.map(\.code)
    #expect(!quiet.contains { $0.hasPrefix("judge") })
  }

  @Test func aRubricsCriteriaAreSummedUpOnTheirOwn() throws {
    var run = TestRun(cases: 3)
    for (index, value) in [0.0, 0.5, 1].enumerated() {
      run.add(case: "c\(index)")
      run.trials[index].scores[0].criteria = [
        CriterionScore(criterion: "right", value: value, spread: nil, verdicts: 1, passed: value > 0.3),
        CriterionScore(criterion: "clear", value: 1, spread: nil, verdicts: 1, passed: nil),
      ]
    }
    let criteria = try RunSummary.make(from: run).targets[0].checks[0].criteria
    #expect(criteria.map(\.name) == ["right", "clear"] && criteria.map(\.value.value) == [0.5, 1])
    #expect(criteria[0].passes == 2 && criteria[0].verdicts == 3 && criteria[1].verdicts == 0)
  }
}
