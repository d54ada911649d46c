import EvalCore
import Testing

@testable import EvalSuites

@Suite struct RouteFormatTests {
  private let folder = Folder()

  private static let signals = [
    SignalDescriptor(
      name: "sensitivity", summary: "How private.", schema: ["type": "string"],
      fault: { $0.stringValue.flatMap(Sensitivity.init(rawValue:)) == nil ? "a sensitivity" : nil }),
    SignalDescriptor(
      name: "lowPower", summary: "Saving power.", schema: ["type": "boolean"],
      fault: { $0.boolValue == nil ? "true or false" : nil }),
  ]

  private static var vocabulary: SuiteVocabulary {
    var vocabulary = SuiteVocabulary.test
    vocabulary.signals = signals
    return vocabulary
  }

  private func text(routes: String = "{}", cases: String? = nil, more: String = "") -> String {
    let cases = cases ?? #"[{"input": "hi", "checks": [{"contains": "x"}]}]"#
    return """
      {"version": 1,
       "profiles": {"m": {"endpoint": "http://127.0.0.1:1", "model": "m", "price": "free"}},
       "routes": \(routes),
       "cases": \(cases)\(more)}
      """
  }

  private func read(_ suite: String) throws -> Suite {
    try folder.read(suite, vocabulary: Self.vocabulary)
  }

  private func problems(_ suite: String) -> [String] {
    do throws(Problems) {
      return folder.lines(try folder.read(suite, vocabulary: Self.vocabulary).findings)
    } catch {
      return folder.lines(error.all)
    }
  }

  @Test(arguments: [
    #"{"r": "policies/p.json"}"#, #"{"r": {"file": "policies/p.json"}}"#,
  ])
  func `A policy file keeps its own places`(_ routes: String) throws {
    folder.write("policies/p.json", "// mine\n{\n  \"policy\": \"p\",\n  \"rules\": []\n}\n")
    let route = try #require(try read(text(routes: routes)).routes.first)
    #expect(route.policy == ["policy": "p", "rules": []])
    let text = try #require(route.text)
    let root = text.parsed()
    let rules = try #require(root["rules"])
    #expect(text.path == "")
    let place = text.location(of: rules)
    #expect(place.file.hasSuffix("/policies/p.json") && place.line == 4 && place.column == 12)
    #expect(text.location(of: root).line == 2)
  }

