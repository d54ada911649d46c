#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Feeds a child, drains it and ends it when its listener wants so.
struct ChildTalk<Listener: ChildListener>: ~Copyable {
  private var child: ChildProcess
  private let command: ChildCommand
  private let listener: Listener
  private let clock: @Sendable () -> Int64
  private var sent = 0
  private var errors: [UInt8] = []
  /// When the child was asked to end; `nil` while it may run.
  private var stopped: Int64?
  /// When the child itself was seen to have ended.
  private var ended: Int64?
  private var closed: Int64?
  /// Whether the last round has read all there was.
  private var isDrained = false
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  /// Descendants that left the pipes open may still write this long after the child's end.
  private static var silence: Int64 { 20_000_000 }
  /// Reads in a row before anything else is looked at.
  private static var round: Int { 32 }

  init(
    _ child: consuming ChildProcess, _ command: ChildCommand, _ listener: Listener,
    _ clock: @escaping @Sendable () -> Int64
  ) {
    self.child = child
    self.command = command
    self.listener = listener
    self.clock = clock
  }

  consuming func run(_ cancellation: Flag) -> ChildEnd {
    if command.input.isEmpty { child.input.shut() }
    while !isOver() {
      wait()
      send()
      let isOutputDrained = readOutput()
      isDrained = readErrors() && isOutputDrained
      if stopped == nil, listener.wantsEnd(at: clock(), isCancelled: cancellation.isRaised) {
        stopped = clock()
        child.signal(SIGTERM)
      }
    }
    let (wasEnded, errors, at) = (stopped != nil, errors, closed ?? ended ?? clock())
    return ChildEnd(exit: child.reap(), wasEnded: wasEnded, errors: errors, at: at)
  }

  /// Whether nothing more is to be expected, or waited for.
  private mutating func isOver() -> Bool {
    let now = clock()
    if ended == nil, child.hasEnded() {
      ended = now
      // What it wrote last may have come after the last read.
      isDrained = false
    }
    if let stopped { return ended != nil || now - stopped > command.grace }
    guard let ended, isDrained else { return false }
    return (child.output.number < 0 && child.errors.number < 0) || now - ended > Self.silence
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
    poll(&set, nfds_t(set.count), set.isEmpty || stopped != nil ? 1 : 10)
  }

  private mutating func send() {
    let input = command.input
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

  /// - Returns: whether all there was has been read.
  private mutating func readOutput() -> Bool {
    for _ in 0..<Self.round {
      guard child.output.number >= 0 else { return true }
      let count = read(child.output.number, &buffer, buffer.count)
      let at = clock()
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else {
        child.output.shut()
        closed = at
        if stopped == nil { listener.outputClosed(at: at) }
        return true
      }
      if stopped == nil {
        buffer.withUnsafeBytes { listener.output(UnsafeRawBufferPointer(rebasing: $0[..<count]), at: at) }
      }
    }
    return false
  }

  /// - Returns: whether all there was has been read.
  private mutating func readErrors() -> Bool {
    for _ in 0..<Self.round {
      guard child.errors.number >= 0 else { return true }
      let count = read(child.errors.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else {
        child.errors.shut()
        return true
      }
      errors += buffer[..<count]
      if errors.count > command.errorsKept { errors.removeFirst(errors.count - command.errorsKept) }
    }
    return false
  }
}
