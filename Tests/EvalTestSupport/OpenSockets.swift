#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A socket of this process.
package struct OpenSocket: Sendable {
  package let fd: Int32
  /// Whether a child process will not have it.
  package let closesOnExec: Bool
}

/// The sockets of this process that are connected to a port.
package func openSockets(toPort port: UInt16) -> [OpenSocket] {
  (Int32(0)..<4096).compactMap { fd in
    let flags = fcntl(fd, F_GETFD)
    guard flags >= 0, Sockets.port(of: fd, getpeername) == port else { return nil }
    return OpenSocket(fd: fd, closesOnExec: flags & FD_CLOEXEC != 0)
  }
}
