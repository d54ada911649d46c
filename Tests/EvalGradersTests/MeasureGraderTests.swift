import EvalCore
import Testing

@testable import EvalGraders

@Suite struct MeasureGraderTests {
  @Test(arguments: [
    Row(["length": ["min": 5, "max": 5]], "  hello ", "pass"),
    Row(["length": ["max": 4]], "hello", "fail"),
    Row(["length": ["min": 1]], "  ", "fail"),
    Row(["length": ["max": 1]], "👩‍👩‍👧", "pass"),
    Row(["length": ["min": 3, "max": 3], "unit": "words"], "one - two,\n three.", "pass"),
    Row(["length": ["min": 3, "max": 3], "unit": "lines"], "a\n\nb\n", "pass"),
    Row(["length": ["max": 0], "unit": "lines"], "", "pass"),
    Row(["length": ["min": 3, "max": 3], "unit": "sentences"], "It is 3.5 m. \"Really?\" Yes", "pass"),
    Row(["length": ["min": 2, "max": 2], "unit": "sentences"], "今日は晴れ。明日は雨。", "pass"),
    Row(["length": ["min": 1, "max": 1], "unit": "sentences"], "Wait... what?!", "fail"),
    Row(["length": ["max": 3], "unit": "tokens"], "a b c", "notReported"),
  ])
  func length(_ row: Row) async throws { try await row.verify() }

  @Test func tokensAreThoseReportedWithoutReasoning() async throws {
    let usage = Usage(input: 10, output: 50, reasoning: 45)
    let check: JSONValue = ["length": ["min": 5, "max": 5], "unit": "tokens"]
    #expect(try await verdict(check, subject("x", usage: usage)).judgement.word == "pass")
  }

  @Test(arguments: [
    Row(["similarity": "kitten"], "sitting", "0.571"),
    Row(["similarity": "same"], "same", "1.0"),
    Row(["similarity": "same"], "", "0.0"),
    Row(["similarity": "ABC"], "abc", "0.0"),
    Row(["similarity": "ABC", "ignoreCase": true], "abc", "1.0"),
    Row(["similarity": "café"], "cafe\u{301}", "1.0"),
    Row(["similarity": ["no", "yes"], "threshold": 0.9], "yes", "pass"),
    Row(["similarity": "no", "threshold": 0.9], "yes", "fail"),
    Row(["similarity": "the cat sat on the mat", "metric": "rougeL"], "the cat is on the mat", "0.833"),
    Row(["similarity": "the cat sat on the mat", "metric": "tokenF1"], "A cat, on a mat!", "0.857"),
    Row(["similarity": "U.S.", "metric": "tokenF1"], "the US", "1.0"),
    Row(["similarity": "x", "metric": "tokenF1"], "y", "0.0"),
    Row(["similarity": true, "metric": "rougeL"], "Paris", "1.0", reference: "paris"),
    Row(["similarity": true], "Paris", "notApplicable"),
  ])
  func similarity(_ row: Row) async throws { try await row.verify() }

  /// Against the textbook's tables, on texts around and beyond the 64 places of a word.
  @Test func bitParallelDistancesAreRight() {
    var random = SeededRandom(seed: 11)
    for round in 0..<300 {
      let left = (0..<Int(random.next() % (round < 200 ? 30 : 200))).map { _ in UInt32(97 + random.next() % 4)
      }
      let right = (0..<Int(random.next() % (round < 200 ? 30 : 200))).map { _ in
        UInt32(97 + random.next() % 4)
      }
      #expect(EditDistance.levenshtein(left, right) == distance(left, right))
      #expect(CommonSubsequence.length(left, right) == common(left, right))
    }
  }

