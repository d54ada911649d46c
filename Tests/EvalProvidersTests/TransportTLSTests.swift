import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

/// A TLS server with a certificate that nobody has signed, run by the `openssl` command.
private final class TLSServer {
  let url: String
  let certificate: String
  private let directory: URL
  private let process = Process()

  static let openssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  init() throws {
    let openssl = URL(filePath: try #require(Self.openssl))
    directory = FileManager.default.temporaryDirectory.appending(path: "evalrun-tls-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    certificate = directory.appending(path: "cert.pem").path
    let key = directory.appending(path: "key.pem").path
    let making = Process()
    making.executableURL = openssl
    making.arguments =
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
      + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
      + ["-keyout", key, "-out", certificate]
    making.standardError = FileHandle.nullDevice
    try making.run()
    making.waitUntilExit()
    url = "https://\(try Self.serve(process, openssl, certificate: certificate, key: key))/"
  }

  /// Starts the server and returns the address it listens on.
  private static func serve(
    _ process: Process, _ openssl: URL, certificate: String, key: String
  ) throws -> Substring {
    let output = Pipe()
    process.executableURL = openssl
    process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var isReady = false
    defer { if !isReady { kill(process.processIdentifier, SIGKILL) } }
    // "ACCEPT 127.0.0.1:41234"
    var text = ""
    while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      text += String(decoding: more, as: UTF8.self)
    }
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") })
    let address = try #require(line.split(separator: " ").last)
    isReady = true
    return address
  }

  deinit {
    // Not `terminate`: a child started from a pool thread has SIGTERM blocked, as that thread has.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: directory)
  }
}

@Suite(.timeLimit(.minutes(1)), .enabled(if: TLSServer.openssl != nil, "needs the openssl command"))
struct TransportTLSTests {
  @Test func certificatesAreVerified() async throws {
    let server = try TLSServer()
    let stranger = HTTPTransport(maxConnections: 1, userAgent: "evalrun-tests", caBundle: nil)
    let refused = await stranger.perform(HTTPRequest(method: "GET", url: server.url), sink: CollectingSink())
    #expect(refused.end.code == 60)
    #expect(refused.stamps.connReady == nil)

    let friend = HTTPTransport(maxConnections: 1, userAgent: "evalrun-tests", caBundle: server.certificate)
    for version in [HTTPVersion.h1, .h2] {
      let sink = CollectingSink()
      let request = HTTPRequest(method: "GET", url: server.url, httpVersion: version)
      let result = await friend.perform(request, sink: sink)
      #expect(result.end == .complete)
      #expect(sink.status == 200)
      #expect(result.newConnection == true)
    }
  }

  @Test(arguments: ["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
  func theEnvironmentNamesTheTrustedCertificates(variable: String) async {
    // In a process of its own: the environment belongs to all threads.
    await #expect(processExitsWith: .success) { [variable] in
      let server = try TLSServer()
      setEnvironment("CURL_CA_BUNDLE", nil)
      setEnvironment("SSL_CERT_FILE", nil)
      setEnvironment(variable, server.certificate)
      let request = HTTPRequest(method: "GET", url: server.url)
      let result = await HTTPTransport.forTests().perform(request, sink: CollectingSink())
      #expect(result.end == .complete)
    }
  }
}
