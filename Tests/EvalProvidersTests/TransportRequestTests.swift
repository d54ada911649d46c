import EvalTestSupport
import Testing

@testable import EvalProviders

/// What goes over the wire to the server.
@Suite(.timeLimit(.minutes(1)))
struct TransportRequestTests {
  let transport = HTTPTransport.forTests()

  @Test func headersAndBodyArriveAsGiven() async throws {
    let server = try StubServer { _, reply in reply.json(200, "{}") }
    let body = Array(#"{"prompt":"Grüße"}"#.utf8)
    let request = HTTPRequest(
      url: "\(server.url)/v1/chat?x=1",
      headers: [("Content-Type", "application/json"), ("X-Api-Key", "k"), ("X-Empty", "")], body: body)
    let result = await transport.perform(request, sink: CollectingSink())
    let seen = try #require(server.requests.first)
    #expect(seen.method == "POST")
    #expect(seen.path == "/v1/chat?x=1")
    #expect(seen.body == body)
    #expect(seen.header("content-type") == "application/json")
    #expect(seen.header("x-api-key") == "k")
    #expect(seen.header("x-empty") == "")
    #expect(seen.header("user-agent") == "evalrun-tests")
    #expect(seen.header("accept-encoding") == "identity")
    #expect(result.requestBodyBytes == body.count)
    #expect(result.bytesSent > body.count)
    #expect(result.httpVersion == "1.1")
    #expect(result.primaryIP == "127.0.0.1")
    #expect(result.primaryPort == Int(server.port))
  }

  @Test func nothingOfTheLastRequestSurvives() async throws {
    let server = try StubServer { request, reply in
      if request.method == "HEAD" { reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n") }
      if request.method != "HEAD" { reply.json(200, "12345") }
    }
    let requests = [
      HTTPRequest(method: "DELETE", url: server.url, headers: [("X-A", "1")], body: [0x61]),
      HTTPRequest(method: "GET", url: server.url),
      HTTPRequest(method: "HEAD", url: server.url, headers: [("X-B", "1")]),
      HTTPRequest(method: "POST", url: server.url),
      HTTPRequest(method: "PUT", url: server.url, body: [0x62, 0x63]),
      HTTPRequest(method: "GET", url: server.url),
    ]
    for request in requests {
      let sink = CollectingSink()
      let result = await transport.perform(request, sink: sink)
      #expect(result.end == .complete)
      #expect(sink.bytes.count == (request.method == "HEAD" ? 0 : 5))
    }
    let seen = server.requests
    #expect(seen.map(\.method) == requests.map(\.method))
    #expect(seen.map(\.body) == [[0x61], [], [], [], [0x62, 0x63], []])
    #expect(seen.map { $0.header("x-a") } == ["1", nil, nil, nil, nil, nil])
    #expect(seen.map { $0.header("x-b") } == [nil, nil, "1", nil, nil, nil])
    #expect(seen.map { $0.header("content-length") } == ["1", nil, nil, "0", "2", nil])
    #expect(seen.allSatisfy { $0.connection == 1 })
  }

  @Test func aLargeBodyDoesNotAskForPermission() async throws {
    let server = try WireServer(speed: 0)
    let body = [UInt8](repeating: 0x20, count: 1_500_000)
    let sink = CollectingSink(terminal: "[DONE]")
    let request = HTTPRequest(url: server.url(of: "openai-chat__expect_100_continue_ignored"), body: body)
    let result = await transport.perform(request, sink: sink)
    #expect(result.end == .stoppedBySink)
    let entry = try #require(await server.entries(atLeast: 1).first)
    #expect(!entry.expect100)
    #expect(entry.request.body.count == body.count)
  }

  @Test func redirectsAreReportedNotFollowed() async throws {
    let other = try StubServer { _, reply in reply.json(200, "{}") }
    let server = try StubServer { _, reply in
      reply.json(307, "{}", headers: [("Location", "\(other.url)/elsewhere")])
    }
    let sink = CollectingSink()
    let result = await transport.post(server.url, sink)
    #expect(result.end == .complete)
    #expect(sink.status == 307)
    #expect(sink.headers["location"] == "\(other.url)/elsewhere")
    #expect(other.requests.isEmpty)
  }

  @Test func ipv6() async throws {
    guard let server = try? StubServer(ipv6: true, { _, reply in reply.json(200, "{}") }) else {
      withKnownIssue("this machine has no IPv6 loopback") { Issue.record("not tested") }
      return
    }
    let result = await transport.post(server.url, CollectingSink())
    #expect(result.end == .complete)
    #expect(result.primaryIP == "::1")
  }

  @Test func localhostReachesAServerOnIPv4Only() async throws {
    let server = try StubServer { _, reply in reply.json(200, "{}") }
    let result = await transport.post("http://localhost:\(server.port)/", CollectingSink())
    #expect(result.end == .complete)
    #expect(result.primaryIP == "127.0.0.1")
  }

  @Test(arguments: [
    ("X-A\r\nX-Evil", "1"), ("X-A", "1\r\nX-Evil: 2"), ("X-A", "1\nX-Evil: 2"), ("X-A", "1\0"),
  ])
  func aHeaderCannotCarryAnother(header: (String, String)) async throws {
    let server = try StubServer { _, reply in reply.json(200, "{}") }
    let request = HTTPRequest(url: server.url, headers: [header], body: [])
    let result = await transport.perform(request, sink: CollectingSink())
    #expect(result.end.code == 43)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://", "not a url"])
  func onlyHTTP(url: String) async {
    let result = await transport.post(url, CollectingSink())
    #expect(result.end.code == 1 || result.end.code == 3)
    #expect(result.stamps.connReady == nil)
  }

  @Test func proxiesAreHonouredExceptForThisMachine() async {
    // In a process of its own: the environment belongs to all threads.
    await #expect(processExitsWith: .success) {
      let proxy = try StubServer { _, reply in reply.json(200, "proxy") }
      let server = try StubServer { _, reply in reply.json(200, "direct") }
      setEnvironment("http_proxy", proxy.url)
      setEnvironment("no_proxy", "skipped.invalid")
      let transport = HTTPTransport.forTests()
      let direct = CollectingSink()
      _ = await transport.post(server.url, direct)
      #expect(direct.text == "direct")
      let localhost = CollectingSink()
      _ = await transport.post("http://localhost:\(server.port)/", localhost)
      #expect(localhost.text == "direct")
      let away = CollectingSink()
      _ = await transport.post("http://model.invalid/v1", away)
      #expect(away.text == "proxy")
      #expect(proxy.requests.map(\.path) == ["http://model.invalid/v1"])
      let skipped = await transport.post("http://skipped.invalid/", CollectingSink())
      #expect(skipped.end.code == 6)
    }
  }
}
