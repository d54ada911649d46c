import EvalAnalysis
import EvalCore
import Testing

@testable import EvalReports

/// What a page holds of the cases of a run, and that nothing in it can break out.
@Suite struct CaseExplorerTests {
  static let hostile =
    "</script><script>alert(1)</script><img src=x onerror=alert(1)> & <!-- \u{2028}\u{2029} \u{202E}txet \u{0}\u{FFFE}"

  /// The section of a run, piece by piece.
  static func pieces(
    _ source: SampleRun, limits: CaseLimits = CaseLimits(),
    answer: @escaping (TrialKey) -> String = { _ in hostile },
    content: JSONValue? = ["turns": [[["text": .string(hostile)]]], "reference": "Paris"]
  ) throws -> [String] {
    let words =
      source.run.isPrivate
      ? nil
      : { (key: TrialKey) in
        Dictionary(
          uniqueKeysWithValues: (1...5).map {
            (
              $0,
              AttemptTexts(
                request: ["messages": [["role": "user", "content": .string(hostile)]]], answer: answer(key),
                reasoning: "thought",
                toolCalls: [ToolCall(id: "1", name: "f", arguments: ["x": .string(hostile)])],
                refusal: nil)
            )
          })
      }
    let input = ReportInput(
      summary: try RunSummary.make(from: source), source: source, texts: words,
      content: source.run.isPrivate ? nil : { _ in content })
    var pieces: [String] = []
    try CaseExplorer(input: input, limits: limits).write { pieces.append($0) }
    return pieces
  }

  /// The JSON of the page's data blocks by id, as a browser would find them.
  static func blocks(_ page: String) throws -> [String: JSONValue] {
    var blocks: [String: JSONValue] = [:]
    var rest = page[...]
    while let start = rest.firstRange(of: "<script type=\"application/json\" id=\"") {
      rest = rest[start.upperBound...]
      let id = String(rest.prefix { $0 != "\"" })
      let body = try #require(rest.firstRange(of: "\">")).upperBound
      let end = try #require(rest.firstRange(of: "</script>")).lowerBound
      blocks[id] = try JSONValue.parse(String(rest[body..<end]))
      rest = rest[end...]
    }
    return blocks
  }

  @Test func everyCaseOfASmallRunOpens() throws {
    let source = SampleRun.live()
    let page = try Self.pieces(source).joined()
    let blocks = try Self.blocks(page)
    let rows = try #require(blocks["case-index"]?["rows"]?.arrayValue)
    #expect(rows.count == 40 && blocks.count == 41 && page.contains("All 40 cases are here."))
    for (index, row) in rows.enumerated() {
      let details = try #require(blocks["case-data-\(index)"])
      #expect(details["id"] == row[0])
      #expect(details["trials"]?.arrayValue?.count == 6 && details["left"] == 0)
    }
  }

  @Test func nothingBreaksOut() throws {
    let page = try Self.pieces(.live()).joined()
    let blocks = try Self.blocks(page)
    // What the browser finds is what was there, and in the source of the page nothing of it is code.
    let details = try #require(blocks["case-data-0"])
    #expect(details["input"]?["turns"]?[0] == .string(Self.hostile))
    #expect(details["trials"]?[0]?["attempts"]?[0]?["answer"] == .string(Self.hostile))
    #expect(!page.contains("alert(1)</script>") && !page.contains("<img") && !page.contains("<!--"))
    #expect(!page.contains("\u{2028}") && !page.contains("\u{2029}"))
    #expect(!page.contains("\\ud"), "no half of a pair")
    #expect(page.ranges(of: "<script").count == blocks.count)
    #expect(page.ranges(of: "</script>").count == blocks.count)
    #expect(page.contains("lab|beta \\u003cb\\u003e"))
  }

  @Test func theSameRowsGiveTheSameBytes() throws {
    var limits = CaseLimits()
    limits.listBytes = 2000
    let once = try Self.pieces(.live(), limits: limits)
    #expect(try Self.pieces(.live(), limits: limits) == once)
  }

  @Test func privateRunsShowNoText() throws {
    var source = SampleRun.live()
    source.run.isPrivate = true
    let page = try Self.pieces(source).joined()
    #expect(!page.contains("alert") && page.contains("The run is private"))
    let details = try #require(try Self.blocks(page)["case-data-0"])
    #expect(details["input"] == nil && details["trials"]?[0]?["attempts"]?[0]?["answer"] == nil)
    #expect(details["trials"]?[0]?["attempts"]?[0]?["at"] != nil)
  }

