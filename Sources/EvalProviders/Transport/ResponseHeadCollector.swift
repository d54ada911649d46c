/// Puts the final response head together from libcurl's header lines.
///
/// libcurl hands over the lines of every head, interim ones included, and of the trailers after the body.
/// A collector that does not start again at each status line keeps stale fields.
struct ResponseHeadCollector {
  struct Head {
    var status: Int
    var headers: HTTPHeaders
  }

  private var status: Int?
  private var block: [UInt8] = []
  private var isComplete = false

  /// Takes one line with its line end, and returns the head when this line ends the final one.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Head? {
    if isComplete { return nil }
    if let newStatus = Self.statusCode(line) {
      status = newStatus
      block.removeAll(keepingCapacity: true)
      return nil
    }
    if !Self.isBlank(line) {
      block.append(contentsOf: line)
      return nil
    }
    guard let status, status >= 200 else { return nil }
    isComplete = true
    return Head(status: status, headers: HTTPHeaders(block: block))
  }

  private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
  }

  /// The code of a status line (`HTTP/1.1 200 OK`, `HTTP/2 200`), or `nil` for any other line.
  private static func statusCode(_ line: UnsafeRawBufferPointer) -> Int? {
    guard line.count > 5, line.prefix(5).elementsEqual("HTTP/".utf8) else { return nil }
    guard let space = line.firstIndex(of: 0x20) else { return nil }
    var code = 0
    for byte in line[(space + 1)...].prefix(3) {
      guard (0x30...0x39).contains(byte) else { return nil }
      code = code * 10 + Int(byte - 0x30)
    }
    return code
  }
}
