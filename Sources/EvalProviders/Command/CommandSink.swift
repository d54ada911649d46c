import EvalCore

/// Puts what a program writes through a `CommandReading`. It belongs to the program's thread until the exchange is over.
final class CommandSink: JudgingSink {
  private var reading: CommandReading
  private let counters: LiveCounters?

  init(_ reading: CommandReading, counters: LiveCounters?) {
    self.reading = reading
    self.counters = counters
  }

  /// A program's answer has none.
  func head(status: Int, headers: HTTPHeaders, at: Int64) {}

  func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> SinkVerdict {
    let before = reading.deltaCount
    let isOverflown = reading.body(bytes, at: at, readSequence: readSequence)
    if reading.deltaCount > before { counters?.add(tokenEvents: reading.deltaCount - before) }
    return isOverflown ? .done : hasEnded ? .ending : .more
  }

  var sawToken: Bool { reading.tokenEventCount > 0 || hasEnded }
  var progressMark: Int { reading.tokenEventCount }

  /// Whether the program has said how its answer ends; it may still report usage.
  private var hasEnded: Bool { reading.answer.isTerminated || reading.answer.error != nil }

  func reply(endedBy end: TransferEnd, clientTime: Double) -> ProviderReply {
    // The reading is a value: finishing this copy leaves the exchange's as it is.
    CommandReply(end: end).reply(from: reading)
  }
}
