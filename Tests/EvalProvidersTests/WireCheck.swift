import EvalCore
import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

/// Reads a case of a dialect and holds the result against the case's expectation.
///
/// A dialect's tests are one line: `try WireCheck(OpenAIChat()).inMemory(name, .planned)`.
struct WireCheck {
  let dialect: any Dialect
  let traits: ServerTraits

  init(_ dialect: any Dialect, server: String? = "generic") {
    self.dialect = dialect
    traits = dialect.servers.first { $0.name == server } ?? dialect.servers[0]
  }

  enum Cut: String, Sendable, CaseIterable { case planned, singleBytes, whole }

  /// The cases of a dialect that are answers, not token counts.
  static func names(_ dialect: String) -> [String] {
    WireFixtures.names.filter { name in
      name.hasPrefix(dialect + "__") && ((try? expectation(name))?["tokenCount"] == nil)
    }
  }

  static func expectation(_ name: String) throws -> JSONValue {
    try JSONValue.parse([UInt8](WireFixtures.expectation(name)))
  }

  /// Feeds the case without a socket: stamps are flush numbers times 1000.
  func inMemory(_ name: String, _ cut: Cut) throws {
    let fixture = try WireFixtures.load(name)
    let cuts: [Int] =
      switch cut {
      case .planned: fixture.plan.flush.map(\.to)
      case .singleBytes: Array(1...fixture.bytes.count)
      case .whole: [fixture.bytes.count]
      }
    let feed = WireFeed(fixture.bytes, cuts: cuts)
    guard !feed.isCompressed else { return }
    let reading = read(feed)
    let end = Self.end(of: feed, reading)
    let reply = ReplyComposer(end: end, clientTime: 0).reply(from: reading)
    try compare(name, reply, reading, "\(name) \(cut)")
    if cut == .planned, let ttft = fixture.plan.ttft {
      let flush = fixture.plan.flush.firstIndex { $0.to >= ttft.endOffset }!
      #expect(reading.timeline.firstToken == Int64(flush) * 1000, "\(name): stamp of the first token")
    }
  }

  func read(_ feed: WireFeed) -> StreamReading {
    var reading = StreamReading(
      decoder: dialect.makeDecoder(streaming: true, traits), framing: dialect.framing, asksForStream: true)
    reading.head(status: feed.status, headers: feed.headers)
    var last = (flush: -1, sequence: -1)
    for piece in feed.pieces {
      if piece.flush != last.flush { last = (piece.flush, last.sequence + 1) }
      let isDone = piece.bytes.withUnsafeBytes {
        reading.body($0, at: Int64(piece.flush) * 1000, readSequence: last.sequence)
      }
      if isDone { break }
    }
    return reading
  }

  static func end(of feed: WireFeed, _ reading: StreamReading) -> TransferEnd {
    if reading.answer.isComplete { return .stoppedBySink }
    return feed.isClean ? .complete : .failed(code: 18, message: "transfer closed with data remaining")
  }

  /// Everything that an expectation can say of a reply.
  ///
  /// - Parameter reading: `nil` when the bytes came through a socket; event indices cannot be seen then.
  func compare(_ name: String, _ reply: ProviderReply, _ reading: StreamReading?, _ label: String) throws {
    let expected = try Self.expectation(name)
    if let count = expected["textBytes"]?.intValue {
      #expect(reply.text.utf8.count == Int(count), "\(label): text bytes")
      #expect(SHA256.hexOf(reply.text) == expected["textSha256"]?.stringValue, "\(label): text hash")
    } else {
      expectOne(.string(reply.text), of: expected, "text", label)
    }
    expectOne(.string(reply.reasoning), of: expected, "reasoning", label)
    #expect(Self.json(reply.toolCalls).jsonEquals(expected["toolCalls"]!), "\(label): \(reply.toolCalls)")
    #expect(reply.finish?.rawValue == expected["finish"]?.stringValue, "\(label): finish")
    #expect(reply.rawFinish == expected["rawFinish"]?.stringValue, "\(label): rawFinish")
    let usages = [expected["usage"]!] + (expected["usageAlternatives"]?.arrayValue ?? [])
    #expect(
      usages.contains { Self.matches(reply.usage, $0) }, "\(label): usage \(String(describing: reply.usage))")
    compareError(reply.outcome.error, expected["error"]!, label)
    #expect(reply.refusal == expected["refusal"]?.stringValue, "\(label): refusal")
    #expect((reply.timeline.firstToken == nil) == expected["ttftEvent"]!.isNull, "\(label): first token")
    guard let reading else { return }
    #expect(
      reading.firstTokenEvent.map { Int64($0) } == expected["ttftEvent"]?.intValue, "\(label): ttft event")
    #expect(
      reading.firstTextEvent.map { Int64($0) } == expected["firstTextEvent"]?.intValue, "\(label): text event"
    )
  }

  private func expectOne(_ actual: JSONValue, of expected: JSONValue, _ key: String, _ label: String) {
    let allowed = [expected[key]!] + (expected["\(key)Alternatives"]?.arrayValue ?? [])
    #expect(allowed.contains { $0 == actual }, "\(label): \(key) \(actual)")
  }

  private func compareError(_ error: ProviderError?, _ expected: JSONValue, _ label: String) {
    guard let error, !expected.isNull else {
      #expect(error == nil && expected.isNull, "\(label): error \(String(describing: error))")
      return
    }
    let kind = error.kind == .serverTimeout ? "timeout" : error.kind.rawValue
    #expect(kind == expected["class"]?.stringValue, "\(label): class, \(error.message)")
    #expect(error.retryable == expected["retryable"]?.boolValue, "\(label): retryable")
    if let wanted = expected["retryAfterMs"]?.doubleValue {
      let tolerance = expected["retryAfterToleranceMs"]?.doubleValue ?? 0
      let hint = error.retryAfterMilliseconds ?? -1
      #expect(abs(hint - wanted) <= tolerance, "\(label): retry hint \(hint)")
    } else {
      #expect(error.retryAfterMilliseconds == nil, "\(label): retry hint")
    }
    if let words = expected["messageContains"]?.stringValue {
      #expect(error.message.contains(words), "\(label): \(error.message)")
    }
    if let count = expected["promptTokens"]?.intValue {
      #expect(error.promptTokens == Int(count), "\(label): prompt tokens")
    }
    if let size = expected["contextSize"]?.intValue {
      #expect(error.contextSize == Int(size), "\(label): context size")
    }
  }

  private static func json(_ calls: [ToolCall]) -> JSONValue {
    .array(
      calls.map { call in
        ["id": call.id.map { .string($0) } ?? .null, "name": .string(call.name), "arguments": call.arguments]
      })
  }

  /// Null and 0 are one for the counts that many servers leave out.
  private static func matches(_ usage: Usage?, _ expected: JSONValue) -> Bool {
    guard let usage, !expected.isNull else { return usage == nil && expected.isNull }
    func count(_ key: String) -> Int? { expected[key]?.intValue.map { Int($0) } }
    return usage.input == count("input") && usage.output == count("output")
      && usage.cachedInput ?? 0 == count("cached") ?? 0 && usage.cacheWrite ?? 0 == count("cacheWrite") ?? 0
      && usage.reasoning ?? 0 == count("reasoning") ?? 0
  }
}