  @Test func aListThatIsFullSaysHowManyOfHowMany() throws {
    var limits = CaseLimits()
    limits.listBytes = 3000
    limits.detailBytes = 60_000
    let page = try Self.pieces(.live(), limits: limits).joined()
    let blocks = try Self.blocks(page)
    let rows = try #require(blocks["case-index"]?["rows"]?.arrayValue)
    #expect(rows.count > 5 && rows.count < 40 && blocks.count - 1 < rows.count && blocks.count > 1)
    #expect(page.contains("\(rows.count) of 40 cases are listed, and \(blocks.count - 1) of them open here"))
    #expect(page.contains("evalrun show 20261130-071533-k3f9 CASE"))
    let written = rows.map { $0.serialized().utf8.count }.reduce(0, +)
    #expect(written <= 3000)
    // Those that open are the first of the list.
    for index in 0..<blocks.count - 1 { #expect(blocks["case-data-\(index)"] != nil) }
  }

  @Test func mustPassAndLeaksComeBeforeEverything() throws {
    var limits = CaseLimits()
    limits.listBytes = 300
    let routed = try Self.blocks(Self.pieces(.routed(), limits: limits).joined())
    let rows = try #require(routed["case-index"]?["rows"]?.arrayValue)
    #expect(rows.first?[0] == "private-letter", "\(rows)")
    let story = try #require(routed["case-data-0"]?["trials"]?[1])
    #expect(story["leaks"]?[0]?.stringValue?.contains("LEAK in attempt 2") == true)
    #expect(story["story"]?.arrayValue?.isEmpty == false)
  }

  @Test func longTextsAreCutAndSaySo() throws {
    var limits = CaseLimits()
    limits.textBytes = 1001
    let long = String(repeating: "é", count: 2000)
    let blocks = try Self.blocks(Self.pieces(.live(), limits: limits, answer: { _ in long }).joined())
    let answer = try #require(blocks["case-data-0"]?["trials"]?[0]?["attempts"]?[0]?["answer"])
    // Not in the middle of a letter.
    #expect(answer["text"]?.stringValue == String(repeating: "é", count: 500) && answer["bytes"] == 4000)
  }

  @Test func aCaseHasAnAllowance() throws {
    var limits = CaseLimits()
    limits.caseBytes = 10_000
    let long = String(repeating: "word ", count: 1500)
    let pieces = try Self.pieces(.live(), limits: limits, answer: { _ in long })
    let largest = try #require(pieces.filter { $0.contains("id=\"case-data-") }.map(\.utf8.count).max())
    #expect(largest < 40_000, "\(largest)")
  }

  /// The writers of files redact piece by piece.
  @Test(arguments: ["sk-\"quoted\"-key", "sk-<&>-key", "sk-塔-key\\n", "sk-line\u{2028}end"])
  func aSecretIsRedactedInTheData(secret: String) throws {
    let redactor = Redactor(secrets: [secret])
    let long = String(repeating: "x", count: 700)
    let page = try Self.pieces(.live(), answer: { _ in "\(long) \(secret) \(long)" })
      .map { redactor.redact($0) }.joined()
    let answer = try #require(
      try Self.blocks(page)["case-data-0"]?["trials"]?[0]?["attempts"]?[0]?["answer"]?.stringValue)
    #expect(answer == "\(long) \(Redactor.mark) \(long)")
  }

  @Test func stampsCountFromTheFirstSchedule() throws {
    let blocks = try Self.blocks(Self.pieces(.routed()).joined())
    let details = try #require(blocks.values.first { $0["id"] == "broken" })
    let attempts = try #require(details["trials"]?[1]?["attempts"]?.arrayValue)
    #expect(attempts.count == 2 && attempts[1]["cause"] == "fallback:serverError")
    #expect(attempts[0]["at"]?["scheduled"] == 0 && attempts[0]["at"]?["firstToken"] == 20)
    #expect(attempts[0]["at"]?["end"] == 110 && attempts[1]["at"]?["end"] == 120)
    #expect(attempts.map { $0["served"] } == [nil, true])
    #expect(attempts[1]["boundary"] == "thirdParty" && attempts[1]["bytes"] == 512)
  }
}