  @Test func `A policy in place keeps the suite's places`() throws {
    let suite = try read(text(routes: #"{"r": {"policy": "p", "rules": [1]}}"#))
    let written = try #require(suite.routes.first?.text)
    #expect(written.path == "routes.r")
    let rule = try #require(written.parsed()["rules"]?[0])
    let place = written.location(of: rule)
    #expect(place.line == 3)
    #expect(place.column == 44)
  }

  @Test func `A policy file that is not there or is no object is refused at its place`() {
    folder.write("list.json", "[]")
    folder.write("bad.json", "{\n  oops }")
    let found = problems(text(routes: #"{"a": "none.json", "b": "list.json", "c": {"file": "bad.json"}}"#))
    #expect(found.count == 3)
    #expect(found.contains { $0.hasPrefix("suite.json:3:18: error: routes.a: there is no file") })
    #expect(found.contains { $0.hasPrefix("list.json:1:1: error: expected a policy, which is an object") })
    #expect(found.contains { $0.hasPrefix("bad.json:2:3: error:") })
  }

  @Test func `Privacy rules fill in what the standard leaves and are read back from their JSON`() throws {
    let standard = try read(text()).privacy
    #expect(standard == .standard)
    let more = """
      , "privacy": {"maxBoundary": {"private": "device", "unknown": "privateCloud"}, "consentRequired": []}
      """
    let own = try read(text(more: more)).privacy
    #expect(own.maxBoundary[.private] == .device && own.maxBoundary[.public] == .thirdParty)
    #expect(own.maxBoundary[.unknown] == .privateCloud && own.consentRequired.isEmpty)
    #expect(PrivacyRules(json: own.json) == own && PrivacyRules(json: .null).maxBoundary[.public] == .device)
    let wrong = problems(text(more: #", "privacy": {"maxBoundary": {"privat": "device", "secret": "moon"}}"#))
    #expect(wrong.count == 2)
    #expect(wrong.contains { $0.contains("'privat' is not a key") && $0.contains("did you mean 'private'") })
    #expect(wrong.contains { $0.contains("'device', 'privateCloud' or 'thirdParty'") })
  }

  @Test func `What content may travel where`() {
    let rules = PrivacyRules.standard
    func allows(_ boundary: Boundary?, _ signals: JSONObject) -> Bool {
      rules.allows(boundary, signals: signals)
    }
    #expect(allows(.device, [:]) && !allows(.privateCloud, [:]))
    #expect(allows(.privateCloud, ["sensitivity": "private"]))
    #expect(!allows(.privateCloud, ["sensitivity": "secret"]))
    #expect(!allows(.thirdParty, ["sensitivity": "public"]))
    #expect(allows(.thirdParty, ["sensitivity": "public", "consent": true]))
    #expect(allows(.thirdParty, ["sensitivity": "public", "consent": ["thirdParty"]]))
    #expect(!allows(.thirdParty, ["sensitivity": "public", "consent": ["privateCloud"]]))
    // Nobody knows how far an arm without a boundary is.
    #expect(!allows(nil, ["sensitivity": "private", "consent": true]))
    #expect(!allows(.privateCloud, ["sensitivity": "odd"]))
  }

  @Test func `A case may want a refusal or a block, and then needs no check`() throws {
    let suite = try read(
      text(cases: #"[{"id": "a", "input": "hi", "expects": "block"}, {"input": "x", "expects": "refusal"}]"#))
    #expect(suite.findings.isEmpty)
    #expect(try suite.cases.load(0).expects == .block)
    let plain = Case(id: "a", turns: [Turn(content: [.text("hi")])])
    let block = try suite.cases.load(0)
    #expect(block.hash == plain.hash && block.checksHash != plain.checksHash)
    #expect(
      problems(text(cases: #"[{"input": "hi", "expects": "blok"}]"#)).first?
        .contains("did you mean 'block'") == true)
  }

  @Test func `Signals are checked by name and value, and custom ones are free`() throws {
    let right = """
      [{"input": "a", "signals": {"sensitivity": "secret", "lowPower": true, "custom": {"any": [1]}},
        "checks": [{"contains": "x"}]}]
      """
    #expect(try read(text(cases: right)).cases.load(0).signals["custom"]?["any"] == [1])
    let wrong = """
      [{"id": "one", "input": "a", "checks": [{"contains": "x"}],
        "signals": {"sensitivty": "secret", "lowPower": "yes", "custom": 3}}]
      """
    let found = problems(text(cases: wrong))
    #expect(found.count == 3)
    #expect(
      found[0]
        == "suite.json:5:15: error: cases[0].signals.sensitivty: 'sensitivty' is not a signal (did you mean 'sensitivity'?)"
    )
    #expect(found[1].contains("expected true or false, found the string \"yes\""))
    #expect(found[2].contains("expected an object of signals of your own, found 3"))
  }

  @Test func `Columns of a case file become typed signals, and custom ones their own object`() throws {
    folder.write(
      "cases.csv", "id,input,power,plan\na,hello,true,gold\nb,there,maybe,\n")
    let cases = """
      {"file": "cases.csv", "fields": {"id": "id", "input": "input", "signals.lowPower": "power",
        "signals.custom.plan": "plan"}, "defaults": {"checks": [{"contains": "x"}]}}
      """
    let found = problems(text(cases: cases))
    #expect(found.count == 1 && found[0].contains("cases.csv:3:9"))
    folder.write("cases.csv", "id,input,power,plan\na,hello,true,gold\n")
    let subject = try read(text(cases: cases)).cases.load(0)
    #expect(subject.signals == ["lowPower": true, "custom": ["plan": "gold"]])
  }

  @Test func `The schema knows the signals that are handed in`() {
    let schema = SuiteSchema.json(vocabulary: Self.vocabulary)
    let signals = schema["$defs"]?["signals"]
    #expect(signals?["properties"]?.objectValue?.keys == ["sensitivity", "lowPower", "custom"])
    #expect(signals?["additionalProperties"] == false)
  }
}

@Suite struct OfflineWorldTests {
  @Test(arguments: [Boundary.device, .privateCloud, .thirdParty, nil])
  func `Offline stops what goes beyond the device`(_ boundary: Boundary?) {
    #expect(OfflineWorld.stops(boundary, signals: ["network": "offline"]) == (boundary != .device))
    #expect(!OfflineWorld.stops(boundary, signals: ["network": "constrained"]))
    #expect(!OfflineWorld.stops(boundary, signals: [:]))
  }

  @Test func `A call that did not leave has sent nothing and says why`() {
    let reply = OfflineWorld.reply(at: 5, provenance: .live)
    #expect(reply.outcome.error?.kind == .network && reply.outcome.error?.retryable == false)
    #expect(reply.connection.bytesSent == 0 && reply.notes == [OfflineWorld.note])
    #expect(reply.timeline.start == 5 && reply.timeline.done == 5)
  }
}
