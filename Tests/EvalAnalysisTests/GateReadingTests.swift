import EvalCore
import Testing

@testable import EvalAnalysis

/// The grammar of gates: what is read, and what is refused with which words.
@Suite struct GateReadingTests {
  static func read(_ text: String) throws(GateProblem) -> GateSpec {
    try GateSpec.read(text, measures: MeasureRegistry.infos)
  }

  @Test(arguments: [
    ("score >= 0.8", "score", GateSpec.Demand.bound(.atLeast, 0.8)),
    ("passRate>=80%", "passRate", .bound(.atLeast, 0.8)),
    ("score => 0.8", "score", .bound(.atLeast, 0.8)),
    ("latency.p95 ≤ 3s", "latency.p95", .bound(.atMost, 3000)),
    ("firstToken.p50 <= 400ms", "firstToken.p50", .bound(.atMost, 400)),
    ("userLatency.p90 < 2m", "userLatency.p90", .bound(.below, 120_000)),
    ("costPerCase <= $0.002", "costPerCase", .bound(.atMost, 0.002)),
    ("cloudShare <= 0.4", "cloudShare", .bound(.atMost, 0.4)),
    ("tokensPerSecond.p50 > 20", "tokensPerSecond.p50", .bound(.above, 20)),
    ("score not worse than cloud by 0.05", "score", .notWorse(than: .target("cloud"), by: 0.05)),
    ("passRate not worse than baseline by 3%", "passRate", .notWorse(than: .baseline, by: 0.03)),
    ("latency not worse than baseline by 10%", "latency", .notWorse(than: .baseline, by: 0.1)),
    (
      "costPerCase not worse than cloud by 0.001", "costPerCase", .notWorse(than: .target("cloud"), by: 0.001)
    ),
    ("passes >= 4 of 5", "passes", .passes(least: 4, of: 5)),
  ])
  func demands(text: String, measure: String, demand: GateSpec.Demand) throws {
    let gate = try Self.read(text)
    #expect(gate.measure == measure && gate.demand == demand && gate.rule == text)
    #expect(gate.targets.isEmpty && gate.tag == nil && gate.caseID == nil && !gate.isPoint)
  }

  @Test func whereItHolds() throws {
    let gate = try Self.read(" check.\"is polite\" >= 0.9 for on-device, 'my cloud' tag math case c1 point ")
    #expect(gate.measure == "check" && gate.check == "is polite")
    #expect(gate.targets == ["on-device", "my cloud"] && gate.tag == "math" && gate.caseID == "c1")
    #expect(gate.isPoint)
    #expect(gate.rule.hasPrefix("check") && gate.rule.hasSuffix("point"))
  }

  @Test(
    arguments: [
      ("", "the rule is empty", nil),
      (">= 3", "begins with a measure", nil),
      ("scor >= 0.8", "'scor' is not a measure", "did you mean 'score'?"),
      ("score", "after 'score' comes", nil),
      ("score >=", "a limit such as 0.8 is missing before the end", nil),
      ("score >= 80", "'score' is in 0…1", "write 80%"),
      ("score >= much", "'much' is not a limit", nil),
      ("score >= nan", "'nan' is not a limit", nil),
      ("score = 0.8", "never known to equal", "use >= or <="),
      ("score >= 0", "can never fail", nil),
      ("errorRate <= 100%", "can never fail", nil),
      ("score > 1", "can never be that", nil),
      ("passRate >= 1", "an interval never reaches 1", nil),
      ("errorRate <= 0", "an interval never reaches 0", nil),
      ("latency.p95 <= 3", "the time 3 has no unit", "write 3s or 3ms"),
      ("latency <= 3s", "only held against another target", "for a limit take latency.p95"),
      ("latency not worse than b by 0.1", "is in per cent", "for instance: by 10%"),
      (
        "latency.p95 not worse than b by 10%", "cannot be held against another target",
        "give it a limit instead"
      ),
      ("score not worse than b", "'by' is missing before the end", nil),
      ("score not better than b by 0.1", "'worse' is missing", nil),
      ("passes >= 6 of 5", "cannot be asked for", nil),
      ("passes 4", "how many of how many", nil),
      ("score >= 0.8 fro a", "'fro' is not understood here", "did you mean 'for'?"),
      ("score >= 0.8, passRate >= 0.9", "a comma is not understood", "write one rule for each gate"),
      ("score >= 0.8 for a for b", "'for' is said twice", nil),
      ("score >= 0.8 tag", "a tag is missing before the end", nil),
      ("score >= 0.8 for \"a", "is never closed", nil),
    ] as [(String, String, String?)])
  func refusals(text: String, message: String, advice: String?) {
    let problem = #expect(throws: GateProblem.self) { try Self.read(text) }
    #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    if let advice { #expect(problem?.advice == advice) }
  }

  @Test func pointMakesTheEndsReachable() throws {
    #expect(try Self.read("passRate >= 1 point").isPoint)
    #expect(try Self.read("errorRate <= 0 point").isPoint)
  }

  /// What is stored with a run is read back as it was, and what another version wrote is not lost in silence.
  @Test func storedAndReadBack() throws {
    var settings = GateSettings()
    var gate = try Self.read("score >= 0.8 for a")
    gate.name = "quality"
    gate.location = SourceLocation(file: "s.json", line: 12, column: 5)
    settings.gates = [gate, try Self.read("errorRate <= 1%")]
    settings.maxErrorRate = 0.1
    settings.inconclusive = .fail
    #expect(GateSettings(stored: settings.json, file: "s.json") == settings)
    #expect(GateSettings(stored: nil, file: "s.json") == GateSettings())
    let strange = GateSettings(stored: ["rules": [["rule": "beauty >= 9"]]], file: "s.json")
    #expect(strange.gates.isEmpty && strange.unreadable == ["beauty >= 9"])
  }

  @Test func namesOfMeasuresAreUnique() {
    #expect(Set(MeasureRegistry.infos.map(\.name)).count == MeasureRegistry.infos.count)
  }
}