/// How the cases of a page are chosen.
@Suite struct CaseSampleTests {
  @Test func aShortlistIsTheLongestBeginningThatFits() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<200 {
      let items = (0..<40).map { (rank: UInt64($0), size: 1 + random.below(30)) }
      let budget = random.below(300)
      var shuffled = items
      random.shuffle(&shuffled)
      var list = Shortlist<UInt64>(budget: budget)
      for item in shuffled { list.offer(item.rank, .init(first: item.rank), size: item.size) }
      var left = budget
      let expected = items.prefix { item in
        left -= item.size
        return left >= 0
      }
      #expect(list.items == expected.map(\.rank))
    }
  }

  @Test func theLineOfTheSlowIsThePercentile() throws {
    var random = SeededRandom(seed: 11)
    var line = SlowLine()
    var times: [Int64] = []
    for _ in 0..<5000 {
      let time = Int64(1_000_000 + random.below(3_000_000_000))
      times.append(time)
      line.add(time)
    }
    let exact = times.sorted()[Int((5000 * 0.95).rounded(.up)) - 1]
    let found = try #require(line.nanoseconds)
    #expect(found >= exact && Double(found) <= Double(exact) * (1 + 1.0 / 64), "\(found) for \(exact)")
  }

  @Test func equalTimesAreNotSlow() {
    var line = SlowLine()
    for _ in 0..<19 { line.add(5_000_000) }
    #expect(line.nanoseconds == nil)
    line.add(5_000_000)
    #expect(line.nanoseconds.map { $0 >= 5_000_000 } == true)
    line.add(-1)
    line.add(.max)
    #expect(line.nanoseconds != nil)
  }

  private static func trial(
    _ id: String, _ target: String, status: TrialStatus = .ok, passed: Bool?, value: Double?
  ) -> TrialRecord {
    TrialRecord(
      key: TrialKey(
        caseHash: SampleRun.hash(id, "case"), targetHash: SampleRun.hash(target, "t"), repeatIndex: 0),
      caseID: id, tags: [], cluster: nil, mustPass: false, target: target, status: status, errorClass: nil,
      score: TrialScore(value: value, passed: passed, unscored: value == nil ? .noAnswer : nil), duration: 5,
      attempts: [], scores: [])
  }

  @Test func kinds() {
    func kinds(_ left: TrialRecord, _ right: TrialRecord) -> [CaseKind] {
      var row = CaseRow(left, targets: 2)
      row.add(left, target: 0, leaks: 0)
      row.add(right, target: 1, leaks: 0)
      return CaseKind.allCases.filter { row.kinds.contains($0) }
    }
    let good = Self.trial("a", "x", passed: true, value: 1)
    #expect(kinds(good, Self.trial("a", "y", passed: true, value: 0.6)) == [])
    #expect(kinds(good, Self.trial("a", "y", passed: true, value: 0.5)) == [.disagree])
    #expect(kinds(good, Self.trial("a", "y", passed: false, value: 0.9)) == [.failed, .disagree])
    #expect(kinds(good, Self.trial("a", "y", status: .failed, passed: nil, value: nil)) == [.failed, .broke])
    #expect(kinds(good, Self.trial("a", "y", status: .refused, passed: nil, value: nil)) == [.refused])
    #expect(kinds(good, Self.trial("a", "y", passed: nil, value: nil)) == [.unscored])
  }

  /// Where many fail and few are slow or fine, each kind is still there, and the draw does not look at the order.
  @Test func everyKindHasItsTurn() {
    func sample(_ ids: [Int]) -> [CaseSample.Entry] {
      var limits = CaseLimits()
      limits.listBytes = 4000
      limits.slowest = 5
      var sample = CaseSample(limits: limits, seed: 9)
      for id in ids {
        let isFine = id % 50 == 0
        var row = CaseRow(Self.trial("c\(id)", "x", passed: isFine, value: isFine ? 1 : 0), targets: 1)
        var trial = Self.trial("c\(id)", "x", passed: isFine, value: isFine ? 1 : 0)
        var attempt = AttemptRecord(
          turn: 0, step: 0, number: 1, phase: .measured, profile: "x", boundary: .device, cause: "first",
          outcome: "ok", errorClass: nil, provenance: .live, inFlight: 1, wait: 0, timeline: Timeline(),
          usage: nil, cost: Cost(dollars: 0))
        attempt.timeline.start = 0
        attempt.timeline.terminal = Int64(id)
        trial.attempts = [attempt]
        row.add(trial, target: 0, leaks: 0)
        sample.offer(row)
      }
      #expect(sample.cases == 2000 && sample.counts == [.failed: 1960])
      return sample.chosen
    }
    let chosen = sample(Array(0..<2000))
    let fine = chosen.filter { $0.kinds.isEmpty }.count
    #expect(fine > 30 && fine < 60 && chosen.count - fine > 30, "\(fine) of \(chosen.count)")
    let slow = Set([1999, 1998, 1997, 1996, 1995].map { SampleRun.hash("c\($0)", "case") })
    #expect(slow.isSubset(of: chosen.map(\.hash)))
    #expect(sample((0..<2000).reversed()).map(\.hash) == chosen.map(\.hash))
  }
}
