import Foundation
import Synchronization

/// When a fixture's parts were sent, in monotonic nanoseconds.
package struct WireLogEntry: Sendable {
  package struct Flush: Sendable {
    /// Exclusive end, in bytes of the response.
    package let to: Int
    /// Just before and just after the send.
    package let before: Int64
    package let after: Int64
  }

  package let name: String
  package let request: StubRequest
  package var flushes: [Flush] = []
  /// The send that held the last byte of the event that ends the time to first token, or to first text.
  package var ttft: Flush?
  package var firstText: Flush?
  package var clientGone = false

  /// Whether the client asked `Expect: 100-continue`.
  package var expect100: Bool { request.header("expect")?.lowercased() == "100-continue" }
}

/// Serves the fixtures: `POST http://127.0.0.1:PORT/case/<name>/any/path`.
package final class WireServer: Sendable {
  package enum Grain: Sendable {
    /// One send per planned flush.
    case planned
    /// Every byte in a send of its own.
    case singleBytes
  }

  private final class Log: Sendable {
    let entries = Mutex<[WireLogEntry]>([])
  }

  private let server: StubServer
  private let log: Log

  /// - Parameters:
  ///   - speed: multiplies every delay of the plan; 0 leaves them out.
  ///   - grain: how the bytes are cut.
  package init(speed: Double = 1, grain: Grain = .planned, ipv6: Bool = false) throws {
    let log = Log()
    self.log = log
    server = try StubServer(ipv6: ipv6, answersExpect: Self.answersExpect) { request, reply in
      guard let name = Self.caseName(request.path), let fixture = try? WireFixtures.load(name) else {
        return reply.json(404, #"{"error":"no such case"}"#)
      }
      let entry = Self.play(fixture, for: request, reply, speed: speed, grain: grain)
      log.entries.withLock { $0.append(entry) }
      if fixture.plan.end.mode == "reset" {
        reply.reset()
      } else if !fixture.keepsConnection {
        reply.close()
      }
    }
  }

  package var port: UInt16 { server.port }

  /// The base URL for a case, without a slash at the end.
  package func url(of name: String) -> String { "\(server.url)/case/\(name)" }

  /// What was served, in the order in which the responses ended.
  ///
  /// A client may have its whole response before the server has noted its last send, so say how many to wait
  /// for; after ten seconds it returns what there is.
  package func entries(atLeast count: Int) async -> [WireLogEntry] {
    for _ in 0..<5000 where log.entries.withLock({ $0.count }) < count {
      try? await Task.sleep(for: .milliseconds(2))
    }
    return log.entries.withLock { $0 }
  }

  /// How many connections were accepted so far.
  package var connectionCount: Int { server.connectionCount }

  package func stop() { server.stop() }

  private static func play(
    _ fixture: WireFixture, for request: StubRequest, _ reply: StubReply, speed: Double, grain: Grain
  ) -> WireLogEntry {
    var entry = WireLogEntry(name: fixture.name, request: request)
    let bytes = fixture.patched()
    var from = 0
    for flush in fixture.plan.flush {
      let milliseconds = (flush.afterMs ?? 0) * speed
      if milliseconds > 0 { reply.sleep(ms: Int(milliseconds.rounded(.up))) }
      for end in grain == .planned ? flush.to...flush.to : (from + 1)...flush.to {
        let (before, after) = reply.raw(bytes[from..<end])
        let sent = WireLogEntry.Flush(to: end, before: before, after: after)
        entry.flushes.append(sent)
        if let offset = fixture.plan.ttft?.endOffset, from < offset, offset <= end { entry.ttft = sent }
        if let offset = fixture.plan.firstText?.endOffset, from < offset, offset <= end {
          entry.firstText = sent
        }
        from = end
      }
      if reply.clientGone { break }
    }
    entry.clientGone = reply.clientGone
    return entry
  }

  private static func answersExpect(_ request: StubRequest) -> Bool {
    guard let name = caseName(request.path), let fixture = try? WireFixtures.load(name) else { return true }
    return fixture.plan.request.on100 != "silent"
  }

  private static func caseName(_ path: String) -> String? {
    let parts = path.prefix { $0 != "?" }.split(separator: "/")
    return parts.count >= 2 && parts[0] == "case" ? String(parts[1]) : nil
  }
}
