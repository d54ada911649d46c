import EvalAnalysis
import EvalCore
import Foundation
import Testing

@testable import EvalReports

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What somebody else's XML parser finds in a JUnit file.
private final class JUnitReader: NSObject, XMLParserDelegate {
  var suites: [[String: String]] = []
  var cases: [(suite: Int, attributes: [String: String], outcome: String, message: String, body: String)] = []
  private var text = ""

  static func read(_ xml: String) throws -> JUnitReader {
    let reader = JUnitReader()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = reader
    try #require(parser.parse(), "\(String(describing: parser.parserError)) at line \(parser.lineNumber)")
    return reader
  }

  func parser(
    _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
    attributes: [String: String]
  ) {
    text = ""
    switch name {
    case "testsuite": suites.append(attributes)
    case "testcase": cases.append((suites.count - 1, attributes, "passed", "", ""))
    case "failure", "error", "skipped":
      cases[cases.count - 1].outcome = name
      cases[cases.count - 1].message = attributes["message"] ?? ""
    default: break
    }
  }

  func parser(_: XMLParser, foundCharacters characters: String) { text += characters }

  func parser(_: XMLParser, didEndElement name: String, namespaceURI _: String?, qualifiedName _: String?) {
    if ["failure", "error"].contains(name) { cases[cases.count - 1].body = text }
  }

  func count(_ suite: Int, _ outcome: String) -> String {
    String(cases.count { $0.suite == suite && $0.outcome == outcome })
  }
}

@Suite struct JUnitTests {
  private func rendered(_ source: SampleRun, answer: String? = nil) throws -> String {
    let input = ReportInput(
      summary: try RunSummary.make(from: source), source: source,
      texts: answer.map { answer in
        { _ in
          [1: AttemptTexts(request: nil, answer: answer, reasoning: nil, toolCalls: [], refusal: nil)]
        }
      })
    var text = ""
    try ReportFormat.junit.render(input, ReportOptions()) { text += $0 }
    return text
  }

