import EvalCore
import Foundation
import Testing

@testable import EvalGraders

@Suite struct EmbeddingGraderTests {
  struct Pair: Codable {
    var left: Data
    var right: Data
    var cosine: Double

    func vector(_ data: Data) -> [Float] {
      stride(from: 0, to: data.count, by: 4).map { start in
        Float(bitPattern: data[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      }
    }
  }

  @Test func cosinesAreNumpys() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../Fixtures/embeddings/cosines.json")
    let pairs = try JSONDecoder().decode([Pair].self, from: Data(contentsOf: file))
    #expect(pairs.count == 24)
    for pair in pairs {
      let cosine = try #require(Cosine.between(pair.vector(pair.left), pair.vector(pair.right)))
      #expect(abs(cosine - pair.cosine) < 1e-12, "\(cosine) \(pair.cosine)")
    }
  }

  @Test func whatHasNoAngleHasNoCosine() {
    #expect(Cosine.between([1, 2], [1, 2, 3]) == nil)
    #expect(Cosine.between([], []) == nil)
    #expect(Cosine.between([0, 0], [1, 2]) == nil)
    #expect(Cosine.between([.nan, 1], [1, 2]) == nil)
  }

  /// Gives each text the vector that a test chose.
  private struct Fixed: JudgeCalling {
    var vectors: [String: [Float]]
    func ask(_ question: JudgeQuestion) async -> JudgeCall {
      await ScriptedJudge.paris.ask(question)
    }
    func embed(_ question: EmbeddingQuestion) async -> EmbeddingAnswer {
      EmbeddingAnswer(.vectors(question.texts.map { vectors[$0] ?? [] }), cost: Cost(dollars: 0.5))
    }
  }

  private func verdict(
    _ check: JSONValue, _ answer: String, _ vectors: [String: [Float]], reference: JSONValue? = nil,
    embedders: [String] = ["e"]
  ) async throws -> Verdict {
    let context = JudgingContext(embedders: embedders, caller: Fixed(vectors: vectors))
    let spec = try CheckSpec.decode(check, graders: GraderRegistry.all)
    return try await makeGrader(spec, allowsCommands: false, directory: "", judging: context).grade(
      subject(answer, reference: reference))
  }

  private let plane: [String: [Float]] = [
    "a": [1, 0], "b": [0.6, 0.8], "c": [0, 1], "d": [-1, 0], "e": [1, 0, 0],
  ]

  @Test func bestAndMeanOfSeveral() async throws {
    let best = try await verdict(["embeddingSimilarity": ["c", "b"]], "a", plane)
    #expect(
      best.judgement
        == .scored(value: Double(Float(0.6)) / hypot(Double(Float(0.6)), Double(Float(0.8))), passed: nil))
    #expect(best.explanation == "cosine 0.6, the best of 2, between 'b' and 'a'")
    #expect(best.cost == Cost(dollars: 0.5))
    let mean = try await verdict(["embeddingSimilarity": ["c", "b"], "reduce": "mean"], "a", plane)
    #expect(abs((mean.judgement.value ?? 9) - 0.3) < 1e-6)
    let held = try await verdict(
      ["embeddingSimilarity": true, "threshold": 0.59], "a", plane, reference: ["c", "b"])
    #expect(held.judgement.word == "pass")
    #expect(
      try await verdict(["embeddingSimilarity": "b", "threshold": 0.61], "a", plane).judgement.word == "fail")
  }

  @Test func belowZeroCountsAsZero() async throws {
    let away = try await verdict(["embeddingSimilarity": "d"], "a", plane)
    #expect(away.judgement == .scored(value: 0, passed: nil))
    #expect(away.explanation == "cosine -1 between 'd' and 'a'; below 0, which counts as 0")
    // The mean is taken before.
    let mean = try await verdict(["embeddingSimilarity": ["d", "a"], "reduce": "mean"], "a", plane)
    #expect(mean.judgement == .scored(value: 0, passed: nil))
  }

  @Test func unscoredWhereThereIsNothingToCompare() async throws {
    #expect(try await verdict(["embeddingSimilarity": "e"], "a", plane).judgement.word == "graderFailed")
    #expect(try await verdict(["embeddingSimilarity": "b"], " \n", plane).judgement.word == "noAnswer")
    #expect(try await verdict(["embeddingSimilarity": " "], "a", plane).judgement.word == "notApplicable")
    #expect(try await verdict(["embeddingSimilarity": true], "a", plane).judgement.word == "notApplicable")
    let nobody = try CheckSpec.decode(["embeddingSimilarity": "b"], graders: GraderRegistry.all)
    let context = JudgingContext(embedders: ["e"])
    let grader = try makeGrader(nobody, allowsCommands: false, directory: "", judging: context)
    #expect(await grader.grade(subject("a")).judgement.word == "graderFailed")
  }

  @Test func whoEmbedsMustBeSaid() async throws {
    for (check, embedders, path) in [
      (["embeddingSimilarity": "b"], [], "embeddingSimilarity"),
      (["embeddingSimilarity": "b"], ["e", "f"], "embeddingSimilarity"),
      (["embeddingSimilarity": "b", "by": "g"], ["e", "f"], "by"),
      (["embeddingSimilarity": ["a": 1], "by": "e"], ["e"], "embeddingSimilarity"),
      (["embeddingSimilarity": "b", "reduce": "max"], ["e"], "reduce"),
    ] as [(JSONValue, [String], String)] {
      let problem = await #expect(throws: GraderProblem.self) {
        try await verdict(check, "a", plane, embedders: embedders)
      }
      #expect(problem?.path == path, "\(check)")
    }
  }
}
