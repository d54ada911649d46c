import EvalCore
import Testing

@testable import EvalAnalysis

/// Labels held against the judges of a run.
@Suite struct JudgeCheckTests {
  static let judge = TestRun.hash("judge")
  static let form: JudgedForm = {
    let levels = ["Bad.", "Poor.", "Fair.", "Good."].enumerated().map {
      RubricLevel(label: "\($0 + 1)", summary: $1)
    }
    let rubric = Rubric(
      name: "r",
      criteria: [
        Criterion(name: "right", question: "Is it right?", levels: levels, weight: 2, minimum: 2),
        Criterion(
          name: "short", question: "Is it short?",
          levels: [RubricLevel(label: "no", summary: ""), RubricLevel(label: "yes", summary: "")]),
      ], judges: ["j"])
    return JudgedForm(rubric, threshold: 0.6, promptHash: TestRun.hash("prompt"))
  }()

  /// A run in which the judge gave each case's answer a verdict, by target.
  private static func run(_ verdicts: [String: [Bool]], kind: String = "judge") -> TestRun {
    let cases = verdicts.values.map(\.count).max() ?? 0
    var run = TestRun(verdicts.keys.sorted(), cases: cases)
    for (target, passes) in verdicts.sorted(by: { $0.key < $1.key }) {
      for (number, passed) in passes.enumerated() {
        run.add(case: "c\(number)", target: target)
        var score = ScoreRecord(
          check: "good", kind: kind, weight: 1, turn: nil, judgement: .verdict(passed), explanation: nil)
        score.criteria = [
          CriterionScore(
            criterion: "right", value: passed ? 1 : 1.0 / 3, spread: nil, verdicts: 1, passed: passed),
          CriterionScore(criterion: "short", value: 1, spread: nil, verdicts: 1, passed: nil),
        ]
        run.trials[run.trials.count - 1].scores = [score]
        run.trials[run.trials.count - 1].score = TrialScore(
          value: passed ? 1 : 0, passed: passed, unscored: nil)
        var call = JudgingTests.call(JudgingTests.marks(["right": passed ? 3 : 1]))
        call.place.check = "good"
        call.judgeHash = judge
        call.form = form.hash
        run.trials[run.trials.count - 1].judgeCalls = [call]
      }
    }
    return run
  }

  private static func label(_ number: Int, _ target: String, _ word: String, criterion: String? = nil)
    -> AnswerLabel
  {
    var label = AnswerLabel(caseID: "c\(number)", check: "good", criterion: criterion)
    label.target = target
    label.label = word
    return label
  }

  private static func check(
    _ run: TestRun, _ labels: [AnswerLabel], strata: [LabelFile.Stratum] = []
  ) throws -> (check: JudgeCheck, kept: [VerdictLabel]) {
    var file = LabelFile(path: "l.jsonl")
    file.labels = labels
    file.strata = strata
    return try JudgeCheck.make(
      file, summary: RunSummary.make(from: run), answers: JudgedAnswer.all(in: run),
      cases: run.trials.map(\.caseID), forms: [form.hash: form],
      now: 1
    ) { "\($0.caseID)-\($0.target)" }
  }

  private func refused(_ run: TestRun, _ labels: [AnswerLabel]) -> [String] {
    do {
      _ = try Self.check(run, labels)
      return []
    } catch {
      return (error as? Problems)?.all.map(\.message) ?? ["\(error)"]
    }
  }

  /// 40 answers, 20 right of which the judge passes 18, 20 wrong of which it passes 4.
  private static let verdicts = (0..<40).map { $0 < 20 ? $0 >= 2 : $0 < 24 }
  private static func truth(_ number: Int) -> String { number < 20 ? "pass" : "fail" }

