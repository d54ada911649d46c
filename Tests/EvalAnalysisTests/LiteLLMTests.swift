import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// What LiteLLM's router did live (`reference/litellm_routes.py`) against a replay of the same policy over recordings of the
/// two deployments alone.
@Suite struct LiteLLMTests {
  /// One retry for what may pass, the fallback for everything else, guardrails and refused keys included.
  static let policy = TestPolicy.always(
    "near", "far",
    onError: [
      .rateLimited: .retry(1), .serverError: .retry(1), .contextSizeExceeded: .next, .contentFiltered: .next,
      .invalidRequest: .next, .authentication: .next,
    ])

  static func cell(_ ends: [JSONValue]) -> ReplayCell {
    let attempts = ends.map { end in
      ErrorClass(rawValue: end.stringValue!).map(TestTable.failure)
        ?? ReplayAttempt(end: .ok, latency: 1, bytesSent: 10)
    }
    let isOK = attempts.last?.end == .ok
    return ReplayCell(
      turns: [ReplayTurn(attempts: attempts)], status: isOK ? .ok : .failed, quality: isOK ? 1 : nil)
  }

  @Test func theReplayMakesTheSameCalls() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("reference/litellm.json")
    let rows = try #require(try JSONValue.parse([UInt8](Data(contentsOf: file)))["rows"]?.arrayValue)
    #expect(rows.count == 27)
    var leaks = 0
    for row in rows {
      var table = TestTable(1).table
      for (arm, name) in ["near", "far"].enumerated() {
        table[case: 0, arm: arm, repeat: 0] = LiteLLMTests.cell(try #require(row[name]?.arrayValue))
      }
      let trace = Replayer(table).trace(of: LiteLLMTests.policy, case: 0, repeat: 0)
      let calls = trace.attempts.map { attempt -> JSONValue in
        if case .failed(let kind) = attempt.end { return [.string(attempt.arm), .string(kind.rawValue)] }
        return [.string(attempt.arm), "ok"]
      }
      #expect(.array(calls) == row["calls"], "\(row["near"]!.serialized()) \(row["far"]!.serialized())")
      let served = trace.status == .ok ? trace.served.last.map { trace.attempts[$0].arm } : nil
      #expect(served == row["served"]?.stringValue)
      #expect(trace.quality == (served == nil ? 0 : 1))
      leaks += trace.leaks.count
      if row["near"]?[0] == "contentFiltered" {
        #expect(trace.leaks.allSatisfy { $0.rules == [.afterStop] } && !trace.leaks.isEmpty)
      } else {
        #expect(trace.leaks.isEmpty)
      }
    }
    // What a guardrail stopped was sent on in all three rows, in two of them twice (BerriAI/litellm#40406).
    #expect(leaks == 5)
  }
}
