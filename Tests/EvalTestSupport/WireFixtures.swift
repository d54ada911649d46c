package import Foundation

/// How a fixture's bytes are sent; see `Tests/Fixtures/wire/README.md`.
package struct WirePlan: Decodable, Sendable {
  package struct Flush: Decodable, Sendable {
    /// Exclusive end, in bytes of the `.http` file.
    package let to: Int
    package let afterMs: Double?
  }

  package struct Event: Decodable, Sendable {
    package let event: Int
    package let endOffset: Int
  }

  package struct Patch: Decodable, Sendable {
    package let offset: Int
    package let length: Int
    package let kind: String
    package let plusSeconds: Double?
  }

  package struct End: Decodable, Sendable { package let mode: String }
  package struct Request: Decodable, Sendable { package let on100: String? }

  package let headerBytes: Int
  package let totalBytes: Int
  package let flush: [Flush]
  package let ttft: Event?
  package let firstText: Event?
  package let patch: [Patch]
  package let end: End
  package let request: Request
}

/// One raw response with its plan.
package struct WireFixture: Sendable {
  package let name: String
  package let bytes: [UInt8]
  package let plan: WirePlan

  /// The bytes with their dates set relative to now.
  package func patched(now: Date = Date()) -> [UInt8] {
    var patched = bytes
    for patch in plan.patch where patch.kind == "httpDate" {
      let date = Array(Self.httpDate(now.addingTimeInterval(patch.plusSeconds ?? 0)).utf8)
      precondition(date.count == patch.length, "\(name): a date does not fit its place")
      patched.replaceSubrange(patch.offset..<(patch.offset + patch.length), with: date)
    }
    return patched
  }

  /// Whether a client may use the connection again after this response.
  package var keepsConnection: Bool {
    let head = String(decoding: bytes[..<plan.headerBytes], as: UTF8.self).lowercased()
    let isChunked = head.contains("transfer-encoding: chunked")
    let isWhole =
      isChunked ? bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8) : head.contains("content-length:")
    return isWhole && plan.end.mode == "close" && !head.contains("connection: close")
  }

  private static func httpDate(_ date: Date) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: date)
  }
}

/// The fixtures in `Tests/Fixtures/wire`, found beside this source file.
package enum WireFixtures {
  package static let directory = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/wire")

  /// All case names, sorted: `<api>__<quirk>`.
  package static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return files.filter { $0.hasSuffix(".http") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// - Throws: when the case does not exist or its plan does not decode.
  package static func load(_ name: String) throws -> WireFixture {
    let bytes = try Data(contentsOf: directory.appending(path: "\(name).http"))
    let plan = try Data(contentsOf: directory.appending(path: "\(name).json"))
    return WireFixture(
      name: name, bytes: Array(bytes), plan: try JSONDecoder().decode(WirePlan.self, from: plan))
  }

  /// The raw JSON of the right reading, for the test that knows its form.
  ///
  /// - Throws: when the file does not exist.
  package static func expectation(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appending(path: "\(name).expect.json"))
  }
}
