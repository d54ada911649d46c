#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A socket call that failed while a server was being set up.
package struct SocketError: Error, CustomStringConvertible {
  package let call: String
  package let code: Int32
  package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// Monotonic nanoseconds, on the clock of the stamps under test.
package func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// POSIX sockets with the casts that differ between systems.
enum Sockets {
  #if canImport(Darwin)
    static let stream = SOCK_STREAM
    static let noSignal: Int32 = 0
    static let peerClosed: Int16 = 0
  #else
    static let stream = Int32(SOCK_STREAM.rawValue)
    static let noSignal = Int32(MSG_NOSIGNAL)
    /// POLLRDHUP, which Glibc hides.
    static let peerClosed: Int16 = 0x2000
  #endif

  /// A listening socket on a loopback port that the kernel chooses.
  static func listen(ipv6: Bool, backlog: Int32) throws -> (fd: Int32, port: UInt16) {
    let fd = socket(ipv6 ? AF_INET6 : AF_INET, stream, 0)
    guard fd >= 0 else { throw SocketError(call: "socket", code: errno) }
    keepFromChildren(fd)
    set(fd, SOL_SOCKET, SO_REUSEADDR, Int32(1))
    let bound = ipv6 ? bindLoopback6(fd) : bindLoopback4(fd)
    guard bound == 0, systemListen(fd, backlog) == 0 else {
      let code = errno
      close(fd)
      throw SocketError(call: "bind or listen", code: code)
    }
    return (fd, port(of: fd, getsockname) ?? 0)
  }

  static func set<Value: BitwiseCopyable>(_ fd: Int32, _ level: Int32, _ option: Int32, _ value: Value) {
    var value = value
    setsockopt(fd, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  /// Makes the coming `close` send a RST.
  static func armReset(_ fd: Int32) {
    set(fd, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }

  /// A child of another test must not keep a connection open that this process closes.
  static func keepFromChildren(_ fd: Int32) { _ = fcntl(fd, F_SETFD, FD_CLOEXEC) }

  static func tune(_ fd: Int32) {
    keepFromChildren(fd)
    set(fd, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    #if canImport(Darwin)
      set(fd, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
    #endif
  }

  /// Sends everything; false when the peer has gone.
  static func sendAll(_ fd: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = send(fd, bytes.baseAddress! + sent, bytes.count - sent, noSignal)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// A connection to a loopback port, for tests that fill a backlog; `nil` when it could not be started.
  static func startConnecting(port: UInt16) -> Int32? {
    let fd = socket(AF_INET, stream, 0)
    guard fd >= 0 else { return nil }
    _ = fcntl(fd, F_SETFL, O_NONBLOCK)
    _ = withLoopback4(port: port) { connect(fd, $0, $1) }
    return fd
  }

  private static func bindLoopback4(_ fd: Int32) -> Int32 {
    withLoopback4(port: 0) { bind(fd, $0, $1) }
  }

  private static func withLoopback4(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  private static func bindLoopback6(_ fd: Int32) -> Int32 {
    set(fd, Int32(IPPROTO_IPV6), IPV6_V6ONLY, Int32(1))
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(fd, $0, size) }
    }
  }

  typealias NameCall = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

  /// The port that `getsockname` or `getpeername` tells; `nil` when the call fails.
  static func port(of fd: Int32, _ call: NameCall) -> UInt16? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(fd, $0, &size) }
    }
    guard result == 0 else { return nil }
    // The port sits at the same place in both address families.
    return withUnsafeBytes(of: &storage) {
      UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }

  private static func systemListen(_ fd: Int32, _ backlog: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.listen(fd, backlog)
    #elseif canImport(Glibc)
      Glibc.listen(fd, backlog)
    #else
      Musl.listen(fd, backlog)
    #endif
  }
}