  private func distance(_ left: [UInt32], _ right: [UInt32]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let cost = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(cost, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }

  private func common(_ left: [UInt32], _ right: [UInt32]) -> Int {
    var row = [Int](repeating: 0, count: right.count + 1)
    for a in left {
      var diagonal = 0
      for (j, b) in right.enumerated() {
        let next = row[j + 1]
        row[j + 1] = a == b ? diagonal + 1 : max(row[j], next)
        diagonal = next
      }
    }
    return row[right.count]
  }

  @Test func finish() async throws {
    #expect(try await verdict(["finish": "stop"], subject(finish: .stop)).judgement.word == "pass")
    #expect(try await verdict(["finish": "stop"], subject(finish: .length)).judgement.word == "fail")
    #expect(
      try await verdict(["finish": ["stop", "tool_calls"]], subject(finish: .toolCalls)).judgement.word
        == "pass")
    #expect(try await verdict(["finish": "stop"], subject(finish: .unknown)).judgement.word == "notReported")
    #expect(try await verdict(["finish": "stop"], subject(finish: nil)).judgement.word == "notReported")
    #expect(
      try await verdict(["not": ["finish": "length"]], subject(finish: nil)).judgement.word == "notReported")
    #expect(try problem(["finish": "stopp"]).advice == "did you mean 'stop'?")
    #expect(try problem(["finish": ["stop", "lenght"]]).path == "finish[1]")
  }

  @Test func refusal() async throws {
    func word(_ check: JSONValue, _ subject: Subject) async throws -> String {
      try await verdict(check, subject).judgement.word
    }
    #expect(try await word(["refusal": true], subject(refusal: "I can't.")) == "pass")
    #expect(try await word(["refusal": true], subject("I can't.", outcome: .refused)) == "pass")
    #expect(try await word(["refusal": true], subject(finish: .refusal)) == "pass")
    #expect(try await word(["refusal": false], subject("Paris")) == "pass")
    #expect(try await word(["refusal": false], subject(outcome: .refused)) == "fail")
    let sorry = "I’m sorry, but I can’t  help with that."
    #expect(try await word(["refusal": true], subject(sorry)) == "fail")
    #expect(try await word(["refusal": true, "phrases": true], subject(sorry)) == "pass")
    #expect(try await word(["refusal": true, "phrases": true], subject("You can't park there.")) == "fail")
    #expect(
      try await word(["refusal": true, "phrases": ["Nein"]], subject("NEIN, das geht nicht")) == "pass")
    #expect(try problem(["refusal": "yes"]).path == "refusal")
    #expect(try problem(["refusal": true, "phrases": 3]).path == "phrases")
  }

  @Test func latencyIsNeverJudgedOfARecording() async throws {
    for kind in ["latency", "firstToken"] {
      let check: JSONValue = .object(JSONObject([(key: kind, value: .object(["atMost": "500ms"]))]))
      func word(_ nanoseconds: Int64?, _ provenance: Provenance = .live) async throws -> String {
        try await verdict(
          check, subject(provenance: provenance, latency: nanoseconds, firstToken: nanoseconds)
        )
        .judgement.word
      }
      #expect(try await word(500_000_000) == "pass")
      #expect(try await word(500_000_001) == "fail")
      #expect(try await word(nil) == "notMeasured")
      #expect(try await word(1, .recorded) == "notMeasured")
      let negated = try await verdict(
        ["not": check], subject(provenance: .recorded, latency: 1, firstToken: 1))
      #expect(negated.judgement.word == "notMeasured")
    }
    #expect(try await verdict(["latency": 2], subject(latency: 1_999_999_999)).judgement.word == "pass")
    #expect(try await verdict(["latency": "1.5m"], subject(latency: 90_000_000_000)).judgement.word == "pass")
    #expect(try problem(["latency": "2 hours"]).path == "latency")
    #expect(try problem(["latency": ["atmost": 1]]).advice == "did you mean 'atMost'?")
    #expect(try problem(["latency": 0]).path == "latency")
  }

  @Test func cost() async throws {
    func word(_ cost: Cost, _ provenance: Provenance = .live) async throws -> String {
      try await verdict(["cost": ["atMost": 0.01]], subject(provenance: provenance, cost: cost)).judgement
        .word
    }
    #expect(try await word(Cost(dollars: 0.01)) == "pass")
    #expect(try await word(Cost(dollars: 0.011)) == "fail")
    #expect(try await word(Cost(dollars: nil)) == "notReported")
    #expect(try await word(Cost(dollars: 0.001, isLowerBound: true)) == "notReported")
    #expect(try await word(Cost(dollars: 0.02, isLowerBound: true)) == "fail")
    #expect(try await word(Cost(dollars: 0.001), .recorded) == "notMeasured")
    #expect(try problem(["cost": "cheap"]).path == "cost")
  }
}
