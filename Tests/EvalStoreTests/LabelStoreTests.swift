import EvalCore
import Foundation
import Testing

@testable import EvalStore

/// Labels are kept with the judge, and found for every run that it judged in.
@Suite struct LabelStoreTests {
  private static let critic = testProfile("critic")

  private static func form(_ question: String) -> JudgedForm {
    JudgedForm(
      Rubric(
        name: "r",
        criteria: [
          Criterion(
            name: "holds", question: question,
            levels: [RubricLevel(label: "no", summary: "n"), RubricLevel(label: "yes", summary: "y")],
            minimum: 1)
        ], judges: ["critic"]), threshold: nil, promptHash: ContentHash(of: "words", kind: "test"))
  }

  /// Records a run of one case that a judge was asked about.
  private static func run(_ id: String, _ question: String, isPrivate: Bool = false, in store: RunStore)
    throws
  {
    let small = testProfile("small")
    let subject = testCase("case")
    var run = testRun(id, profiles: [small], plan: .string(id))
    run.isPrivate = isPrivate
    let recorder = try store.record(run, isPrivate: isPrivate)
    var call = JudgeCall(
      place: JudgePlace(trial: testKey(subject, small), target: "small", check: "good", turn: 0),
      judge: "critic",
      judgeHash: critic.hash, force: .none, temperature: 0, seed: nil, number: 1, wait: 0, reply: testReply(),
      cost: Cost(dollars: 0),
      reading: .marks([CriterionMark(criterion: "holds", level: 1, levels: 2, label: "yes", reason: "so")]))
    call.form = form(question)
    recorder.receive(.judgeCall(call))
    recorder.record(subject, small)
    try recorder.flush()
  }

  private static func label(_ number: Int, _ question: String, source: String = "l.jsonl") -> VerdictLabel {
    var label = VerdictLabel(
      form: form(question).hash, judges: [critic.hash],
      key: TrialKey(
        caseHash: ContentHash(of: .integer(Int64(number)), kind: "case"),
        targetHash: ContentHash(of: "t", kind: "target"), repeatIndex: 1),
      target: "small", check: "good", turn: 2, answerHash: "digest \(number)", person: true, judge: false,
      source: source, run: "other run", checkedAt: 12.5)
    label.stratum = 3
    label.stratumAnswers = 40
    label.labelledBy = "anna"
    return label
  }

  @Test func labelsComeBackForRunsOfTheJudge() throws {
    let folder = Folder()
    let store = try RunStore(path: folder.database)
    try Self.run("one", "Is it right?", in: store)
    try Self.run("two", "Is it short?", in: store)
    #expect(try store.verdictLabels(ofJudgesIn: "one").isEmpty)
    let labels = [
      Self.label(1, "Is it right?"), Self.label(2, "Is it right?"), Self.label(3, "Is it short?"),
    ]
    try store.keep(labels, from: "l.jsonl")
    let found = try store.verdictLabels(ofJudgesIn: "one")
    #expect(Set(found) == Set(labels.prefix(2)))
    #expect(try store.verdictLabels(ofJudgesIn: "two") == [labels[2]])
    // What the file says now replaces what it said; another file's labels stay.
    try store.keep([Self.label(9, "Is it right?", source: "m.jsonl")], from: "m.jsonl")
    try store.keep([labels[0]], from: "l.jsonl")
    #expect(
      try store.verdictLabels(ofJudgesIn: "one").map(\.answerHash).sorted() == ["digest 1", "digest 9"])
    #expect(try store.verdictLabels(ofJudgesIn: "two").isEmpty)
  }

  @Test func whatWasAskedIsKeptUnlessTheRunIsPrivate() throws {
    let folder = Folder()
    let store = try RunStore(path: folder.database)
    let form = Self.form("Does it name Anna's illness?")
    try Self.run("hidden", "Does it name Anna's illness?", isPrivate: true, in: store)
    #expect(try store.judgedForm(form.hash) == nil)
    #expect(try folder.everything().range(of: Data("illness".utf8)) == nil)
    try Self.run("open", "Does it name Anna's illness?", in: store)
    let stored = try #require(try store.judgedForm(form.hash))
    #expect(stored == form && stored.criteria == form.criteria && stored.passes(["holds": 1]) == true)
    // A private run after it leaves it as it is.
    try Self.run("hidden again", "Does it name Anna's illness?", isPrivate: true, in: store)
    #expect(try store.judgedForm(form.hash) == form)
    var record: JudgeCallRecord?
    try store.trials(try store.run(matching: "open")).forEachTrial { record = $0.judgeCalls.first }
    #expect(record?.form == form.hash && record?.judgeHash == Self.critic.hash)
  }
}
