import EvalCore
import Foundation
import Synchronization
import Testing

@testable import EvalStore

/// A folder that goes with the test.
final class Folder: Sendable {
  let path: String

  init() { path = NSTemporaryDirectory() + "evalstore-" + UUID().uuidString }

  /// A folder that the child of an exit test, which can capture nothing, finds by its parent's id.
  init(sharedAs name: String, by process: pid_t) {
    path = Folder.path(sharedAs: name, by: process)
    try? FileManager.default.removeItem(atPath: path)
  }

  static func path(sharedAs name: String, by process: pid_t) -> String {
    NSTemporaryDirectory() + "evalstore-\(process)-\(name)"
  }

  var database: String { path + "/results.db" }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The bytes of every file in the folder, `-wal` and `-shm` included.
  func everything() throws -> Data {
    var all = Data()
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      all += try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
    }
    return all
  }
}

let noSecrets = Redactor(secrets: [])

func testProfile(_ name: String) -> Profile {
  var profile = Profile(name: name, provider: "openai-chat", model: "model-of-\(name)")
  profile.boundary = .device
  return profile
}

func testRun(
  _ id: String = "20261130-071533-k3f9", profiles: [Profile] = [testProfile("small")],
  plan: JSONValue = "plan"
) -> RunInfo {
  RunInfo(
    id: id, suiteName: "suite", suitePath: "suites/suite.json",
    suiteHash: ContentHash(of: "suite", kind: "suite"),
    planHash: ContentHash(of: plan, kind: "plan"), seed: .max, repeats: 2, plannedTrials: 4, caseCount: 2,
    startedAt: 1_796_022_933.25, startedMonotonic: 1_000_000_000,
    targets: profiles.map { profile in
      RunInfo.TargetInfo(
        name: profile.name, kind: "profile", hash: profile.hash, content: .object(profile.contentObject))
    },
    settings: ["concurrency": 4], provenance: .live, toolVersion: "0.1.0", machine: "Linux x86_64")
}

func testCase(_ id: String, _ text: String? = nil) -> Case {
  Case(
    id: id, tags: ["a", "b"], turns: [Turn(content: [.text(text ?? "question of \(id)")])], reference: "yes")
}

func testReply(text: String = "an answer", start: Int64 = 2_000_000_000) -> ProviderReply {
  var timeline = Timeline()
  timeline.scheduled = start - 1_000_000
  timeline.start = start
  timeline.firstByte = start + 10_000_000
  timeline.firstContent = start + 20_000_000
  timeline.lastToken = start + 60_000_000
  timeline.terminal = start + 61_000_000
  timeline.done = start + 62_000_000
  timeline.tokenReads = [
    TokenRead(at: start + 20_000_000, events: 1), TokenRead(at: start + 60_000_000, events: 4),
  ]
  var reply = ProviderReply(outcome: .ok, timeline: timeline)
  reply.text = text
  reply.finish = .stop
  reply.usage = Usage(input: 10, output: 5)
  reply.connection = ConnectionInfo(isCold: false, httpVersion: "1.1", bytesSent: 100, bytesReceived: 200)
  return reply
}

func testAttempt(
  _ profile: Profile, number: Int = 1, cause: AttemptCause = .first, reply: ProviderReply = testReply(),
  dollars: Double? = 0.25
) -> Attempt {
  Attempt(
    turn: 0, number: number, profile: profile, profileHash: profile.hash, cause: cause, wait: 0, reply: reply,
    cost: Cost(dollars: dollars))
}

func testKey(_ subject: Case, _ profile: Profile, _ index: Int = 0) -> TrialKey {
  TrialKey(caseHash: subject.hash, targetHash: profile.hash, repeatIndex: index)
}

let testRequest = RequestSnapshot(instructions: "Be brief.", messages: [Message(.user, "question")])

func testTrial(
  _ subject: Case, _ profile: Profile, _ index: Int = 0, status: TrialStatus = .ok, attempts: [Attempt] = [],
  scores: [Score] = [Score(check: "exact", kind: "exact", judgement: .verdict(true))]
) -> Trial {
  Trial(
    key: testKey(subject, profile, index), caseID: subject.id, target: profile.name, status: status,
    errorClass: nil, attempts: attempts, scores: scores, duration: 70_000_000)
}

/// Counts the failures that a recorder reports.
final class Failures: Sendable {
  private let all = Mutex<[StoreError]>([])
  var errors: [StoreError] { all.withLock { $0 } }
  func add(_ error: StoreError) { all.withLock { $0.append(error) } }
}

extension RunStore {
  /// A recorder of a run that is begun here; a failure fails the test.
  func record(
    _ run: RunInfo, redactor: Redactor = noSecrets, isPrivate: Bool = false
  ) throws -> Recorder {
    try begin(run, redactor: redactor)
    return try recorder(run: run, redactor: redactor, isPrivate: isPrivate) { error in
      Issue.record("the recorder failed: \(error)")
    }
  }

  func allTrials(_ run: RunInfo) throws -> [TrialRecord] {
    var records: [TrialRecord] = []
    try trials(run).forEachTrial { records.append($0) }
    return records
  }
}

extension Recorder {
  /// One whole trial with one attempt.
  func record(
    _ subject: Case, _ profile: Profile, _ index: Int = 0, reply: ProviderReply = testReply(),
    status: TrialStatus = .ok, scores: [Score]? = nil
  ) {
    let attempt = testAttempt(profile, reply: reply)
    receive(.attempt(attempt, testKey(subject, profile, index), request: testRequest))
    let trial = testTrial(
      subject, profile, index, status: status, attempts: [attempt],
      scores: scores ?? [Score(check: "exact", kind: "exact", judgement: .verdict(true))])
    receive(.trial(trial, CaseFacts(subject)))
  }
}
