import EvalCore

/// Puts what the transport delivers through a `StreamReading`. It belongs to the loop thread until the exchange is over.
final class ReadingSink: ResponseSink {
  var reading: StreamReading
  private let counters: LiveCounters?

  init(_ reading: StreamReading, counters: LiveCounters?) {
    self.reading = reading
    self.counters = counters
  }

  func head(status: Int, headers: HTTPHeaders, at: Int64) {
    reading.head(status: status, headers: headers)
  }

  func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> SinkVerdict {
    let before = reading.tokenEventCount
    let isDone = reading.body(bytes, at: at, readSequence: readSequence)
    if reading.tokenEventCount > before { counters?.add(tokenEvents: reading.tokenEventCount - before) }
    return isDone ? .done : .more
  }

  /// An answer in one piece has no first token; its first byte stops that clock.
  var sawToken: Bool {
    reading.tokenEventCount > 0 || (reading.bodyBytes > 0 && !reading.shape.isStream)
  }

  var progressMark: Int {
    reading.shape.isStream ? reading.tokenEventCount : reading.bodyBytes
  }
}
