import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

/// The transport against every recorded quirk: only HTTP counts here, not what the events mean.
@Suite(.timeLimit(.minutes(1)))
struct TransportWireTests {
  /// Cases that do not end cleanly for HTTP.
  static let cut = ["openai-chat__truncated_chunked_mid_event": 18]
  static let fast = WireFixtures.names.filter { $0 != "openai-chat__done_then_connection_held_open" }

  @Test func allFixturesAreThere() {
    #expect(WireFixtures.names.count == 110)
  }

  @Test(arguments: [WireServer.Grain.planned, .singleBytes])
  func everyCaseArrivesWhole(grain: WireServer.Grain) async throws {
    let server = try WireServer(speed: 0, grain: grain)
    let transport = HTTPTransport(maxConnections: 8, userAgent: "evalrun-tests")
    defer { transport.shutdown() }
    for name in Self.fast where grain == .planned || name != "openai-chat__huge_single_line_1mb" {
      let sink = CollectingSink()
      let result = await transport.perform(HTTPRequest(url: server.url(of: name), body: []), sink: sink)
      let expected = try Self.expectedResponse(name)
      if let code = Self.cut[name] {
        guard case .failed(code, _) = result.end else {
          Issue.record("\(name) ended as \(result.end)")
          continue
        }
      } else {
        #expect(result.end == .complete, "\(name)")
      }
      #expect(sink.headCount == 1, "\(name)")
      #expect(sink.status == expected.status, "\(name)")
      if let body = expected.body { #expect(sink.bytes == body, "\(name)") }
    }
  }

  /// The status and, unless compressed or cut short, the decoded body, read from the file by other means than libcurl's.
  static func expectedResponse(_ name: String) throws -> (status: Int, body: [UInt8]?) {
    let fixture = try WireFixtures.load(name)
    var rest = fixture.bytes[...]
    var head = ""
    repeat {
      let end = try #require(rest.firstRange(of: Array("\r\n\r\n".utf8)))
      head = String(decoding: rest[..<end.lowerBound], as: UTF8.self).lowercased()
      rest = rest[end.upperBound...]
    } while head.hasPrefix("http/1.1 1")
    let status = try #require(Int(head.split(separator: " ")[1]))
    guard !head.contains("content-encoding"), cut[name] == nil else { return (status, nil) }
    guard head.contains("transfer-encoding: chunked") else { return (status, Array(rest)) }
    var body: [UInt8] = []
    while let line = rest.firstRange(of: [0x0D, 0x0A]) {
      let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self).prefix { $0.isHexDigit }
      let size = try #require(Int(digits, radix: 16))
      if size == 0 { break }
      body += rest[line.upperBound...].prefix(size)
      rest = rest[line.upperBound...].dropFirst(size + 2)
    }
    return (status, body)
  }
}
