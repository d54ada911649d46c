package import EvalCore
import Synchronization

/// Passes exchanges on to the network and keeps each one in a file when it has ended.
///
/// A line is written with one `write`, so that a killed process loses the exchanges in flight and nothing else. No
/// secret is written: all text is redacted by value, and an answer that spells one out piece by piece is left out.
package final class StreamRecorder: Exchange {
  private let inner: any Exchange
  private let file: RecordingFile
  private let secrets: @Sendable () -> [String]
  private let state = Mutex(State())

  private struct State {
    var secrets: [String] = []
    var redactor = Redactor(secrets: [])
    /// Written with the first exchange, when the secrets are known; then `nil`.
    var header: RecordingHeader?
    var withheld = 0
  }

  /// - Parameters:
  ///   - path: a new file, or a recording that goes on: then what it holds stays, and of two answers to one request the
  ///     later one counts.
  ///   - secrets: every secret resolved so far; asked for at each exchange, because providers are made later.
  /// - Throws: a `Problem` for a file that cannot be written or is no recording.
  package init(
    _ inner: any Exchange, to path: String, header: RecordingHeader,
    secrets: @escaping @Sendable () -> [String]
  ) throws(Problem) {
    self.inner = inner
    self.secrets = secrets
    file = try RecordingFile(path: path)
    state.withLock { $0.header = header }
  }

  package func perform(_ request: ExchangeRequest, sink: any ResponseSink) async -> ExchangeResult {
    let tap = RecordingSink(sink)
    let startedAt = WallClock.now()
    let result = await inner.perform(request, sink: tap)
    guard result.error == nil, let start = result.transfer.stamps.start else { return result }
    let moment = Moment(monotonic: start, wall: startedAt)
    let reply = (sink as? any JudgingSink)?.reply(endedBy: result.transfer.end, clientTime: startedAt)
    // A person's Ctrl-C says nothing about the endpoint.
    if reply?.outcome.error?.kind == .cancelled { return result }
    let redactor = redactor()
    if let reply, redactor.finds(in: reply) {
      state.withLock { $0.withheld += 1 }
      return result
    }
    if let exchange = Self.exchange(request, tap, result.transfer, moment, reply?.outcome, redactor) {
      write(exchange, redactor)
    }
    return result
  }

  private func write(_ exchange: RecordedExchange, _ redactor: Redactor) {
    let line = exchange.line
    state.withLock { state in
      guard var header = state.header else { return }
      header.description = redactor.redact(header.description)
      file.append(header.line)
      state.header = nil
    }
    file.append(line)
  }

  /// What is to be said of the recording at the end of a run.
  package var findings: [Finding] {
    var findings: [Finding] = []
    if file.wasRepaired {
      findings.append(
        Finding(
          code: "recording-repaired", message: "\(file.path) ended in the middle of a line; it was removed"))
    }
    if let failure = file.failure {
      findings.append(
        Finding(
          code: "recording-stopped", message: "\(file.path) is not complete: \(failure)",
          advice: "make room and record again"))
    }
    let withheld = state.withLock { $0.withheld }
    if withheld > 0 {
      findings.append(
        Finding(
          code: "recording-withheld",
          message: "\(withheld) answers spelled out a secret and were not recorded",
          advice: "keep secrets out of prompts"))
    }
    return findings
  }

  private func redactor() -> Redactor {
    let secrets = secrets()
    return state.withLock { state in
      if state.secrets != secrets {
        state.secrets = secrets
        state.redactor = Redactor(secrets: secrets)
      }
      return state.redactor
    }
  }
}

// MARK: - What is kept

extension StreamRecorder {
  /// One moment on both clocks.
  private struct Moment {
    var monotonic: Int64
    var wall: Double
  }

  private static func exchange(
    _ request: ExchangeRequest, _ tap: RecordingSink, _ transfer: TransferResult, _ start: Moment,
    _ outcome: Outcome?, _ redactor: Redactor
  ) -> RecordedExchange? {
    guard let hash = ContentHash(hex: request.hash) else { return nil }
    var ends = tap.reads.map(\.end)
    let stream = redactor.redact(tap.stream, moving: &ends)
    func since(_ moment: Int64?) -> Int64? { moment.map { max(0, $0 - start.monotonic) } }
    var exchange = RecordedExchange(
      hash: hash, endpoint: redactor.redact(request.endpoint), model: redactor.redact(request.model),
      repeatIndex: request.repeatIndex, attemptIndex: request.attemptIndex, profile: request.profile,
      startedAt: start.wall, outcome: label(outcome, tap.status, transfer.end),
      body: request.body.isNull ? nil : redactor.redact(request.body),
      stamps: .init(
        connectionReady: since(transfer.stamps.connReady), firstByte: since(transfer.stamps.firstByte),
        head: since(tap.headAt), done: since(transfer.stamps.done)!),
      end: transfer.end.redacted(redactor))
    exchange.status = tap.status
    exchange.headers = tap.headers.map { ($0.name, redactor.redact($0.value)) }
    exchange.stream = stream
    exchange.reads = merged(zip(ends, tap.reads).map { .init(end: $0, at: since($1.at)!) })
    exchange.connection = ConnectionInfo(
      isCold: transfer.newConnection, httpVersion: transfer.httpVersion, bytesSent: transfer.bytesSent,
      bytesReceived: transfer.bytesReceived)
    return exchange
  }

  /// Without reads that a redacted secret has swallowed.
  private static func merged(_ reads: [RecordedExchange.Read]) -> [RecordedExchange.Read] {
    var kept: [RecordedExchange.Read] = []
    for read in reads where read.end > kept.last?.end ?? 0 { kept.append(read) }
    return kept
  }

  /// For a sink that cannot judge, HTTP's word.
  private static func label(_ outcome: Outcome?, _ status: Int?, _ end: TransferEnd) -> String {
    if let outcome { return outcome.label }
    let isWhole = end == .complete || end == .stoppedBySink
    return isWhole && status.map { (200..<300).contains($0) } == true ? Outcome.ok.label : "unknown"
  }
}

extension Redactor {
  /// Whether the assembled answer holds a secret, which may have come in pieces that are none.
  fileprivate func finds(in reply: ProviderReply) -> Bool {
    let calls = reply.toolCalls.map { $0.name + $0.arguments.serialized() }
    let texts = [reply.text, reply.reasoning, reply.refusal ?? ""] + calls
    return texts.contains { !redact($0).hasSameBytes(as: $0) }
  }
}

extension String {
  fileprivate func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension TransferEnd {
  fileprivate func redacted(_ redactor: Redactor) -> TransferEnd {
    switch self {
    case .failed(let code, let message): .failed(code: code, message: redactor.redact(message))
    case .exited(let code, let message): .exited(code: code, message: redactor.redact(message))
    case .complete, .stoppedBySink, .timeout, .cancelled: self
    }
  }
}
