import EvalCore
import Foundation
import Testing

@testable import EvalStore

@Suite struct PrivacyTests {
  let folder = Folder()
  let profile = testProfile("small")

  /// Writes a run in which every place that can hold a text holds this one.
  private func fill(_ store: RunStore, with text: String, redactor: Redactor, isPrivate: Bool) throws {
    var run = testRun(profiles: [])
    run.isPrivate = isPrivate
    var content = profile.contentObject
    content["instructions"] = .string(text)
    run.targets = [
      RunInfo.TargetInfo(name: "small", kind: "profile", hash: profile.hash, content: .object(content))
    ]
    let recorder = try store.record(run, redactor: redactor, isPrivate: isPrivate)
    var reply = testReply(text: "It says: \(text)!")
    reply.outcome = .failed(ProviderError(.invalidRequest, "cannot read '\(text)'", status: 400))
    reply.reasoning = "thinking of \(text)"
    reply.refusal = "I will not say \(text)"
    reply.toolCalls = [ToolCall(id: "1", name: "look", arguments: ["at": .string(text)])]
    reply.notes = ["odd: \(text)"]
    var attempt = testAttempt(profile, reply: reply)
    attempt.decision = [
      "rule": "first", "why": .string("a long reason, in which somebody quotes: \(text), as it is"),
    ]
    var subject = testCase("one", text)
    subject.reference = .string(text)
    let request = RequestSnapshot(instructions: "System: \(text)", messages: [Message(.user, text)])
    recorder.receive(.attempt(attempt, testKey(subject, profile), request: request))
    let scores = [
      Score(check: "exact", kind: "exact", judgement: .verdict(false), explanation: "found '\(text)'"),
      Score(check: "judge", kind: "judge", judgement: .unscored(.graderFailed, "no verdict in '\(text)'")),
    ]
    recorder.receive(.trial(testTrial(subject, profile, scores: scores), CaseFacts(subject)))
    try recorder.flush()
  }

  /// Where the text is in any file, the write-ahead log included, as it is or as JSON spells it.
  private func isAnywhere(_ text: String) throws -> Bool {
    let all = try folder.everything()
    #expect(all.count > 10_000)
    return all.range(of: Data(text.utf8)) != nil
  }

  private let planted = "the patient's name is Zebedee Quux"

  @Test func theSearchFindsWhatIsThere() throws {
    let store = try RunStore(path: folder.database)
    try fill(store, with: planted, redactor: noSecrets, isPrivate: false)
    #expect(try isAnywhere(planted))
  }

  @Test func privateRunKeepsNoText() throws {
    let store = try RunStore(path: folder.database)
    try fill(store, with: planted, redactor: noSecrets, isPrivate: true)
    #expect(try !isAnywhere(planted))
    #expect(try !isAnywhere("Zebedee"))
    store.close()
    #expect(try !isAnywhere("Zebedee"))
  }

  @Test func privateRunKeepsDigestsAndEverythingElse() throws {
    let store = try RunStore(path: folder.database)
    try fill(store, with: planted, redactor: noSecrets, isPrivate: true)
    let row = try Connection(path: folder.database, access: .readOnly).prepare(
      """
      SELECT answer, answer_bytes, answer_sha256, request_bytes, length(request_sha256), content_bytes,
        length(content_sha256), must_pass FROM texts JOIN attempts USING (attempt_no)
      JOIN trials USING (trial_no) JOIN cases USING (run_no, case_no)
      """)
    #expect(try row.step())
    let answer = "It says: \(planted)!"
    #expect(row.text(0) == nil)
    #expect(row.int(1) == answer.utf8.count)
    #expect(row.text(2) == SHA256.hexOf(answer))
    #expect((row.int(3) ?? 0) > planted.utf8.count * 2)
    #expect(row.int(4) == 64)
    #expect((row.int(5) ?? 0) > planted.utf8.count * 2)
    #expect(row.int(6) == 64)
    let trial = try #require(try store.allTrials(testRun()).first)
    #expect(trial.attempts[0].errorClass == .invalidRequest)
    #expect(trial.attempts[0].httpStatus == 400)
    #expect(trial.attempts[0].errorMessage == nil)
    #expect(trial.attempts[0].usage == Usage(input: 10, output: 5))
    #expect(trial.attempts[0].decision?["rule"] == "first")
    #expect(trial.scores.map(\.judgement) == [.verdict(false), .unscored(.graderFailed, "")])
    let texts = try store.texts(testRun().id, trial.key)
    #expect(texts[1]?.answer == nil)
    #expect(texts[1]?.request == nil)
    #expect(texts[1]?.toolCalls == [])
    #expect(try store.caseContent(testRun().id, trial.key.caseHash) == nil)
    let instructions = try store.run(matching: "latest").targets[0].content["instructions"]
    #expect(instructions?["sha256"]?.stringValue == SHA256.hexOf(planted))
  }

