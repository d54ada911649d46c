import EvalTestSupport
import Synchronization
import Testing

@testable import EvalProviders

/// What arrives, when, and in which reads.
@Suite(.timeLimit(.minutes(1)))
struct TransportStreamTests {
  let transport = HTTPTransport.forTests(64)

  @Test func fiveChunksAreFiveReads() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      for index in 1...5 {
        reply.sleep(ms: 20)
        reply.chunk("data: \(index)\n\n")
      }
    }
    let sink = CollectingSink()
    let result = await transport.post(server.url, sink)
    #expect(result.end == .complete)
    #expect(sink.status == 200)
    #expect(sink.reads.map(\.text) == (1...5).map { "data: \($0)\n\n" })
    #expect(sink.reads.map(\.sequence) == [0, 1, 2, 3, 4])
    #expect(zip(sink.reads, sink.reads.dropFirst()).allSatisfy { $1.at - $0.at > 1_000_000 })
  }

  @Test func chunksOfOneSendAreOneRead() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.sleep(ms: 20)
      reply.raw("9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n9\r\ndata: 3\n\n\r\n")
      reply.sleep(ms: 20)
    }
    let sink = CollectingSink()
    let result = await transport.post(server.url, sink)
    #expect(result.end == .complete)
    #expect(sink.reads.count == 3, "libcurl hands over chunk by chunk")
    #expect(Set(sink.reads.map(\.sequence)) == [0])
    #expect(Set(sink.reads.map(\.at)).count == 1)
  }

  @Test func stampsAreInOrderAndNearTheTruth() async throws {
    let server = try WireServer()
    let sink = CollectingSink(terminal: "[DONE]")
    let before = monotonicNanoseconds()
    let result = await transport.post(server.url(of: "openai-chat__basic_usage_chunk"), sink)
    let after = monotonicNanoseconds()
    let stamps = result.stamps
    let start = try #require(stamps.start)
    let ready = try #require(stamps.connReady)
    let firstByte = try #require(stamps.firstByte)
    let head = try #require(sink.headAt)
    let firstRead = try #require(sink.reads.first)
    #expect([before, start, ready, firstByte, head, firstRead.at, stamps.done, after].isSorted)
    #expect(stamps.done == sink.reads.last?.at, "the end is the read with the terminal marker")
    let entry = try #require(await server.entries(atLeast: 1).first)
    #expect(sink.reads.count == entry.flushes.count - 2, "one chunk per flush between head and last chunk")
    for (read, flush) in zip(sink.reads, entry.flushes.dropFirst()) {
      #expect(read.at >= flush.before, "no stamp lies before the bytes were sent")
      #expect(read.at - flush.after < 250_000_000)
    }
  }

  @Test func parallelStreamsDoNotMix() async throws {
    let waiting = Mutex(0)
    let server = try StubServer { request, reply in
      reply.sseHead()
      waiting.withLock { $0 += 1 }
      while !reply.clientGone, waiting.withLock({ $0 }) < 64 { reply.sleep(ms: 2) }
      for index in 0..<10 {
        reply.sleep(ms: 5)
        reply.chunk("data: \(request.path)#\(index)\n\n")
      }
      reply.chunk("data: [DONE]\n\n")
    }
    let texts = await withTaskGroup(of: (Int, String, TransferEnd).self) { group in
      for index in 0..<64 {
        group.addTask {
          let sink = CollectingSink(terminal: "[DONE]")
          let result = await transport.post("\(server.url)/\(index)", sink)
          return (index, sink.text, result.end)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = ($1.1, $1.2) }
    }
    #expect(texts.count == 64)
    for (index, (text, end)) in texts {
      let lines = (0..<10).map { "data: /\(index)#\($0)\n\n" }.joined()
      #expect(end == .stoppedBySink)
      #expect(text == lines + "data: [DONE]\n\n")
    }
    #expect(server.connectionCount == 64)
  }

  @Test func interimHeadsAreNotTheHead() async throws {
    let server = try StubServer { _, reply in
      reply.raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nRetry-After: 9\r\n\r\n")
      reply.sleep(ms: 10)
      reply.raw("HTTP/1.1 102 Processing\r\n\r\n")
      reply.sleep(ms: 10)
      reply.json(200, #"{"a":1}"#, headers: [("X-Final", "yes")])
    }
    let sink = CollectingSink()
    let result = await transport.post(server.url, sink)
    #expect(result.end == .complete)
    #expect(sink.headCount == 1)
    #expect(sink.status == 200)
    #expect(sink.headers["x-final"] == "yes")
    #expect(sink.headers["link"] == nil)
    #expect(sink.headers["retry-after"] == nil)
    #expect(sink.text == #"{"a":1}"#)
  }

  @Test func trailersAreNotHeaders() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead(headers: [("Trailer", "Retry-After")])
      reply.chunk("data: 1\n\n")
      reply.finish(trailers: [("Retry-After", "120")])
    }
    let sink = CollectingSink()
    let result = await transport.post(server.url, sink)
    #expect(result.end == .complete)
    #expect(sink.headCount == 1)
    #expect(sink.headers["retry-after"] == nil)
    #expect(sink.text == "data: 1\n\n")
  }

  @Test func compressionNobodyAskedForIsUndone() async throws {
    let server = try WireServer(speed: 0)
    let sink = CollectingSink(terminal: "[DONE]")
    let result = await transport.post(server.url(of: "openai-chat__gzip_stream_unrequested"), sink)
    #expect(result.end == .stoppedBySink)
    #expect(sink.headers["Content-Encoding"] == "gzip")
    #expect(sink.text.hasPrefix("data: {"))
    #expect(sink.text.contains("[DONE]"))
  }
}

extension Array where Element == Int64 {
  var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
