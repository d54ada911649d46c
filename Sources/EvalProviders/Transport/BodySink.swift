/// Keeps a small response whole, for a request that is no call.
final class BodySink: ResponseSink {
  /// A list of some hundred models is a megabyte.
  private static let limit = 16 << 20

  private(set) var status: Int?
  private(set) var body: [UInt8] = []

  func head(status: Int, headers: HTTPHeaders, at: Int64) { self.status = status }

  func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> SinkVerdict {
    guard body.count + bytes.count <= Self.limit else { return .done }
    body.append(contentsOf: bytes)
    return .more
  }

  var sawToken: Bool { !body.isEmpty }
  var progressMark: Int { body.count }
}