  @Test func privateRunKeepsTheTransportsWords() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun(), isPrivate: true)
    var reply = testReply()
    reply.outcome = .failed(ProviderError(.network, "connection refused"))
    recorder.record(testCase("one"), profile, reply: reply, status: .failed)
    try recorder.flush()
    #expect(try store.allTrials(testRun())[0].attempts[0].errorMessage == "connection refused")
  }

  @Test(arguments: [#"sk-"quoted"\back/slash"#, "sk-plain+%percent", "1234567890123456", "ключ-émoji-🔑"])
  func secretIsNowhere(_ secret: String) throws {
    let quoted = JSONValue.string(secret).serialized().dropFirst().dropLast()
    let spellings = [secret, String(quoted), base64(Array(secret.utf8))]
    let redactor = Redactor(secrets: [secret])
    for (index, spelling) in spellings.enumerated() {
      let folder = Folder()
      let store = try RunStore(path: folder.database)
      try fill(store, with: "before \(spelling) after", redactor: redactor, isPrivate: index == 2)
      store.close()
      for spelling in spellings {
        #expect(try folder.everything().range(of: Data(spelling.utf8)) == nil, "\(spelling)")
      }
    }
  }

  @Test func secretInEveryTextIsMarked() throws {
    let store = try RunStore(path: folder.database)
    try fill(store, with: "sk-secret-key", redactor: Redactor(secrets: ["sk-secret-key"]), isPrivate: false)
    #expect(try !isAnywhere("sk-secret-key"))
    let trial = try #require(try store.allTrials(testRun()).first)
    #expect(trial.attempts[0].errorMessage == "cannot read '[redacted]'")
    #expect(trial.scores[0].explanation == "found '[redacted]'")
    let texts = try #require(try store.texts(testRun().id, trial.key)[1])
    #expect(texts.answer == "It says: [redacted]!")
    #expect(texts.toolCalls[0].arguments == ["at": "[redacted]"])
    #expect(texts.request?["instructions"] == "System: [redacted]")
  }

  /// A secret of digits is in no string of the JSON.
  @Test func secretThatIsANumberLeavesJSONBehind() throws {
    let redactor = Redactor(secrets: ["1234567890"])
    let clean = Row.clean(["key": 1_234_567_890], redactor)
    #expect(!clean.contains("1234567890"))
    #expect(try JSONValue.parse(clean) == #"{"key":[redacted]}"#)
  }

  /// Words of closed vocabularies are not redacted, or a secret such as `live` would make a run unreadable.
  @Test func secretThatIsAWordOfTheSchemaDoesNoHarm() throws {
    let store = try RunStore(path: folder.database)
    let words = ["live", "first", "measured", "device", "profile", "running"]
    let recorder = try store.record(testRun(), redactor: Redactor(secrets: words))
    recorder.record(testCase("one"), profile)
    try recorder.flush()
    let attempt = try #require(try store.allTrials(testRun()).first?.attempts.first)
    #expect(attempt.provenance == .live)
    #expect(attempt.cause == "first")
    #expect(attempt.boundary == .device)
  }
}
