import EvalCore
import Synchronization

/// What the loop and its transfers share; loop thread only.
final class LoopClock {
  /// Counts calls into libcurl that may read from a socket.
  var turn: UInt64 = 0
  /// When the active transfers must be looked through for limits that ran out, in monotonic nanoseconds.
  var nextScan = Int64.max

  /// Makes sure that the transfers are looked through when `moment` has come.
  func expect(_ moment: Int64) { if moment < nextScan { nextScan = moment } }
}

/// One request on its way: what the callbacks need, and what they found.
///
/// Belongs to the loop thread from `submit` until its continuation is resumed, except for `isCancelled`.
final class Transfer: @unchecked Sendable {
  enum Phase: Equatable {
    /// Bytes go to the sink.
    case running
    /// The sink is done; the caller waits a moment longer in case the response ends in the next packet.
    case settling(until: Int64)
    /// The caller has its result; the handle stays to swallow the end of the response.
    case lingering(until: Int64)
  }

  /// How long a caller whose sink is done waits for the response to end by itself.
  ///
  /// No stamp contains this. It keeps a next request from opening a connection while the last chunk of this
  /// one, sent a few microseconds after the terminal marker, is still on its way.
  static let settleTime: Int64 = 2_000_000

  let request: HTTPRequest
  /// Set from any thread, so that a cancellation that overtakes its own request is not lost.
  let isCancelled = Atomic<Bool>(false)
  /// Index in the engine's list of active transfers; -1 outside it.
  var slot = -1
  var handle: EasyHandle?
  var phase = Phase.running
  private(set) var stamps = TransferResult.Stamps(done: 0)

  private let sink: any ResponseSink
  private var continuation: CheckedContinuation<TransferResult, Never>?
  private var clock: LoopClock?
  private var watch: TransferWatch?
  private var head = ResponseHeadCollector()
  private var reads = ReadTracker()
  private var lastTurn: UInt64 = 0
  private var lastStamp: Int64 = 0

  init(_ request: HTTPRequest, sink: any ResponseSink) {
    self.request = request
    self.sink = sink
  }

  /// Must be called before the transfer is submitted.
  func onEnd(resume continuation: CheckedContinuation<TransferResult, Never>) {
    self.continuation = continuation
  }

  func begin(clock: LoopClock) {
    let now = Monotonic.now()
    self.clock = clock
    stamps.start = now
    watch = TransferWatch(request.timeouts, start: now, progressMark: sink.progressMark)
  }

  // MARK: Called back by libcurl

  func connectionReady() { stamps.connReady = Monotonic.now() }

  func receive(headerLine line: UnsafeRawBufferPointer) {
    let at = clock?.turn == lastTurn ? lastStamp : stamp()
    if let complete = head.take(line), phase == .running {
      sink.head(status: complete.status, headers: complete.headers, at: at)
    }
  }

  func receive(body bytes: UnsafeRawBufferPointer) {
    if reads.isNewRead(bytes, turn: clock?.turn ?? 0) { stamp() }
    guard phase == .running else { return }
    let at = lastStamp
    if sink.body(bytes, at: at, readSequence: reads.sequence) == .done {
      stamps.done = at
      phase = .settling(until: at + Self.settleTime)
      clock?.expect(at + Self.settleTime)
    } else {
      let due = watch?.noteRead(progressMark: sink.progressMark, at: at)
      if let due { clock?.expect(due) }
    }
  }

  @discardableResult
  private func stamp() -> Int64 {
    lastStamp = Monotonic.now()
    lastTurn = clock?.turn ?? 0
    if stamps.firstByte == nil { stamps.firstByte = lastStamp }
    return lastStamp
  }

  // MARK: Asked by the engine

  /// The next moment at which something is due for this transfer.
  var deadline: Int64? {
    switch phase {
    case .running: watch?.next(sawToken: sink.sawToken)?.at
    case .settling(let until), .lingering(let until): until
    }
  }

  /// The time limit that has run out, if any. A transfer whose sink is done has none.
  func expiredLimit(now: Int64) -> TransferTimeout? {
    guard phase == .running, let next = watch?.next(sawToken: sink.sawToken), next.at <= now else {
      return nil
    }
    return next.kind
  }

  /// The moment of the end that libcurl has just reported: that of the read it came from, or now if it came
  /// without bytes for us, as a last chunk does.
  var endStamp: Int64 { clock?.turn == lastTurn ? lastStamp : Monotonic.now() }

  /// Gives the caller its result; only the first call does anything.
  ///
  /// - Parameters:
  ///   - info: what libcurl knows; `nil` when the request never reached it.
  ///   - at: the moment of the end; without effect when the sink ended it.
  func resume(_ end: TransferEnd, info: TransferInfo? = nil, at: Int64 = Monotonic.now()) {
    guard let continuation else { return }
    self.continuation = nil
    if end != .stoppedBySink { stamps.done = at }
    continuation.resume(
      returning: TransferResult(
        stamps: stamps, end: end, newConnection: info?.newConnection, httpVersion: info?.httpVersion,
        primaryIP: info?.primaryIP, primaryPort: info?.primaryPort, bytesSent: info?.bytesSent ?? 0,
        bytesReceived: info?.bytesReceived ?? 0, requestBodyBytes: request.body?.count ?? 0))
  }
}
