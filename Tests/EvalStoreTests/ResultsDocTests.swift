import EvalCore
import Foundation
import Testing

@testable import EvalStore

/// Holds `Docs/Results.md` against the database.
@Suite struct ResultsDocTests {
  private static let page: [Substring] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/Results.md")
    return ((try? String(contentsOf: path, encoding: .utf8)) ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
  }()

  @Test func queriesGiveWhatThePageShows() throws {
    let folder = Folder()
    try ResultsDocTests.fill(folder.database)
    let connection = try Connection(path: folder.database, access: .readOnly)
    let queries = ResultsDocTests.fences("sql")
    let answers = ResultsDocTests.fences("text")
    #expect(queries.count == answers.count)
    #expect(queries.count >= 8)
    for (query, answer) in zip(queries, answers) {
      #expect(try connection.table(query) == answer, "\(query)")
    }
  }

  @Test func everyColumnIsDescribedAndEveryDescriptionIsOfAColumn() throws {
    let folder = Folder()
    _ = try RunStore(path: folder.database)
    let connection = try Connection(path: folder.database, access: .readOnly)
    let select = try connection.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    var names: Set<String> = []
    while try select.step() { names.insert(select.text(0) ?? "") }
    var described = ResultsDocTests.describedColumns()
    described["attempt_stamps", default: []].formUnion(described["attempts"] ?? [])
    #expect(Set(described.keys) == names)
    for name in names {
      let columns = try connection.prepare("SELECT name FROM pragma_table_info(?1)")
      columns.bind([.text(name)])
      var found: Set<String> = []
      while try columns.step() { found.insert(columns.text(0) ?? "") }
      #expect(described[name] == found, "\(name)")
    }
  }

  /// The contents of the fenced blocks of a language.
  private static func fences(_ language: String) -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    for line in page {
      if let lines = block {
        if line == "```" {
          blocks.append(lines.joined(separator: "\n"))
          block = nil
        } else {
          block = lines + [line]
        }
      } else if line == "```\(language)" {
        block = []
      }
    }
    return blocks
  }

  /// The names in the first cell of each row of the tables, by the heading above.
  private static func describedColumns() -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    var heading: String?
    for line in page {
      if line.hasPrefix("### ") { heading = String(line.dropFirst(4)) }
      guard let heading, line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
      let names = cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element)
      }
      columns[heading, default: []].formUnion(names)
    }
    return columns
  }
}

extension Connection {
  /// A query's rows as the `sqlite3` tool shows them with `-header`.
  fileprivate func table(_ sql: String) throws -> String {
    let select = try prepare(sql)
    var lines = [select.names.joined(separator: "|")]
    while try select.step() {
      lines.append((0..<Int32(select.names.count)).map { select.text($0) ?? "" }.joined(separator: "|"))
    }
    return lines.joined(separator: "\n")
  }
}

extension ResultsDocTests {
  /// The database of the page: 21 cases on a small profile on the device and a large one elsewhere, whose last trial
  /// fails; before it one warm-up call, and a first process that was stopped in the middle of a trial.
  fileprivate static func fill(_ path: String) throws {
    let small = testProfile("small")
    var large = testProfile("large")
    large.boundary = .thirdParty
    let store = try RunStore(path: path)
    let run = testRun(profiles: [small, large])
    var recorder = try store.record(run)
    let subjects = (1...21).map { testCase($0 < 10 ? "case-0\($0)" : "case-\($0)") }
    var warm = testAttempt(small, dollars: 0)
    warm.phase = .warmup
    let warmKey = TrialKey(
      caseHash: ContentHash(of: "warm", kind: "warmup"), targetHash: small.hash, repeatIndex: 0)
    recorder.receive(.attempt(warm, warmKey, request: testRequest))
    var cut = testAttempt(large, dollars: nil)
    cut.cost.isLowerBound = true
    recorder.receive(.attempt(cut, testKey(subjects[0], large), request: testRequest))
    try recorder.flush()
    recorder = try store.recorder(run: run, redactor: noSecrets, isPrivate: false) { _ in }
    for (index, subject) in subjects.enumerated() {
      let ttft = index == 20 ? 200 : Int64(10 + index)
      let passes = index >= 6
      let score = Score(
        check: "exact", kind: "exact",
        judgement: .scored(value: passes ? 1 : index == 5 ? 1 : 0, passed: passes))
      recorder.record(
        subject, small, reply: reply(ttft, isCold: index == 20, text: passes ? "an answer" : "no answer"),
        scores: [score])
      if index < 20 {
        let ttft = index < 18 ? Int64(41 + index) : Int64(index - 14) * 100
        recorder.receive(
          .attempt(
            testAttempt(large, reply: reply(ttft, isCold: index >= 18), dollars: 0.275),
            testKey(subject, large), request: testRequest))
        recorder.receive(.trial(testTrial(subject, large), CaseFacts(subject)))
      }
    }
    fail(subjects[20], large, recorder)
    try recorder.flush()
  }

  private static func reply(_ ttft: Int64, isCold: Bool, text: String = "an answer") -> ProviderReply {
    var reply = testReply(text: text)
    reply.connection.isCold = isCold
    reply.timeline.firstContent = 2_000_000_000 + ttft * 1_000_000
    reply.timeline.lastToken = 2_000_000_000 + ttft * 1_000_000 + 40_000_000
    return reply
  }

  private static func fail(_ subject: Case, _ profile: Profile, _ recorder: Recorder) {
    let key = testKey(subject, profile)
    let limited = ProviderReply(outcome: .failed(ProviderError(.rateLimited, "slow down", status: 429)))
    recorder.receive(.attempt(testAttempt(profile, reply: limited, dollars: 0), key, request: testRequest))
    let broken = ProviderReply(outcome: .failed(ProviderError(.serverError, "out of order", status: 500)))
    var again = testAttempt(
      profile, number: 2, cause: .retry(.rateLimited), reply: broken, dollars: nil)
    again.wait = 1_500_000_000
    recorder.receive(.attempt(again, key, request: testRequest))
    var trial = testTrial(
      subject, profile, status: .failed,
      scores: [Score(check: "exact", kind: "exact", judgement: .unscored(.noAnswer, "the call failed"))])
    trial.errorClass = .serverError
    recorder.receive(.trial(trial, CaseFacts(subject)))
  }
}
