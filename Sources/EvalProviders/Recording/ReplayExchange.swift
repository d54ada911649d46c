package import EvalCore

/// Answers requests from a recording: the same bytes with the same stamps through the same reading, and no socket.
///
/// The timeline is the recording's own, moved to begin now. A request that is not recorded fails as `notRecorded`; it
/// is never answered by another one, nor one repeat by another.
package struct ReplayExchange: Exchange {
  package let recording: Recording
  private let pace: ReplayPace
  private let includeFailures: Bool
  private let neighbours: RecordedNeighbours

  /// - Parameters:
  ///   - pace: whether each read waits for its recorded moment. The stamps are the same either way.
  ///   - includeFailures: serve failed attempts as they went; else only answers that came in whole.
  package init(_ recording: Recording, pace: ReplayPace, includeFailures: Bool = false) {
    self.recording = recording
    self.pace = pace
    self.includeFailures = includeFailures
    neighbours = RecordedNeighbours(recording)
  }

  package func perform(_ request: ExchangeRequest, sink: any ResponseSink) async -> ExchangeResult {
    guard let entry = recording.entry(for: request, includeFailures: includeFailures) else {
      return miss(neighbours.explain(request, includeFailures: includeFailures))
    }
    do {
      return await play(try recording.exchange(at: entry), into: sink)
    } catch {
      return miss("\(recording.path):\(entry.line) cannot be read any more: \(error.message)")
    }
  }

  /// It has no start: an answer that was not there took no time.
  private func miss(_ message: String) -> ExchangeResult {
    let transfer = TransferResult(
      stamps: .init(done: Monotonic.now()), end: .cancelled, bytesSent: 0, bytesReceived: 0,
      requestBodyBytes: 0)
    return ExchangeResult(transfer, provenance: .recorded, error: ProviderError(.notRecorded, message))
  }
}

// MARK: - Playing

extension ReplayExchange {
  private func play(_ exchange: RecordedExchange, into sink: any ResponseSink) async -> ExchangeResult {
    let start = Monotonic.now()
    var end = exchange.end
    var done = exchange.stamps.done
    do {
      try await feed(exchange, from: start, into: sink, &end, &done)
      try await wait(until: start + done)
    } catch {
      end = .cancelled
      done = Monotonic.now() - start
    }
    func moment(_ since: Int64?) -> Int64? { since.map { start + $0 } }
    let stamps = TransferResult.Stamps(
      start: start, connReady: moment(exchange.stamps.connectionReady),
      firstByte: moment(exchange.stamps.firstByte), done: start + done)
    let connection = exchange.connection
    let transfer = TransferResult(
      stamps: stamps, end: end, newConnection: connection.isCold, httpVersion: connection.httpVersion,
      bytesSent: connection.bytesSent ?? 0, bytesReceived: connection.bytesReceived ?? 0,
      requestBodyBytes: 0)
    var result = ExchangeResult(transfer, provenance: .recorded)
    result.clientTime = exchange.startedAt
    return result
  }

  /// - Throws: when the task is cancelled.
  private func feed(
    _ exchange: RecordedExchange, from start: Int64, into sink: any ResponseSink, _ end: inout TransferEnd,
    _ done: inout Int64
  ) async throws {
    // A program's answer has no head.
    if let status = exchange.status {
      let head = exchange.stamps.head ?? exchange.stamps.firstByte ?? 0
      try await wait(until: start + head)
      sink.head(status: status, headers: HTTPHeaders(exchange.headers), at: start + head)
    }
    var from = 0
    for (sequence, read) in exchange.reads.enumerated() {
      try await wait(until: start + read.at)
      let verdict = exchange.stream.withUnsafeBytes { bytes in
        sink.body(
          UnsafeRawBufferPointer(rebasing: bytes[from..<read.end]), at: start + read.at,
          readSequence: sequence)
      }
      from = read.end
      guard verdict == .done else { continue }
      // Today's reading may see the end sooner than the one that recorded.
      if read.end < exchange.stream.count { (end, done) = (.stoppedBySink, read.at) }
      return
    }
    // … or later: what would have followed is not known.
    if end == .stoppedBySink { end = .complete }
  }

  private func wait(until moment: Int64) async throws {
    guard pace == .recorded else { return }
    let left = moment - Monotonic.now()
    guard left > 0 else { return try Task.checkCancellation() }
    try await Task.sleep(for: .nanoseconds(left), tolerance: .zero)
  }
}
