import EvalCore
import Testing

@testable import EvalGraders

/// Several verdicts become one, by a rule that is stated.
@Suite struct PanelTests {
  private static let criterion = Criterion(
    name: "c", question: "?", levels: (1...5).map { RubricLevel(label: "\($0)", summary: "") })

  @Test(
    arguments: [
      ([2], VerdictReducer.median, 2.0), ([0, 4, 1], .median, 1), ([0, 1, 3, 4], .median, 2),
      ([0, 1], .median, 0.5),
      ([0, 4, 2], .mean, 2), ([0, 0, 0, 4], .mean, 1), ([1, 3, 1], .majority, 1), ([4], .majority, 4),
      ([0, 1, 2], .majority, nil), ([0, 0, 1, 1], .majority, nil), ([4, 4, 0, 0, 4], .majority, 4),
    ] as [([Int], VerdictReducer, Double?)])
  func reduces(levels: [Int], reducer: VerdictReducer, value: Double?) {
    #expect(Panel.reduced(levels, by: reducer) == value)
  }

  @Test func moreThanHalfOfTheVerdictsMustBeThere() {
    func score(_ levels: [Int], asked: Int) -> CriterionScore? {
      if case .first(let score) = Panel.score(Self.criterion, levels: levels, asked: asked, by: .median) {
        score
      } else {
        nil
      }
    }
    #expect(
      score([4, 2], asked: 3)
        == CriterionScore(criterion: "c", value: 0.75, spread: 0.5, verdicts: 2, passed: nil))
    #expect(score([4], asked: 1)?.spread == nil)
    #expect(score([4], asked: 2) == nil)
    #expect(score([], asked: 1) == nil)
    #expect(score([4, 4], asked: 4) == nil)
  }

  @Test func everyJudgeIsAskedEveryDrawAndItsSpreadIsSaid() async throws {
    let judge = ScriptedJudge { asked in
      // The judges differ, and one of them with itself.
      let level = asked.question.judge == "other" ? 3 : asked.question.place.draw
      return .verdict(asked) { $0.levels[min(level, $0.levels.count - 1)] }
    }
    let spec = try CheckSpec.decode(["rubric": "helpful"], graders: GraderRegistry.all)
    let grader = try makeGrader(
      spec, allowsCommands: false, directory: "",
      judging: .paris(judge: judge) {
        $0.judges = ["judge", "other"]
        $0.draws = 2
      })
    let found = await grader.grade(subject("x"))
    // right: 0, 1, 3, 3, whose median is 2; clear: 0, 1, 1, 1.
    #expect(found.criteria.map(\.value) == [2.0 / 3, 1])
    #expect(found.criteria.map(\.spread) == [1, 1] && found.criteria.map(\.verdicts) == [4, 4])
    #expect(
      found.explanation?.contains("right 0.667, median of 4, spread 1") == true, "\(found.explanation ?? "")")
    #expect(judge.questions.count == 4 && found.cost == Cost(dollars: 1))
    #expect(Set(judge.questions.map { "\($0.judge) \($0.place.draw)" }).count == 4)
  }

  @Test func oneJudgeOfThreeMayFail() async throws {
    func grade(failing: Set<String>) async throws -> Verdict {
      let judge = ScriptedJudge { asked in
        failing.contains(asked.question.judge)
          ? ProviderReply(outcome: .failed(ProviderError(.serverError, "out of order")))
          : .verdict(asked) { $0.levels[1] }
      }
      let spec = try CheckSpec.decode(
        ["judge": "It is right.", "by": ["judge", "other", "third"]], graders: GraderRegistry.all)
      return await (try makeGrader(spec, allowsCommands: false, directory: "", judging: .paris(judge: judge)))
        .grade(
          subject("x"))
    }
    #expect(try await grade(failing: ["other"]).judgement == .scored(value: 1, passed: true))
    let failed = try await grade(failing: ["other", "third"])
    #expect(failed.judgement.word == "graderFailed")
    #expect(
      failed.explanation?.contains("1 of 3 verdicts on 'holds' can be read: other: serverError") == true)
  }

  /// A second look never changes a score, and takes the share of answers that was asked for.
  @Test func aRecheckCountsInNoScore() async throws {
    let judge = ScriptedJudge { asked in
      .verdict(asked) { $0.levels[asked.question.place.purpose == .recheck ? 0 : 1] }
    }
    let spec = try CheckSpec.decode(["rubric": "helpful"], graders: GraderRegistry.all)
    let grader = try makeGrader(
      spec, allowsCommands: false, directory: "", judging: .paris(judge: judge) { $0.recheck = 0.25 })
    for index in 0..<400 {
      var subject = subject("x")
      subject.caseID = "c\(index)"
      let found = await grader.grade(subject)
      #expect(found.criteria.map(\.value) == [1.0 / 3, 1] && found.criteria.allSatisfy { $0.verdicts == 1 })
    }
    let rechecked = judge.questions.count { $0.place.purpose == .recheck }
    #expect((60...140).contains(rechecked), "a quarter of 400, drawn by hash")
  }
}
