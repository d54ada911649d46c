import EvalCore
import Testing

@testable import EvalSuites

/// Gates in a suite: where they stand, and what is said of those that are wrong.
@Suite struct GateTests {
  static let vocabulary = SuiteVocabulary(
    providers: [.chat, .plain], graders: [.contains],
    measures: [
      MeasureInfo("score", .share, isLowerBetter: false, pairing: .difference, "the score"),
      MeasureInfo("latency.p95", .time, isLowerBetter: true, "the time"),
    ])

  static func problems(_ gates: String) -> [String] {
    let folder = Folder()
    do throws(Problems) {
      return folder.lines(
        try folder.read(suite(more: "\n\"gates\": \(gates)"), vocabulary: vocabulary).findings)
    } catch {
      return folder.lines(error.all)
    }
  }

  @Test func bothForms() throws {
    let folder = Folder()
    let list = try folder.read(
      suite(more: #""gates": ["score >= 0.8", {"rule": "latency.p95 <= 3s for m", "name": "fast"}]"#),
      vocabulary: Self.vocabulary)
    #expect(list.gates.gates.map(\.rule) == ["score >= 0.8", "latency.p95 <= 3s for m"])
    #expect(list.gates.gates.map(\.name) == [nil, "fast"])
    #expect(list.gates.gates[0].location?.line == 1)
    #expect(list.gates.maxErrorRate == 0.05 && list.gates.minCoverage == 0.9)
    let object = try folder.read(
      suite(more: #""gates": {"rules": ["score >= 0.8"], "maxErrorRate": 0.1, "inconclusive": "fail"}"#),
      vocabulary: Self.vocabulary)
    #expect(object.gates.gates.count == 1 && object.gates.maxErrorRate == 0.1)
    #expect(object.gates.inconclusive == .fail)
    #expect(object.hash == list.hash, "gates are no part of what runs")
  }

  @Test func everyProblemWithItsPlace() {
    let lines = Self.problems(
      """
      ["scor >= 0.8",
       "score >= 0.8 for n",
       {"rule": 3}, {"rule": "score >= 0.8", "nam": "x"}, 7,
       "score not worse than m by 0.1"]
      """)
    #expect(
      lines == [
        "suite.json:2:11: error: gates[0]: 'scor' is not a measure (did you mean 'score'?)",
        "suite.json:3:2: error: gates[1]: there is no target 'n' (did you mean 'm'?)",
        "suite.json:4:11: error: gates[2].rule: expected a rule such as \"score >= 0.8\", found 3",
        "suite.json:4:40: error: gates[3].nam: 'nam' is not a key of a gate (did you mean 'name'?)",
        "suite.json:4:53: error: gates[4]: expected a rule such as \"score >= 0.8\", or an object with 'rule', found 7",
        "suite.json:5:2: error: gates[5]: the suite has no other target than 'm'",
      ])
  }

  @Test func settingsOutOfRange() {
    #expect(Self.problems(#"{"rules": [], "maxErrorRate": 5}"#).count == 1)
    #expect(Self.problems(#"{"rules": [], "inconclusive": "perhaps"}"#).count == 1)
    #expect(Self.problems(#"{"maxErrorRate": 0.5}"#).first?.contains("'rules' is missing") == true)
    #expect(Self.problems("3").count == 1)
  }

  @Test func aRuleTwiceIsAFinding() {
    let lines = Self.problems(#"["score >= 0.8", "score >= 0.8"]"#)
    #expect(lines.count == 1 && lines[0].contains("warning") && lines[0].contains("already"))
  }
}
