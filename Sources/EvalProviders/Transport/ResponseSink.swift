/// What a sink wants after a read.
package enum SinkVerdict: Sendable {
  case more
  /// The answer has ended and may yet be followed by its usage, for which nobody waits long.
  case ending
  /// The terminal marker has been seen: the transfer succeeded, whatever the connection does next.
  case done
}

/// Takes the bytes of one response as they arrive.
///
/// All calls come from the transport's loop thread, and a slow sink delays every other stream: a few
/// microseconds per read at most. Once `HTTPTransport.perform` has returned the loop never touches the sink
/// again, so its owner may read it without a lock.
package protocol ResponseSink: AnyObject {
  /// The final response head; interim (1xx) heads and trailers never arrive here.
  ///
  /// - Parameter at: monotonic nanoseconds of the read that completed the head.
  func head(status: Int, headers: HTTPHeaders, at: Int64)

  /// Bytes of the body, content decoding undone.
  ///
  /// libcurl hands over HTTP chunks one by one, so several calls may belong to one read: they then carry the
  /// same `at` and the same `readSequence`.
  ///
  /// - Parameters:
  ///   - bytes: valid during the call only.
  ///   - at: monotonic nanoseconds, taken when the read's first body byte was handed over, before parsing.
  ///   - readSequence: index of the read, from 0, among the reads of this response that held body bytes.
  func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> SinkVerdict

  /// Whether a token has arrived; stops the first-token timeout.
  var sawToken: Bool { get }

  /// Any number that changes when something token-bearing has arrived; winds the stall timeout up again.
  var progressMark: Int { get }
}
