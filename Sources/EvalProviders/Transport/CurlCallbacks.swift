import CCurl

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Called by libcurl on the loop thread. Plain functions in a file of their own: a closure written in a
// main-actor context would trap there.

func curlGaveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

func curlGaveHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  transfer.receive(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

func curlIsConnected(
  _ context: UnsafeMutableRawPointer?, _ primaryIP: UnsafeMutablePointer<CChar>?,
  _ localIP: UnsafeMutablePointer<CChar>?, _ primaryPort: Int32, _ localPort: Int32
) -> Int32 {
  if let context { Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().connectionReady() }
  return Int32(CURL_PREREQFUNC_OK)
}

/// Opens sockets that child processes do not inherit: a grader's child would keep a connection alive that we
/// have closed, and could read another case's answer from it.
func curlOpensSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let address = address?.pointee else { return -1 }
  #if os(Linux)
    return socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
  #else
    let opened = socket(address.family, address.socktype, address.protocol)
    if opened >= 0 { _ = fcntl(opened, F_SETFD, FD_CLOEXEC) }
    return opened
  #endif
}
