import CCurl

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
