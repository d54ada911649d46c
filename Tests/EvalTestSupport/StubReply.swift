#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Sends one response, well or badly. Belongs to the connection's thread: use it inside the script only.
///
/// Each call is one `send` with `TCP_NODELAY`. Once the client has gone, or after `close` or `reset`,
/// everything here does nothing.
package final class StubReply {
  private let fd: Int32
  private var chunkedBodyIsOpen = false
  /// False once the connection must not be used again.
  private var isOpen = true
  /// True when a send failed or the client hung up during a `sleep`.
  package private(set) var clientGone = false

  init(fd: Int32) { self.fd = fd }

  /// Bytes as they are; returns the monotonic nanoseconds just before and just after the send.
  @discardableResult
  package func raw(_ bytes: some Collection<UInt8>) -> (before: Int64, after: Int64) {
    let before = monotonicNanoseconds()
    if isOpen, !bytes.isEmpty {
      let sent =
        bytes.withContiguousStorageIfAvailable { Sockets.sendAll(fd, UnsafeRawBufferPointer($0)) }
        ?? Array(bytes).withUnsafeBytes { Sockets.sendAll(fd, $0) }
      if !sent { leave() }
    }
    return (before, monotonicNanoseconds())
  }

  @discardableResult
  package func raw(_ text: String) -> (before: Int64, after: Int64) { raw(Array(text.utf8)) }

  /// The head of a chunked event stream; `finish` is called by itself after the script.
  package func sseHead(status: Int = 200, headers: [(String, String)] = []) {
    let all = [("Content-Type", "text/event-stream"), ("Transfer-Encoding", "chunked")] + headers
    raw(Self.head(status, all))
    chunkedBodyIsOpen = true
  }

  /// One HTTP chunk, in one send.
  @discardableResult
  package func chunk(_ text: String) -> (before: Int64, after: Int64) {
    raw("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
  }

  /// The last chunk, with trailers if any.
  package func finish(trailers: [(String, String)] = []) {
    guard chunkedBodyIsOpen else { return }
    chunkedBodyIsOpen = false
    raw("0\r\n" + trailers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n")
  }

  /// A whole response with a Content-Length, in one send.
  package func json(_ status: Int = 200, _ body: String, headers: [(String, String)] = []) {
    let fixed = [("Content-Type", "application/json"), ("Content-Length", String(body.utf8.count))]
    raw(Self.head(status, fixed + headers) + body)
  }

  /// Waits, but not longer than the client stays.
  package func sleep(ms: Int) {
    let end = monotonicNanoseconds() + Int64(ms) * 1_000_000
    while isOpen {
      let left = end - monotonicNanoseconds()
      if left <= 0 { return }
      var entry = pollfd(fd: fd, events: Sockets.peerClosed, revents: 0)
      // Up to the last full millisecond by poll, the rest by nanosleep.
      if left >= 1_000_000 {
        if poll(&entry, 1, Int32(left / 1_000_000)) > 0 { leave() }
      } else {
        var rest = timespec(tv_sec: 0, tv_nsec: Int(left))
        nanosleep(&rest, nil)
      }
    }
  }

  /// Cuts the connection with a RST, after the bytes sent so far had 30 ms to be read: a RST may overtake them.
  package func reset() {
    guard isOpen else { return }
    sleep(ms: 30)
    Sockets.armReset(fd)
    isOpen = false
  }

  /// Ends the connection with a FIN, whatever of the response is missing.
  package func close() { isOpen = false }

  /// Ends an open chunked body.
  ///
  /// - Returns: whether the connection can take another request.
  func finishAfterScript() -> Bool {
    finish()
    return isOpen
  }

  private func leave() {
    clientGone = true
    isOpen = false
  }

  private static func head(_ status: Int, _ headers: [(String, String)]) -> String {
    "HTTP/1.1 \(status) Scripted\r\n" + headers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
  }
}
