import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads requests from one connection and hands them to the script; one thread.
final class StubConnection: @unchecked Sendable {
  private let fd: Int32
  private let number: Int
  private let listener: Listener
  private var buffer: [UInt8] = []

  init(fd: Int32, number: Int, listener: Listener) {
    self.fd = fd
    self.number = number
    self.listener = listener
  }

  func run() {
    defer { listener.closed(fd) }
    var sequence = 0
    while let head = readHead() {
      sequence += 1
      guard let request = readRequest(head, sequence: sequence) else { return }
      listener.state.withLock { $0.requests.append(request) }
      let reply = StubReply(fd: fd)
      listener.script(request, reply)
      guard reply.finishAfterScript() else { return }
      if request.header("connection")?.lowercased() == "close" { return }
    }
  }

  private struct Head {
    var method: String
    var path: String
    var headers: [(name: String, value: String)]
    var at: Int64
  }

  /// The next request head; `nil` when the client has gone or sends something else.
  private func readHead() -> Head? {
    var scanned = 0
    var end: Int?
    while end == nil {
      end = Self.endOfHead(buffer, from: max(0, scanned - 3))
      scanned = buffer.count
      if end == nil, !fill() { return nil }
    }
    let at = monotonicNanoseconds()
    let text = String(decoding: buffer[..<end!], as: UTF8.self)
    buffer.removeFirst(end!)
    // "\r\n" is one Character.
    let lines = text.split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      let value = line[colon...].dropFirst().drop { $0 == " " }
      return (name: line[..<colon].lowercased(), value: String(value))
    }
    return Head(method: String(words[0]), path: String(words[1]), headers: headers, at: at)
  }

  private func readRequest(_ head: Head, sequence: Int) -> StubRequest? {
    func request(_ body: [UInt8]) -> StubRequest {
      StubRequest(
        method: head.method, path: head.path, headers: head.headers, body: body, headAt: head.at,
        arrivedAt: monotonicNanoseconds(), connection: number, sequence: sequence)
    }
    let withoutBody = request([])
    if withoutBody.header("expect")?.lowercased() == "100-continue", listener.answersExpect(withoutBody) {
      let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      guard interim.withUnsafeBytes({ Sockets.sendAll(fd, $0) }) else { return nil }
    }
    if withoutBody.header("transfer-encoding")?.lowercased() == "chunked" {
      return readChunkedBody().map(request)
    }
    return take(Int(withoutBody.header("content-length") ?? "0") ?? 0).map(request)
  }

  private func readChunkedBody() -> [UInt8]? {
    var body: [UInt8] = []
    while true {
      guard let line = readLine(), let size = Int(line.prefix { $0 != ";" }, radix: 16) else { return nil }
      guard let chunk = take(size), take(2) != nil else { return nil }
      if size == 0 { return body }
      body += chunk
    }
  }

  private func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<max(end - 1, 0)], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return line
      }
      if !fill() { return nil }
    }
  }

  private func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      if !fill() { return nil }
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  private func fill() -> Bool {
    let old = buffer.count
    var got = 0
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { room in
      repeat { got = recv(fd, room.baseAddress!, room.count, 0) } while got < 0 && errno == EINTR
      if got > 0 { buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: room[..<got])) }
    }
    return buffer.count > old
  }

  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4 else { return nil }
    var index = start
    while index + 3 < bytes.count {
      if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
        return index + 4
      }
      index += 1
    }
    return nil
  }
}
