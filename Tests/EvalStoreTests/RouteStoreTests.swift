import EvalCore
import Foundation
import Testing

@testable import EvalStore

/// What routes leave in the database.
@Suite struct RouteStoreTests {
  private let folder = Folder()
  private let small = testProfile("small")
  private var large: Profile {
    var profile = testProfile("large")
    profile.boundary = .thirdParty
    return profile
  }
  private let route = Target.route(RouteSpec(name: "careful", policy: ["policy": "careful", "rules": []]))

  private func run(isPrivate: Bool = false) -> RunInfo {
    var run = testRun(profiles: [])
    run.targets = [
      RunInfo.TargetInfo(name: "careful", kind: "route", hash: route.hash, content: ["policy": "careful"])
    ]
    run.arms = [small, large].map {
      RunInfo.TargetInfo(
        name: $0.name, kind: "profile", hash: $0.hash, content: .object($0.contentObject))
    }
    run.privacy = PrivacyRules(maxBoundary: [.public: .thirdParty], consentRequired: [.privateCloud])
    run.isPrivate = isPrivate
    return run
  }

  private var subject: Case {
    var subject = testCase("one")
    subject.signals = [
      "sensitivity": "secret", "custom": ["note": .string(String(repeating: "x", count: 65))],
    ]
    subject.expects = .block
    return subject
  }

  private func write(isPrivate: Bool = false) throws -> RunStore {
    let store = try RunStore(path: folder.database)
    try store.begin(run(isPrivate: isPrivate), redactor: noSecrets)
    let recorder = try store.recorder(
      run: run(isPrivate: isPrivate), redactor: noSecrets, isPrivate: isPrivate
    ) { _ in }
    let key = TrialKey(caseHash: subject.hash, targetHash: route.hash, repeatIndex: 0)
    var first = testAttempt(small, dollars: 0)
    first.decision = ["policy": "abc", "rule": ["index": 2, "name": "short"], "nanoseconds": 1500]
    var reply = testReply()
    reply.connection.bytesSent = 40
    var second = testAttempt(large, number: 2, cause: .escalation, reply: reply, dollars: 0.5)
    second.decision = ["policy": "abc", "rule": ["index": 2]]
    for attempt in [first, second] { recorder.receive(.attempt(attempt, key, request: testRequest)) }
    var trial = Trial(
      key: key, caseID: "one", target: "careful", status: .ok, errorClass: nil, attempts: [first, second],
      scores: [], duration: 5)
    trial.served = [1]
    trial.ending = ["step": "serve", "attempt": 1, "reason": "the later arm failed"]
    recorder.receive(.trial(trial, CaseFacts(subject)))
    try recorder.flush()
    return store
  }

  @Test func `A route's trial comes back with what was served and why it ended`() throws {
    let store = try write()
    let read = try store.run(matching: run().id)
    #expect(
      read.privacy?.maxBoundary[.public] == .thirdParty && read.privacy?.maxBoundary[.secret] == .device)
    #expect(read.privacy?.consentRequired == [.privateCloud])
    #expect(read.targets == run().targets && read.arms == run().arms)
    let trial = try #require(try store.allTrials(read).first)
    #expect(trial.servedNumbers == [1] && trial.served?.profile == "small")
    #expect(trial.attempts.map(trial.isServed) == [true, false])
    #expect(trial.ending?["reason"] == "the later arm failed")
    #expect(trial.signals == subject.signals && trial.expects == .block)
    #expect(trial.attempts[1].decision?["policy"] == "abc")
  }

  @Test func `The views tell the attempt log`() throws {
    _ = try write()
    let connection = try Connection(path: folder.database, access: .readOnly)
    func text(_ sql: String) throws -> String {
      let select = try connection.prepare(sql)
      var rows: [String] = []
      while try select.step() {
        rows.append((0..<Int32(select.names.count)).map { select.text($0) ?? "NULL" }.joined(separator: "|"))
      }
      return rows.joined(separator: "\n")
    }
    #expect(
      try text(
        """
        SELECT route, number, profile, cause, served, policy, rule, rule_name, decision_ms, bytes_sent
        FROM route_attempts
        """)
        == "careful|1|small|first|1|abc|2|short|0.0015|100\ncareful|2|large|escalation|0|abc|2|NULL|NULL|40")
    #expect(
      try text(
        "SELECT expects, fallbacks, escalations, left_device, served_attempt, ended_because FROM trial_results"
      )
        == "block|0|1|1|1|the later arm failed")
  }

  @Test func `What was spent is known by target`() throws {
    let store = try write()
    let spent = try store.spent(run().id)
    #expect(spent.keys.sorted() == ["careful"] && spent["careful"] == .some(.some(0.5)))
  }

  @Test func `A private run keeps signals but not long texts in them`() throws {
    let store = try write(isPrivate: true)
    let trial = try #require(try store.allTrials(run()).first)
    #expect(trial.signals["sensitivity"] == "secret")
    #expect(trial.signals["custom"]?["note"]?["bytes"] == 65)
    #expect(try store.caseContent(run().id, subject.hash) == nil)
  }

  @Test func `A profile's trial is served by its last attempt`() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    let key = testKey(subject, small)
    for number in [1, 2] {
      recorder.receive(.attempt(testAttempt(small, number: number), key, request: testRequest))
    }
    recorder.receive(.trial(testTrial(subject, small), CaseFacts(subject)))
    try recorder.flush()
    let trial = try #require(try store.allTrials(testRun()).first)
    #expect(trial.servedNumbers == nil && trial.served?.number == 2 && trial.ending == nil)
  }

  @Test func `A database of the first version is brought up to date with what is in it`() throws {
    do {
      try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: folder.database, contents: nil)
      let connection = try Connection(path: folder.database, access: .readWrite)
      try connection.execute(Schema.migrations[0])
      try connection.execute(
        "PRAGMA user_version = 1; PRAGMA application_id = \(Schema.applicationID)")
      try connection.execute(
        """
        INSERT INTO runs VALUES (1, 'old', NULL, 's', 's.json', '\(String(repeating: "0", count: 64))',
          '\(String(repeating: "1", count: 64))', 'finished', '1', 1, 1, 1, 1.0, 1, 2.0, '{}', 'live', NULL, 0, '0.1', 'm');
        INSERT INTO targets VALUES (1, 1, 0, 'small', 'profile', '\(String(repeating: "2", count: 64))', '{}');
        INSERT INTO sessions VALUES (1, 1, 1.0, 1, 1);
        INSERT INTO cases VALUES (1, 1, '\(String(repeating: "3", count: 64))', 'one', '[]', NULL, 0, NULL, NULL, NULL);
        INSERT INTO trials VALUES (1, 1, 1, 1, 0, 1, 'ok', NULL, 1.0, 1, NULL, 5);
        """)
    }
    let store = try RunStore(path: folder.database)
    let read = try store.run(matching: "old")
    #expect(read.privacy == nil && read.arms.isEmpty)
    let trial = try #require(try store.allTrials(read).first)
    #expect(trial.signals.isEmpty && trial.expects == .answer && trial.servedNumbers == nil)
  }
}
