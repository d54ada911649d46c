/// Which of a transfer's time limits ran out.
package enum TransferTimeout: String, Sendable {
  case connect, firstToken, stall, total
}

/// How a transfer ended.
package enum TransferEnd: Sendable, Equatable {
  /// The response came in whole, as far as HTTP can tell.
  case complete
  /// The sink saw its terminal marker. What the connection did afterwards does not matter.
  case stoppedBySink
  /// libcurl gave up.
  ///
  /// - Parameters:
  ///   - code: a `CURLcode`: 6 DNS, 7 refused, 18 cut short, 35 and 60 TLS, 52 empty, 56 reset, 92 HTTP/2 …
  ///   - message: libcurl's words for a person.
  case failed(code: Int, message: String)
  /// A program ended by itself without success.
  ///
  /// - Parameters:
  ///   - code: its exit code, or minus the number of the signal that ended it.
  ///   - message: the end of what it wrote to standard error.
  case exited(code: Int, message: String)
  case timeout(TransferTimeout)
  /// The task was cancelled or the transport shut down.
  case cancelled
}

/// What the transport knows about a finished transfer. The response itself is in the sink.
package struct TransferResult: Sendable {
  /// Moments in monotonic nanoseconds; `nil` where the transfer did not get so far.
  package struct Stamps: Sendable, Equatable {
    /// Handed to libcurl.
    package var start: Int64?
    /// Connected, or an open connection found; the request is about to be sent.
    package var connReady: Int64?
    /// First byte of the response, which may be an interim head.
    package var firstByte: Int64?
    /// The end: for `stoppedBySink` the stamp of the read that held the terminal marker.
    package var done: Int64
  }

  package var stamps: Stamps
  package var end: TransferEnd
  /// Whether a connection had to be opened; true also when a kept one turned out dead and libcurl replaced
  /// it. `nil` when there never was a connection.
  package var newConnection: Bool?
  /// "1.0", "1.1", "2" or "3"; `nil` without a response.
  package var httpVersion: String?
  package var primaryIP: String?
  package var primaryPort: Int?
  /// Request head and body bytes, without TLS overhead.
  package var bytesSent: Int
  /// Response head and body bytes before content decoding, without chunk framing and TLS overhead.
  package var bytesReceived: Int
  package var requestBodyBytes: Int
}
