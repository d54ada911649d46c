import EvalCore
import Testing

@testable import EvalProviders

/// The parts of the transport that decide, without a socket.
struct TransportDecisionTests {
  // MARK: Time limits

  @Test func withoutLimitsNothingIsDue() {
    var watch = TransferWatch(TransferTimeouts(), start: 0, progressMark: 0)
    #expect(watch.next(sawToken: false) == nil)
    #expect(watch.noteRead(progressMark: 1, at: 5) == nil)
    #expect(watch.next(sawToken: true) == nil)
  }

  @Test func theFirstTokenLimitEndsWithTheFirstToken() {
    let limits = TransferTimeouts(firstToken: .nanoseconds(100), total: .nanoseconds(300))
    let watch = TransferWatch(limits, start: 1000, progressMark: 0)
    #expect(watch.next(sawToken: false)! == (.firstToken, 1100))
    #expect(watch.next(sawToken: true)! == (.total, 1300))
  }

  @Test func theStallLimitRunsFromProgressOnly() {
    var watch = TransferWatch(TransferTimeouts(stall: .nanoseconds(50)), start: 0, progressMark: 7)
    #expect(watch.next(sawToken: false) == nil, "silence before the first token is no stall")
    #expect(watch.noteRead(progressMark: 7, at: 10) == nil)
    #expect(watch.next(sawToken: false) == nil, "a ping is no progress")
    #expect(watch.noteRead(progressMark: 8, at: 20) == 70)
    #expect(watch.next(sawToken: true)! == (.stall, 70))
    #expect(watch.noteRead(progressMark: 8, at: 60) == nil)
    #expect(watch.next(sawToken: true)! == (.stall, 70))
    #expect(watch.noteRead(progressMark: 9, at: 65) == 115)
    #expect(watch.next(sawToken: true)! == (.stall, 115))
  }

  @Test func veryLongLimitsDoNotOverflow() {
    let watch = TransferWatch(TransferTimeouts(total: .seconds(1 << 40)), start: 1 << 60, progressMark: 0)
    #expect(watch.next(sawToken: false) == nil)
  }

  // MARK: Reads

  @Test func chunksThatFollowEachOtherInTheBufferAreOneRead() {
    // Where in the buffer a callback's bytes lie, in which call into libcurl, and the read it belongs to.
    let callbacks: [(part: Range<Int>, turn: UInt64, read: Int)] = [
      (4..<10, 1, 0), (10..<12, 1, 0), (20..<64, 1, 0),
      // The buffer was filled again within the same call.
      (4..<10, 1, 1), (12..<20, 1, 1),
      // Another call.
      (20..<30, 2, 2), (30..<31, 2, 2), (30..<31, 3, 3),
    ]
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
    defer { room.deallocate() }
    var reads = ReadTracker()
    for callback in callbacks {
      let before = reads.sequence
      let isNew = reads.isNewRead(UnsafeRawBufferPointer(rebasing: room[callback.part]), turn: callback.turn)
      #expect(reads.sequence == callback.read)
      #expect(isNew == (callback.read > before))
    }
  }

  // MARK: Heads

  static func take(_ lines: [String], _ collector: inout ResponseHeadCollector) -> [Int] {
    lines.compactMap { line in
      Array(line.utf8).withUnsafeBytes { collector.take($0) }?.status
    }
  }

  @Test func eachStatusLineStartsAgain() throws {
    var collector = ResponseHeadCollector()
    #expect(Self.take(["HTTP/1.1 100 Continue\r\n", "\r\n"], &collector) == [])
    #expect(Self.take(["HTTP/1.1 103 Early Hints\r\n", "Link: a\r\n", "\r\n"], &collector) == [])
    let last = ["HTTP/2 429 \r\n", "Retry-After: 3\r\n", "\r\n"]
    let heads = last.compactMap { line in Array(line.utf8).withUnsafeBytes { collector.take($0) } }
    let head = try #require(heads.first)
    #expect(heads.count == 1)
    #expect(head.status == 429)
    #expect(head.headers.fields.map(\.name) == ["retry-after"])
  }

  @Test func whatFollowsTheFinalHeadIsIgnored() {
    var collector = ResponseHeadCollector()
    #expect(Self.take(["HTTP/1.1 200 OK\r\n", "\r\n"], &collector) == [200])
    #expect(Self.take(["Retry-After: 3\r\n", "\r\n", "HTTP/1.1 500 No\r\n", "\r\n"], &collector) == [])
  }

  // MARK: Header fields

  @Test func fieldsAreFoundWhateverTheirCase() {
    let block =
      "Content-TYPE:text/plain\r\nRetry-After: \t 3 \r\nempty:\r\nRetry-After: 9\nno colon\r\nlast: é"
    let headers = HTTPHeaders(block: Array(block.utf8))
    #expect(headers["content-type"] == "text/plain")
    #expect(headers["RETRY-AFTER"] == "3")
    #expect(headers["empty"] == "")
    #expect(headers["last"] == "é")
    #expect(headers["retry"] == nil)
    #expect(headers.fields.map(\.name) == ["content-type", "retry-after", "empty", "retry-after", "last"])
    #expect(HTTPHeaders([("A", "1"), ("B", "2")])["b"] == "2")
  }

  // MARK: This machine

  @Test(arguments: [
    "http://127.0.0.1:80/v1", "http://localhost", "https://LocalHost:443/x", "http://[::1]:8080/",
    "http://127.9.9.9?x", "http://user:pass@127.0.0.1/", "http://127.1:80",
  ])
  func isThisMachine(url: String) { #expect(LoopbackHost.isHost(ofURL: url)) }

  @Test(arguments: [
    "http://example.com/127.0.0.1", "http://127.0.0.1.example.com/", "http://localhost.example.com/",
    "http://128.0.0.1/", "http://[fe80::1]/", "http://127.0.0.1@example.com/", "http://localhost@example.com",
    "", "localhost", "http://",
  ])
  func isAnotherMachine(url: String) { #expect(!LoopbackHost.isHost(ofURL: url)) }
}