  @Test func aKnownTable() throws {
    let run = Self.run(["a": Self.verdicts])
    let (check, kept) = try Self.check(run, (0..<40).map { Self.label($0, "a", Self.truth($0)) })
    let measured = try #require(check.checks.first)
    let rates = try #require(measured.errors?.inAll)
    #expect([rates.bothPass, rates.judgeFails, rates.judgePasses, rates.bothFail] == [18, 2, 4, 16])
    #expect(rates.sensitivity.value == 0.9 && rates.specificity.value == 0.8)
    // P_o = 34/40, P_e = 0.5·22/40 + 0.5·18/40 = 0.5.
    #expect(abs((rates.kappa.value ?? 0) - 0.7) < 1e-12)
    let rate = try #require(measured.rates.first)
    #expect(rate.raw.value == 22.0 / 40)
    // (0.55 + 0.8 − 1)/(0.9 + 0.8 − 1) = 0.5.
    #expect(abs((try rate.corrected.get().estimate.value ?? 0) - 0.5) < 1e-12)
    #expect(kept.count == 40 && kept[0].judges == [Self.judge] && kept[0].form == Self.form.hash)
    #expect(check.findings.isEmpty, "\(check.findings)")
  }

  @Test func levelsMakeTheVerdictOfARubric() throws {
    let run = Self.run(["a": [true, true, false]], kind: "rubric")
    let labels = [("4", "yes"), ("3", "no"), ("2", "yes")].enumerated().flatMap { number, words in
      [
        Self.label(number, "a", words.0, criterion: "right"),
        Self.label(number, "a", words.1, criterion: "short"),
      ]
    }
    let (check, kept) = try Self.check(run, labels)
    // Level 3 of 4 is 2/3; with weight 2 and a "no" the value is 4/9, below the threshold; level 2 is below the minimum.
    #expect(kept.map(\.person) == [true, false, false] && kept.map(\.judge) == [true, true, false])
    let right = try #require(check.checks.first?.criteria.first { $0.criterion == "right" })
    #expect(right.inAll.table == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1]])
    #expect(right.inAll.same.value == 2.0 / 3 && right.levels == ["1", "2", "3", "4"])
    // A label that is missing leaves the verdict open.
    #expect(try Self.check(run, Array(labels.dropLast())).kept.count == 2)
  }

  @Test func aJudgeThatFavoursATargetIsFound() throws {
    // 30 answers each, the first 15 right. All right ones pass; of the wrong ones a's pass, b's do not.
    let run = Self.run([
      "a": (0..<30).map { $0 < 27 }, "b": (0..<30).map { $0 < 15 },
    ])
    let labels = ["a", "b"].flatMap { target in
      (0..<30).map { Self.label($0, target, $0 < 15 ? "pass" : "fail") }
    }
    let (check, _) = try Self.check(run, labels)
    let favours = check.findings.filter { $0.code == "judge-favours" }
    #expect(favours.contains { $0.target == "a" && $0.message.contains("it favours") }, "\(check.findings)")
    let rates = check.checks[0].rates
    #expect(rates.map(\.basis) == [.ownLabels, .ownLabels])
    // By its own labels b's judge makes no error; that of all would halve b's rate.
    #expect(try rates[1].corrected.get().estimate.value == 0.5)
    guard case .failure(.perhapsNoBetterThanChance) = rates[0].corrected else {
      Issue.record("specificity 0.2 with sensitivity 1 is hardly above chance: \(rates[0])")
      return
    }
  }

  @Test func ofTwoAlikeNeitherIsFavoured() throws {
    let run = Self.run(["a": Self.verdicts, "b": Self.verdicts])
    let labels = ["a", "b"].flatMap { target in (0..<40).map { Self.label($0, target, Self.truth($0)) } }
    let (check, _) = try Self.check(run, labels)
    #expect(check.findings.isEmpty && check.checks[0].rates.map(\.basis) == [.allTargets, .allTargets])
  }

