import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// The small recorded world of `reference/routing.py`, as a table.
struct RoutingWorld {
  let json: JSONValue
  var table: ReplayTable

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("reference/routing.json")
    json = try JSONValue.parse([UInt8](Data(contentsOf: file)))
    let cases = try #require(json["cases"]?.arrayValue)
    let names = ["near", "pcc", "far"]
    table = ReplayTable(
      cases: cases.map { one in
        let count = Int(one["tokens"]!.intValue!)
        return ReplayCase(
          id: one["id"]!.stringValue!, hash: TestRun.hash(one["id"]!.stringValue!),
          weight: one["weight"]!.doubleValue!, cluster: one["cluster"]?.stringValue,
          signals: ["sensitivity": one["sensitivity"]!, "consent": one["consent"]!],
          expects: Expectation(rawValue: one["expects"]!.stringValue!)!,
          facts: [names.map { _ in ArmFacts(tokensIn: .counted(count)) }])
      },
      arms: zip(names, Boundary.allCases).map { ReplayArm(name: $0, boundary: $1) }, repeats: 2)
    for (index, one) in cases.enumerated() {
      for (arm, name) in names.enumerated() {
        for (repeatIndex, cell) in one["cells"]![name]!.arrayValue!.enumerated() {
          table[case: index, arm: arm, repeat: repeatIndex] = RoutingWorld.cell(cell)
        }
      }
    }
  }

  private static func cell(_ json: JSONValue) -> ReplayCell {
    var attempts = json["errors"]!.arrayValue!.map { word in
      let kind = ErrorClass(rawValue: word.stringValue!)!
      return ReplayAttempt(
        end: .failed(kind), isRetryable: kind.isRetryable, hasVisibleOutput: false,
        cost: Cost(dollars: 0.0001), latency: 250_000_000)
    }
    let isAnswered = json["answered"]!.boolValue!
    let quality = json["quality"]!.doubleValue
    if isAnswered {
      attempts.append(
        ReplayAttempt(
          end: .ok, cost: Cost(dollars: json["dollars"]!.doubleValue!),
          latency: Int64((json["seconds"]!.doubleValue! * 1e9).rounded()),
          wait: attempts.isEmpty ? 0 : 500_000_000,
          usage: Usage(
            input: Int(json["tokens"]![0]!.intValue!), output: Int(json["tokens"]![1]!.intValue!)),
          answer: ["check.ok": json["score"]!]))
    }
    return ReplayCell(
      turns: [ReplayTurn(attempts: attempts)], status: isAnswered ? .ok : .failed, quality: quality,
      isUnjudged: isAnswered && quality == nil)
  }

  private static func tokens(_ facts: RoutingFacts) -> Int { facts.arms["near"]?.tokensIn?.tokens ?? .max }

  /// Up to 400 tokens near, the others far.
  static let threshold = TestPolicy.atMost(400, ["near"], else: ["far"])

  /// As far as the case allows, and only when its window was too small.
  static let careful = TestPolicy(
    name: "careful",
    rules: [
      .init(
        condition: "private",
        holds: { ["private", "internal"].contains($0.signals["sensitivity"]?.stringValue) },
        use: ["near", "pcc"]),
      .init(
        condition: "closed",
        holds: { $0.signals["sensitivity"] == "secret" || $0.signals["consent"] == false }, use: ["near"]),
      .init(condition: "true", holds: { _ in true }, use: ["near", "far"]),
    ], onError: [.contextSizeExceeded: .next])

  static let cascade = TestPolicy.always(
    "near", "far", onError: [.contextSizeExceeded: .next, .rateLimited: .next], accept: 0.5)

  static var contenders: [Contender] {
    [
      Contender(name: "threshold", policy: threshold), Contender(name: "careful", policy: careful),
      Contender(name: "cascade", policy: cascade),
    ]
  }
}
