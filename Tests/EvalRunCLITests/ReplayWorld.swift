import EvalTestSupport
import Foundation
import Synchronization

/// A suite of a near and a far profile whose server answers as a case asks it to.
struct ReplayWorld {
  let server: StubServer

  /// How often each profile was asked each thing.
  private final class Counts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// Which question of this kind it is, from 0.
    func next(_ key: String) -> Int {
      counts.withLock { counts in
        let count = counts[key] ?? 0
        counts[key] = count + 1
        return count
      }
    }
  }

  /// Inputs hold words such as `near:wrong`: what the profile of that model does with them. Others are answered `ok`.
  init() throws {
    let counts = Counts()
    server = try StubServer { request, reply in
      let body = request.bodyText
      let model = body.contains(#""model":"near""#) ? "near" : "far"
      guard let start = body.range(of: "\(model):") else { return reply.answer("ok") }
      let word = body[start.upperBound...].prefix { $0.isLetter }
      switch word {
      case "wrong": reply.answer("no")
      case "busy" where counts.next("\(model) \(body.hashValue)") % 2 == 0:
        reply.json(429, #"{"error": {"message": "slow down", "type": "rate_limit_exceeded"}}"#)
      case "down": reply.json(500, #"{"error": {"message": "down"}}"#)
      case "empty":
        reply.sseHead()
        reply.chunk(#"data: {"choices":[{"index":0,"delta":{"content":""}}]}"# + "\n\n")
        reply.chunk(#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\n")
        reply.chunk("data: [DONE]\n\n")
        reply.finish()
      case "filtered":
        reply.json(
          400,
          #"{"error": {"message": "filtered", "type": "invalid_request_error", "code": "content_filter"}}"#)
      default: reply.answer("ok")
      }
    }
  }

  /// - Parameters:
  ///   - cases: id, input and signals.
  ///   - routes: name and policy.
  func suite(
    _ cases: [(id: String, input: String, signals: String)], routes: [(String, String)] = [],
    run: String = #""repeats": 1"#
  ) -> String {
    let list = cases.map { #"{"id": "\#($0.id)", "input": "\#($0.input)", "signals": \#($0.signals)}"# }
    let policies = routes.map { #""\#($0.0)": \#($0.1)"# }
    return """
      {
        "version": 1, "name": "world",
        "profiles": {
          "near": {"endpoint": "\(server.url)/v1", "model": "near", "price": "free", "boundary": "device",
                   "contextSize": 4096, "maxOutputTokens": 16},
          "far": {"endpoint": "\(server.url)/v1", "model": "far", "price": {"input": 1, "output": 2},
                  "boundary": "thirdParty", "contextSize": 32000, "maxOutputTokens": 16}
        },
        \(policies.isEmpty ? "" : "\"routes\": {\(policies.joined(separator: ",\n"))},")
        "cases": [\(list.joined(separator: ",\n"))],
        "checks": [{"contains": "ok", "name": "right"}],
        "run": {"adaptsWidth": false, "retries": {"limit": 1, "baseDelay": "1ms", "maxDelay": "2ms"}, \(run)}
      }
      """
  }

  static let open = #"{"sensitivity": "public", "consent": true}"#
}