  @Test func totalsAreWhatIsThere() throws {
    let sample = SampleRun.live()
    let reader = try JUnitReader.read(rendered(sample))
    #expect(
      reader.suites.map { $0["name"] }.prefix(3) == [
        "support: on-device", "support: cloud", "support: lab|beta <b>",
      ])
    for (number, suite) in reader.suites.prefix(3).enumerated() {
      let cases = reader.cases.filter { $0.suite == number }
      #expect(suite["tests"] == "40" && cases.count == 40)
      #expect(Set(cases.map { $0.attributes["name"] }).count == 40)
      #expect(suite["failures"] == reader.count(number, "failure") && suite["failures"] != "0")
      #expect(suite["errors"] == reader.count(number, "error"))
      #expect(suite["skipped"] == reader.count(number, "skipped"))
      #expect(suite["timestamp"] == "2026-11-30T07:15:33")
      let total = cases.compactMap { Double($0.attributes["time"] ?? "") }.reduce(0, +)
      #expect(abs(total - (Double(suite["time"] ?? "") ?? 0)) < 0.05)
    }
    #expect(reader.cases.contains { $0.outcome == "error" && $0.message.contains("stallTimeout") })
    #expect(reader.cases.contains { $0.message.contains("1 of 2 repeats passed; names the city failed") })
  }

  /// What one trial is in CI.
  @Test(arguments: [
    (TrialStatus.ok, ErrorClass?.none, Judgement?.some(.verdict(true)), "passed", ""),
    (.ok, nil, .some(.verdict(false)), "failure", "right failed: looked for 'x'"),
    (.ok, nil, .some(.scored(value: 0.4, passed: nil)), "passed", ""),
    (.ok, nil, .some(.unscored(.graderFailed, "exit code 3")), "error", "could not be judged: exit code 3"),
    (.ok, nil, .some(.unscored(.notMeasured, "a recording")), "skipped", "a recording"),
    (.ok, nil, .none, "skipped", "no check looks at it"),
    (.refused, nil, .some(.unscored(.noAnswer, "refused")), "failure", "refused"),
    (.refused, nil, .some(.verdict(true)), "passed", ""),
    (.empty, nil, .some(.unscored(.noAnswer, "empty")), "failure", "empty"),
    (.blocked, nil, .some(.unscored(.noAnswer, "nothing is allowed")), "skipped", "nothing is allowed"),
    (.failed, .network, .some(.unscored(.noAnswer, "")), "error", "network: connection refused"),
    (.failed, .notFound, .some(.unscored(.noAnswer, "")), "error", "notFound"),
    (.failed, .contextSizeExceeded, .some(.unscored(.noAnswer, "")), "failure", "contextSizeExceeded"),
  ])
  func oneTrial(
    status: TrialStatus, kind: ErrorClass?, judgement: Judgement?, outcome: String, message: String
  ) throws {
    var sample = one()
    sample.trials[0].status = status
    sample.trials[0].errorClass = kind
    sample.trials[0].attempts[0].errorMessage = kind.map { _ in "connection refused" }
    sample.trials[0].scores =
      judgement.map {
        [
          ScoreRecord(
            check: "right", kind: "contains", weight: 1, turn: nil, judgement: $0,
            explanation: "looked for 'x'")
        ]
      } ?? []
    sample.rescore()
    let found = try #require(try JUnitReader.read(rendered(sample)).cases.first)
    #expect(found.outcome == outcome && (message.isEmpty || found.message.contains(message)), "\(found)")
  }

  /// One case, one target, one repeat.
  private func one(repeats: Int = 1) -> SampleRun {
    var sample = SampleRun.live()
    sample.run.settings = [:]
    sample.run.repeats = repeats
    sample.run.targets = [sample.run.targets[0]]
    sample.run.plannedTrials = repeats
    sample.run.caseCount = 1
    sample.trials = Array(sample.trials.filter { $0.target == SampleRun.device }.prefix(repeats))
    return sample
  }

  @Test func trialsThatNeverRanAreAnError() throws {
    var sample = one(repeats: 2)
    sample.run.plannedTrials = 10
    sample.run.caseCount = 5
    sample.run.status = .interrupted
    sample.trials.removeLast()
    let reader = try JUnitReader.read(rendered(sample))
    #expect(reader.cases.count == 2 && reader.suites[0]["tests"] == "2")
    #expect(reader.cases[0].message.contains("1 not finished") || reader.cases[0].outcome == "failure")
    #expect(
      reader.cases[1].outcome == "error" && reader.cases[1].message.contains("9 of 10 trials did not finish"))
  }

  @Test(arguments: [
    ("plain", "plain"), ("a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"), ("]]>", "]]&gt;"),
    ("\u{0}\u{8}\u{B}\u{1B}[31m", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}[31m"),
    ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"),
    ("\u{85}\u{9F}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("a\tb\nc\r", "a&#9;b&#10;c&#13;"),
    ("é 塔 🙂 \u{1FFFE}", "é 塔 🙂 \u{1FFFE}"),
  ])
  func onlyWhatXMLHolds(text: String, escaped: String) {
    #expect(XMLText.escape(text) == escaped)
  }

  @Test func wordsOfStrangersStayWords() throws {
    var sample = one()
    let nasty =
      "<failure>]]>&amp;\u{1B}[31m\u{0}\u{FFFE}\"'\r\n\t塔🙂"
      + String(decoding: [0xC3, 0x28, 0xFF], as: UTF8.self)
    sample.trials[0].caseID = nasty
    sample.trials[0].scores = [
      ScoreRecord(
        check: nasty, kind: "contains", weight: 1, turn: nil, judgement: .verdict(false), explanation: nasty)
    ]
    sample.rescore()
    sample.run.suiteName = nasty
    sample.run.targets[0].name = "gpt-4.1"
    sample.trials[0].target = "gpt-4.1"
    let reader = try JUnitReader.read(rendered(sample, answer: nasty))
    #expect(reader.suites.count == 1 && reader.cases.count == 1)
    let found = reader.cases[0]
    #expect(found.outcome == "failure" && found.body.contains("<failure>]]>&amp;\u{FFFD}[31m"))
    #expect(found.attributes["name"]?.contains("\"'\r\n\t塔🙂") == true)
    #expect(found.attributes["classname"]?.hasSuffix(".gpt-4_1") == true)
  }

  @Test func aHugeAnswerIsShownByItsBeginning() throws {
    var sample = one()
    sample.trials[0].scores = [
      ScoreRecord(
        check: "right", kind: "contains", weight: 1, turn: nil, judgement: .verdict(false),
        explanation: String(repeating: "y", count: 100_000))
    ]
    sample.rescore()
    let text = try rendered(sample, answer: String(repeating: "é🙂", count: 1_000_000))
    #expect(text.utf8.count < 30_000)
    #expect(try JUnitReader.read(text).cases[0].body.contains("the first 2,000 characters of 2,000,000"))
  }

  @Test func manyRepeatsAreToldOfByTheFirst() throws {
    var sample = one(repeats: 2)
    sample.run.repeats = 40
    let first = sample.trials[0]
    sample.trials = (0..<40).map { index in
      var trial = first
      trial.key.repeatIndex = index
      trial.scores = [
        ScoreRecord(
          check: "right", kind: "contains", weight: 1, turn: nil, judgement: .verdict(index < 10),
          explanation: nil)
      ]
      return trial
    }
    sample.rescore()
    let found = try #require(try JUnitReader.read(rendered(sample)).cases.first)
    #expect(found.message == "10 of 40 repeats passed; right failed")
    #expect(
      found.body.contains("repeat 11 of 40") && found.body.hasSuffix("and 25 more repeats"), "\(found.body)")
  }
}

extension SampleRun {
  /// Takes the trials' scores together again.
  fileprivate mutating func rescore() {
    for place in trials.indices {
      trials[place].score = TrialScore(
        trials[place].scores.map {
          Score(check: $0.check, kind: $0.kind, weight: $0.weight, judgement: $0.judgement)
        })
    }
  }
}
