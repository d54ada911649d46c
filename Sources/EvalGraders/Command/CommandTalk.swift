import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Feeds a child, drains it and decides when it has to end.
struct CommandTalk: ~Copyable {
  private var child: ChildProcess
  private let input: [UInt8]
  private let limits: CommandRun.Limits
  private let start = Monotonic.now()
  private var sent = 0
  private var output: [UInt8] = []
  private var errors: [UInt8] = []
  /// Why the child is being ended, with the moment it was asked to; `nil` while it may run.
  private var stopping: (end: CommandRun.End, since: Int64)?
  /// When the child itself was seen to have ended.
  private var ended: Int64?

  /// Descendants that left the pipes open may still write this long after the child's end.
  private static let silence: Int64 = 20_000_000

  init(_ child: consuming ChildProcess, _ input: [UInt8], _ limits: CommandRun.Limits) {
    self.child = child
    self.input = input
    self.limits = limits
  }

  consuming func run(_ cancellation: Flag) -> CommandRun.Result {
    if input.isEmpty { child.input.shut() }
    while !isOver() {
      wait()
      send()
      let isFull = CommandTalk.drain(&child.output, into: &output, keepingLast: nil, limit: limits.output)
      _ = CommandTalk.drain(&child.errors, into: &errors, keepingLast: limits.errors, limit: .max)
      if isFull { stop(.tooMuchOutput) }
      if cancellation.isRaised { stop(.cancelled) }
      if Monotonic.now() - start > limits.time { stop(.timedOut) }
    }
    let end = stopping?.end
    let (output, errors) = (output, errors)
    let code = child.reap()
    return CommandRun.Result(end: end ?? code.map { .exited($0) } ?? .killed, output: output, errors: errors)
  }

  private mutating func stop(_ end: CommandRun.End) {
    guard stopping == nil else { return }
    stopping = (end, Monotonic.now())
    child.signal(SIGTERM)
  }

  /// Whether nothing more is to be expected, or waited for.
  private mutating func isOver() -> Bool {
    let now = Monotonic.now()
    if ended == nil, child.hasEnded() { ended = now }
    if let stopping { return ended != nil || now - stopping.since > limits.grace }
    guard let ended else { return false }
    return (child.output.number < 0 && child.errors.number < 0) || now - ended > CommandTalk.silence
  }

  private borrowing func wait() {
    var set: [pollfd] = []
    if child.input.number >= 0 {
      set.append(pollfd(fd: child.input.number, events: Int16(POLLOUT), revents: 0))
    }
    for number in [child.output.number, child.errors.number] where number >= 0 {
      set.append(pollfd(fd: number, events: Int16(POLLIN), revents: 0))
    }
    // A child's end makes no sound unless its pipes close with it, so the pause is short.
    poll(&set, nfds_t(set.count), set.isEmpty || stopping != nil ? 1 : 10)
  }

  private mutating func send() {
    while child.input.number >= 0, sent < input.count {
      let count = input[sent...].withUnsafeBytes { write(child.input.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      // A program that does not read its input is no mistake.
      if count < 0 { break }
      sent += count
    }
    child.input.shut()
  }

  /// Reads what there is.
  /// - Returns: whether there was more than `limit`.
  private static func drain(
    _ descriptor: inout Descriptor, into bytes: inout [UInt8], keepingLast kept: Int?, limit: Int
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while descriptor.number >= 0 {
      let count = read(descriptor.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else {
        descriptor.shut()
        return false
      }
      bytes += buffer[..<count]
      if let kept, bytes.count > kept { bytes.removeFirst(bytes.count - kept) }
      if bytes.count > limit { return true }
    }
    return false
  }
}
