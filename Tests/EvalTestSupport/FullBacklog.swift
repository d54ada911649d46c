#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A listening socket that accepts nobody and whose queue is full: on Linux a connection to it never opens.
package final class FullBacklog: Sendable {
  package let url: String
  private let sockets: [Int32]

  package init() throws {
    let (listener, port) = try Sockets.listen(ipv6: false, backlog: 0)
    url = "http://127.0.0.1:\(port)"
    sockets = [listener] + (0..<4).compactMap { _ in Sockets.startConnecting(port: port) }
  }

  deinit { for socket in sockets { close(socket) } }
}

/// Sets a variable of this process; only for tests that have a process of their own.
package func setEnvironment(_ name: String, _ value: String?) {
  if let value { setenv(name, value, 1) } else { unsetenv(name) }
}
