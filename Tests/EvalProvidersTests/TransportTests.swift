import EvalTestSupport
import Testing

@testable import EvalProviders

/// Collects a response; done when a read contains the terminal marker.
final class CollectingSink: ResponseSink {
  struct Read: Equatable {
    var text: String
    var at: Int64
    var sequence: Int
  }

  private(set) var status: Int?
  private(set) var headers = HTTPHeaders()
  private(set) var headCount = 0
  private(set) var reads: [Read] = []
  private(set) var bytes: [UInt8] = []
  private(set) var progressMark = 0
  private let terminal: String?

  /// - Parameter terminal: text that ends the response for the caller; `nil` reads to the end.
  init(terminal: String? = nil) { self.terminal = terminal }

  var sawToken: Bool { progressMark > 0 }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  func head(status: Int, headers: HTTPHeaders, at: Int64) {
    self.status = status
    self.headers = headers
    headCount += 1
  }

  func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> SinkVerdict {
    let text = String(decoding: bytes, as: UTF8.self)
    self.bytes.append(contentsOf: bytes)
    reads.append(Read(text: text, at: at, sequence: readSequence))
    // Comments are bytes, but no progress.
    if text.contains("data:") { progressMark += 1 }
    guard let terminal else { return .more }
    return text.contains(terminal) ? .done : .more
  }
}

@Suite(.timeLimit(.minutes(1)))
struct TransportTests {
  let transport = HTTPTransport(maxConnections: 64, userAgent: "evalrun-tests")

  @Test func fiveChunksAreFiveReads() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      for index in 1...5 {
        reply.sleep(ms: 20)
        reply.chunk("data: \(index)\n\n")
      }
    }
    let sink = CollectingSink()
    let result = await transport.perform(HTTPRequest(url: server.url, body: []), sink: sink)
    #expect(result.end == .complete)
    #expect(sink.status == 200)
    #expect(sink.reads.map(\.text) == (1...5).map { "data: \($0)\n\n" })
    #expect(sink.reads.map(\.sequence) == [0, 1, 2, 3, 4])
  }
}
