import EvalCore
import Synchronization

@testable import EvalProviders

/// An exchange without a network: answers requests in order with scripted responses, and keeps what was asked.
final class ScriptedExchange: Exchange {
  struct Response: Sendable {
    var status = 200
    var headers: [(String, String)] = [("Content-Type", "text/event-stream")]
    /// One read each; stamps are 1000, 2000, …
    var reads: [String] = []
    var end = TransferEnd.complete

    static func json(_ status: Int, _ body: String, headers: [(String, String)] = []) -> Response {
      Response(status: status, headers: [("Content-Type", "application/json")] + headers, reads: [body])
    }
  }

  private let script: Mutex<[Response]>
  private let seen = Mutex<[ExchangeRequest]>([])

  init(_ responses: [Response]) { script = Mutex(responses) }

  var requests: [ExchangeRequest] { seen.withLock { $0 } }

  func perform(_ request: ExchangeRequest, sink: any ResponseSink) async -> ExchangeResult {
    seen.withLock { $0.append(request) }
    let response = script.withLock { $0.isEmpty ? Response.json(500, "") : $0.removeFirst() }
    sink.head(status: response.status, headers: HTTPHeaders(response.headers), at: 500)
    var end = response.end
    for (index, read) in response.reads.enumerated() {
      let verdict = Array(read.utf8).withUnsafeBytes {
        sink.body($0, at: Int64(index + 1) * 1000, readSequence: index)
      }
      if case .done = verdict {
        end = .stoppedBySink
        break
      }
    }
    let stamps = TransferResult.Stamps(
      start: 100, connReady: 200, firstByte: 500, done: Int64(response.reads.count + 1) * 1000)
    return ExchangeResult(
      TransferResult(
        stamps: stamps, end: end, newConnection: true, httpVersion: "1.1", primaryIP: "127.0.0.1",
        primaryPort: 80,
        bytesSent: 10, bytesReceived: 20, requestBodyBytes: 5))
  }
}

extension ExchangeRequest {
  /// The request that a dialect's provider has made.
  var http: HTTPRequest {
    guard case .http(let request) = carrier else { preconditionFailure("the request is a program's") }
    return request
  }
}

/// A call of a profile with one user message.
func call(_ profile: Profile, _ messages: [Message] = [Message(.user, "Hi")], instructions: String? = nil)
  -> ProviderCall
{
  ProviderCall(
    profile: profile, instructions: instructions, messages: messages, timeouts: CallTimeouts(), scheduled: 50)
}

/// A profile of a Chat Completions server on this machine.
func chatProfile(_ endpoint: String = "http://127.0.0.1:9/v1", _ change: (inout Profile) -> Void = { _ in })
  -> Profile
{
  var profile = Profile(name: "p", provider: "openai-chat", model: "m")
  profile.endpoint = endpoint
  change(&profile)
  return profile
}

/// An event stream of text deltas with its end.
func chatStream(_ pieces: [String], usage: String? = #"{"prompt_tokens":3,"completion_tokens":2}"#)
  -> [String]
{
  let deltas = pieces.map { piece in
    let text = JSONValue.string(piece).serialized(.compact)
    return #"data: {"choices":[{"index":0,"delta":{"content":\#(text)}}]}"# + "\n\n"
  }
  let last = #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":\#(usage ?? "null")}"#
  return deltas + [last + "\n\n", "data: [DONE]\n\n"]
}
