import EvalCore
import Spawn

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ProgramRequest {
  /// Starts the program and feeds what it writes to `sink`; returns when it and its group have ended.
  ///
  /// Cancelling the task ends it.
  func perform(sink: any ResponseSink) async -> ExchangeResult {
    let start = Monotonic.now()
    let listener = ProgramListener(sink, timeouts, start: start)
    let command = ChildCommand(arguments, in: directory, input: input)
    do {
      let end = try await command.run(listener, clock: Monotonic.now)
      return ExchangeResult(listener.result(end, sent: input.count))
    } catch {
      let transfer = TransferResult(
        stamps: .init(start: start, done: Monotonic.now()), end: .cancelled, bytesSent: 0, bytesReceived: 0,
        requestBodyBytes: 0)
      return ExchangeResult(transfer, error: Self.startError(error))
    }
  }

  private static func startError(_ error: ChildStartError) -> ProviderError {
    let kind: ErrorClass =
      switch error.code {
      case ENOENT, ENOTDIR, EACCES, EPERM, ENOEXEC, ELOOP, ENAMETOOLONG: .unavailable
      // The prompt is too long for an argument.
      case E2BIG: .requestTooLarge
      default: .unknown
      }
    return ProviderError(kind, error.message)
  }
}

/// Hands a program's output on and watches its time limits.
///
/// Unchecked because only the child's thread calls it, and its owner reads it after that thread has ended.
final class ProgramListener: ChildListener, @unchecked Sendable {
  private let sink: any ResponseSink
  private let start: Int64
  private var watch: TransferWatch
  private var reads = 0
  private var received = 0
  private var firstByte: Int64?
  /// When a program that has said its last word, or closed its output, is waited for no longer.
  private var lingersUntil: Int64?
  /// Why it was ended; `nil` when it ended by itself.
  private var stop: TransferEnd?

  /// Nanoseconds that a program may go on after the end of its answer.
  private static let linger: Int64 = 2_000_000_000
  /// The most characters of standard error in a message.
  private static let shownErrors = 400

  init(_ sink: any ResponseSink, _ timeouts: TransferTimeouts, start: Int64) {
    self.sink = sink
    self.start = start
    watch = TransferWatch(timeouts, start: start, progressMark: sink.progressMark)
  }

  func output(_ bytes: UnsafeRawBufferPointer, at: Int64) {
    if stop != nil { return }
    if firstByte == nil { firstByte = at }
    received += bytes.count
    let verdict = sink.body(bytes, at: at, readSequence: reads)
    reads += 1
    if verdict == .done { stop = .stoppedBySink }
    if verdict == .ending, lingersUntil == nil { lingersUntil = at + Self.linger }
    _ = watch.noteRead(progressMark: sink.progressMark, at: at)
  }

  func outputClosed(at: Int64) {
    if lingersUntil == nil { lingersUntil = at + Self.linger }
  }

  func wantsEnd(at now: Int64, isCancelled: Bool) -> Bool {
    if stop != nil { return true }
    if isCancelled {
      stop = .cancelled
    } else if let lingersUntil {
      if now >= lingersUntil { stop = .stoppedBySink }
    } else if let next = watch.next(sawToken: sink.sawToken), now >= next.at {
      stop = .timeout(next.kind)
    }
    return stop != nil
  }

  func result(_ end: ChildEnd, sent: Int) -> TransferResult {
    TransferResult(
      stamps: .init(start: start, firstByte: firstByte, done: end.at), end: stop ?? Self.end(of: end),
      bytesSent: sent, bytesReceived: received, requestBodyBytes: sent)
  }

  private static func end(of end: ChildEnd) -> TransferEnd {
    let code =
      switch end.exit {
      case .code(let code): Int(code)
      case .signal(let number): -Int(number)
      }
    if code == 0 { return .complete }
    // The end of what it wrote says more than the beginning.
    let text = String(decoding: end.errors, as: UTF8.self).trimmed
    return .exited(
      code: code, message: CommandEvents.shortened(String(text.suffix(shownErrors)), to: shownErrors))
  }
}
