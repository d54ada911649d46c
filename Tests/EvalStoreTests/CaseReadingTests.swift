import EvalCore
import Testing

@testable import EvalStore

/// The cases of a run read back, for replays.
@Suite struct CaseReadingTests {
  private func cases(isPrivate: Bool) throws -> [CaseRecord] {
    let folder = Folder()
    var run = testRun()
    run.isPrivate = isPrivate
    let store = try RunStore(path: folder.database)
    try store.begin(run, redactor: noSecrets)
    let recorder = try store.recorder(run: run, redactor: noSecrets, isPrivate: isPrivate) { _ in }
    var late = testCase("a-late-one")
    late.signals = ["sensitivity": "secret", "custom": ["size": 3]]
    late.expects = .refusal
    late.cluster = "sisters"
    late.tags = ["t"]
    for subject in [testCase("met-first"), late] {
      let key = TrialKey(caseHash: subject.hash, targetHash: testProfile("small").hash, repeatIndex: 0)
      let attempt = testAttempt(testProfile("small"))
      recorder.receive(.attempt(attempt, key, request: testRequest))
      let trial = Trial(
        key: key, caseID: subject.id, target: "small", status: .ok, errorClass: nil, attempts: [attempt],
        scores: [], duration: 5)
      recorder.receive(.trial(trial, CaseFacts(subject)))
    }
    try recorder.flush()
    let cases = try store.cases(run.id)
    store.close()
    return cases
  }

  @Test func `Cases come in the order in which the run met them, with what policies read`() throws {
    let cases = try cases(isPrivate: false)
    #expect(cases.map(\.id) == ["met-first", "a-late-one"])
    #expect(cases[1].signals == ["sensitivity": "secret", "custom": ["size": 3]])
    #expect(cases[1].expects == .refusal && cases[0].expects == .answer)
    #expect(cases[1].cluster == "sisters" && cases[1].tags == ["t"])
    #expect(cases[0].content?["turns"] != nil)
  }

  @Test func `A private run has signals and no content`() throws {
    let cases = try cases(isPrivate: true)
    #expect(cases.map(\.content) == [nil, nil])
    #expect(cases[1].signals["sensitivity"] == "secret")
  }
}
