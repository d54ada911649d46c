import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a client sent.
package struct StubRequest: Sendable {
  package let method: String
  /// Path and query as sent.
  package let path: String
  /// Names in lower case, in the order of arrival.
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]
  /// Monotonic nanoseconds at the end of the head, and at the end of the body.
  package let headAt: Int64
  package let arrivedAt: Int64
  /// Which connection of this server it came on, from 1.
  package let connection: Int
  /// Which request on that connection it is, from 1.
  package let sequence: Int

  /// The first value of a header, by its lower-case name.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  package var bodyText: String { String(decoding: body, as: UTF8.self) }
}

extension StubRequest: CustomStringConvertible {
  /// Short, since a failing test prints it: without headers and body.
  package var description: String { "\(method) \(path) (\(body.count) bytes)" }
}

/// A loopback HTTP/1.1 server whose answers are scripted by a closure, and which can misbehave in every way
/// that a socket can.
///
/// Plain sockets, one thread per connection, a port that the kernel chooses. Connections are kept alive
/// unless the script closes them. Stops by itself when released.
///
/// ```swift
/// let server = try StubServer { request, reply in
///   reply.sseHead()
///   reply.chunk("data: 1\n\n")
///   reply.sleep(ms: 10)
///   reply.chunk("data: [DONE]\n\n")
/// }
/// ```
package final class StubServer: Sendable {
  package typealias Script = @Sendable (StubRequest, StubReply) -> Void

  package let port: UInt16
  /// `http://127.0.0.1:PORT` or `http://[::1]:PORT`, without a slash at the end.
  package let url: String
  private let listener: Listener

  /// - Parameters:
  ///   - ipv6: listen on `::1` only, instead of `127.0.0.1` only.
  ///   - answersExpect: whether a request head that asks `Expect: 100-continue` gets its interim answer.
  ///   - script: called on the connection's own thread for each request.
  package init(
    ipv6: Bool = false, answersExpect: @escaping @Sendable (StubRequest) -> Bool = { _ in true },
    _ script: @escaping Script
  ) throws {
    let (fd, port) = try Sockets.listen(ipv6: ipv6, backlog: 512)
    self.port = port
    url = ipv6 ? "http://[::1]:\(port)" : "http://127.0.0.1:\(port)"
    listener = Listener(fd: fd, script: script, answersExpect: answersExpect)
    listener.start()
  }

  deinit { listener.stop() }

  /// Every request read so far, in the order of arrival.
  package var requests: [StubRequest] { listener.state.withLock { $0.requests } }

  /// How many connections were accepted so far.
  package var connectionCount: Int { listener.state.withLock { $0.accepted } }

  /// Closes the listening socket and all connections; running scripts see their client gone.
  package func stop() { listener.stop() }
}

/// The part of a server that its threads keep alive.
final class Listener: Sendable {
  struct State {
    var requests: [StubRequest] = []
    var accepted = 0
    var open: Set<Int32> = []
    var isStopped = false
  }

  let state = Mutex(State())
  let script: StubServer.Script
  let answersExpect: @Sendable (StubRequest) -> Bool
  private let fd: Int32

  init(
    fd: Int32, script: @escaping StubServer.Script, answersExpect: @escaping @Sendable (StubRequest) -> Bool
  ) {
    self.fd = fd
    self.script = script
    self.answersExpect = answersExpect
  }

  func start() {
    Thread.detachNewThread { [self] in
      while !state.withLock({ $0.isStopped }) {
        // `shutdown` ends this wait on Linux only; elsewhere the time limit does.
        var entry = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 250) > 0 else { continue }
        let client = accept(fd, nil, nil)
        // Out of descriptors, or a client that left again: neither is the end.
        if client >= 0 { serve(client) } else { usleep(1000) }
      }
      close(fd)
    }
  }

  private func serve(_ client: Int32) {
    Sockets.tune(client)
    let number: Int? = state.withLock {
      guard !$0.isStopped else { return nil }
      $0.accepted += 1
      $0.open.insert(client)
      return $0.accepted
    }
    guard let number else {
      close(client)
      return
    }
    let connection = StubConnection(fd: client, number: number, listener: self)
    Thread.detachNewThread { connection.run() }
  }

  /// Closes a connection's socket exactly once, under the lock that `stop` takes.
  func closed(_ client: Int32) {
    state.withLock {
      $0.open.remove(client)
      close(client)
    }
  }

  func stop() {
    state.withLock {
      guard !$0.isStopped else { return }
      $0.isStopped = true
      // Wakes the accepting thread, which closes the socket.
      shutdown(fd, Int32(SHUT_RDWR))
      for client in $0.open { shutdown(client, Int32(SHUT_RDWR)) }
    }
  }
}