  @Test func fewLabelsAndALowKappaAreFindings() throws {
    let run = Self.run(["a": Self.verdicts])
    let few = try Self.check(run, (15..<24).map { Self.label($0, "a", Self.truth($0)) }).check
    #expect(few.findings.map(\.code) == ["labels-few"])
    guard case .failure(.tooFewLabels(5, 4, 10)) = few.checks[0].rates[0].corrected else {
      Issue.record("\(few.checks[0].rates)")
      return
    }
    let coin = try Self.check(run, (0..<40).map { Self.label($0, "a", $0 % 2 == 0 ? "pass" : "fail") }).check
    let low = try #require(coin.findings.first { $0.code == "judge-kappa-low" })
    #expect(low.message.contains("'slight'") || low.message.contains("'poor'"), "\(low.message)")
    #expect(low.message.contains("Landis and Koch (1977)") && low.message.contains("40 labels"))
  }

  @Test func labelsThatFitNothingAreNamed() {
    let run = Self.run(["a": [true, false], "b": [true, false]])
    #expect(
      refused(run, [Self.label(7, "a", "pass")]) == ["the run has no case 'c7'"])
    #expect(refused(run, [Self.label(0, "x", "pass")]) == ["the run has no target 'x'"])
    var open = Self.label(0, "a", "pass")
    open.target = nil
    #expect(refused(run, [open]) == ["several answers fit this label"])
    #expect(refused(run, [Self.label(0, "a", "9", criterion: "right")]) == ["'9' is no level of 'right'"])
    #expect(
      refused(run, [Self.label(0, "a", "1", criterion: "rigth")]) == ["'good' has no criterion 'rigth'"])
    #expect(
      refused(run, [Self.label(0, "a", "pass"), Self.label(0, "a", "fail")]) == [
        "this answer has a label already"
      ])
  }

  /// A judge that failed on an answer is no fault of its label.
  @Test func aLabelOfAnAnswerWithoutAScoreIsCountedApart() throws {
    var run = Self.run(["a": Self.verdicts])
    run.trials[5].scores[0].judgement = .unscored(.graderFailed, "the judge said nothing")
    let (check, kept) = try Self.check(run, (0..<40).map { Self.label($0, "a", Self.truth($0)) })
    #expect(kept.count == 39 && check.elsewhere == 1 && check.findings.map(\.code) == ["labels-elsewhere"])
  }

  /// A label is of an answer's words: it holds in another run, under another target, and not for other words.
  @Test func labelsFollowTheAnswersWords() throws {
    let run = Self.run(["a": [true, false]])
    func label(_ digest: String, target: String) -> AnswerLabel {
      var label = AnswerLabel(caseID: "moved", check: "good")
      label.caseHash = TestRun.hash("c0")
      label.targetHash = TestRun.hash(target)
      label.repeatIndex = 0
      label.answerHash = digest
      label.label = "pass"
      return label
    }
    #expect(try Self.check(run, [label("c0-a", target: "other")]).kept.count == 1)
    let gone = try Self.check(run, [label("c0-edited", target: "a")]).check
    #expect(gone.elsewhere == 1 && gone.checks.isEmpty && gone.findings.map(\.code) == ["labels-elsewhere"])
  }

  // MARK: Draws

  @Test func allocationsAreEvenWithinTheSizes() {
    #expect(LabelDraw.allocation([100, 100, 100], count: 30) == [10, 10, 10])
    #expect(LabelDraw.allocation([100, 2, 100], count: 30) == [14, 2, 14])
    #expect(LabelDraw.allocation([3, 2, 1], count: 30) == [3, 2, 1])
    #expect(LabelDraw.allocation([5, 5, 5], count: 1) == [1, 1, 1])
    #expect(LabelDraw.allocation([], count: 5).isEmpty)
  }

  @Test func aDrawTakesRareVerdictsAndIsSeeded() throws {
    let run = Self.run(["a": (0..<200).map { $0 >= 6 }, "b": (0..<200).map { $0 >= 100 }])
    let answers = try JudgedAnswer.all(in: run)
    let draw = LabelDraw(answers, count: 40, seed: 5)
    #expect(draw.strata.map(\.answers).sorted() == [6, 100, 100, 194] && draw.answers.count == 40)
    #expect(draw.answers.count { $0.answer.target == "a" && $0.answer.passed == false } == 6)
    let again = LabelDraw(answers, count: 40, seed: 5)
    #expect(again.answers.map(\.answer.key) == draw.answers.map(\.answer.key))
    #expect(
      LabelDraw(answers, count: 40, seed: 6).answers.map(\.answer.key) != draw.answers.map(\.answer.key))
    // Neither the order nor the strata's places tell the verdict.
    let verdicts = draw.answers.prefix(20).map { $0.answer.passed == true }
    #expect(verdicts.contains(true) && verdicts.contains(false))
  }

  /// The whole way, from a draw by verdict to the rates: right on average, and far off without what the draw says.
  @Test func aDrawnFileGivesUnbiasedRates() throws {
    var random = SeededRandom(seed: 77)
    var sums = (sensitivity: 0.0, specificity: 0.0, naive: 0.0)
    let worlds = 60
    for world in 0..<worlds {
      let people = (0..<600).map { _ in random.unit() < 0.9 }
      let verdicts = people.map { $0 ? random.unit() < 0.9 : random.unit() < 0.3 }
      let run = Self.run(["a": verdicts])
      let draw = LabelDraw(try JudgedAnswer.all(in: run), count: 100, seed: UInt64(world))
      let labels = draw.answers.map { answer, stratum in
        let number = Int(answer.caseID.dropFirst()) ?? 0
        var label = Self.label(number, "a", people[number] ? "pass" : "fail")
        label.stratum = stratum
        return label
      }
      let strata = draw.strata.map { LabelFile.Stratum(answers: $0.answers, drawn: $0.drawn) }
      let rates = try #require(Self.check(run, labels, strata: strata).check.checks[0].errors?.inAll)
      sums.sensitivity += (rates.sensitivity.value ?? 0) / Double(worlds)
      sums.specificity += (rates.specificity.value ?? 0) / Double(worlds)
      let naive = Double(rates.bothPass) / Double(rates.bothPass + rates.judgeFails)
      sums.naive += naive / Double(worlds)
    }
    #expect(abs(sums.sensitivity - 0.9) < 0.015, "\(sums)")
    #expect(abs(sums.specificity - 0.7) < 0.05, "\(sums)")
    #expect(sums.naive < 0.75, "without the draw's weights: \(sums)")
  }

  // MARK: Later runs

  @Test func labelsAreForTheSameJudgeAndQuestionOnly() throws {
    let run = Self.run(["a": Self.verdicts])
    let kept = try Self.check(run, (0..<40).map { Self.label($0, "a", Self.truth($0)) }).kept
    let later = Self.run(["b": (0..<50).map { $0 < 30 }])
    let summary = try RunSummary.make(from: later, labels: kept)
    let measured = try #require(summary.judging?.measured.first)
    // (0.6 + 0.8 − 1)/0.7
    #expect(abs((try measured.rates[0].corrected.get().estimate.value ?? 0) - 4.0 / 7) < 1e-12)
    // It is said that nobody labelled this target.
    #expect(measured.rates[0].basis == .otherTargets)
    #expect(
      measured.questions == 1 && measured.labelledQuestions == 1 && measured.errors.sources == ["l.jsonl"])
    var other = later
    for index in other.trials.indices {
      other.trials[index].judgeCalls[0].judgeHash = TestRun.hash("another judge")
    }
    #expect(try RunSummary.make(from: other, labels: kept).judging?.measured.isEmpty == true)
    for index in other.trials.indices {
      other.trials[index].judgeCalls[0].judgeHash = Self.judge
      other.trials[index].judgeCalls[0].form = TestRun.hash("another threshold")
    }
    #expect(try RunSummary.make(from: other, labels: kept).judging?.measured.isEmpty == true)
  }
}
