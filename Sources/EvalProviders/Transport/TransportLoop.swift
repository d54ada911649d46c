import CCurl
import Synchronization

/// The loop thread's inbox, open to any thread, and the loop itself.
final class TransportLoop: Sendable {
  private enum Command {
    case start(Transfer)
    case cancel(Transfer)
  }

  private enum State {
    case idle
    case running
    /// What every later request ends with.
    case stopped(TransferEnd)
  }

  private struct Inbox {
    var state = State.idle
    var commands: [Command] = []
    var isStopping = false
    var thread: LoopThread?
    /// `nil` before the first wait and after the last.
    var waker: LoopWaker?

    /// Adds a command; the loop needs a wake-up only when it had nothing to do.
    mutating func post(_ command: Command) {
      if commands.isEmpty { waker?.wake() }
      commands.append(command)
    }
  }

  /// How many requests are started before sockets are looked at again: a burst of new requests must not delay
  /// the stamps of running ones.
  private static let startsPerTurn = 4

  private let inbox = Mutex(Inbox())
  private let settings: EasyHandle.Settings
  private let maxConnections: Int

  init(settings: EasyHandle.Settings, maxConnections: Int) {
    self.settings = settings
    self.maxConnections = maxConnections
  }

  // MARK: Any thread

  /// Starts a transfer, and the loop thread with the first one.
  func start(_ transfer: Transfer) {
    let refusal: TransferEnd? = inbox.withLock { inbox in
      switch inbox.state {
      case .stopped(let end): return end
      case .running: inbox.post(.start(transfer))
      case .idle:
        guard let thread = LoopThread({ self.run() }) else {
          return .failed(code: Int(CURLE_FAILED_INIT.rawValue), message: "no thread for the HTTP loop")
        }
        inbox.thread = thread
        inbox.state = .running
        inbox.post(.start(transfer))
      }
      return nil
    }
    if let refusal { transfer.resume(refusal) }
  }

  /// Ends a transfer early; harmless when it has ended already or was never started.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .relaxed)
    inbox.withLock { if case .running = $0.state { $0.post(.cancel(transfer)) } }
  }

  /// Asks the loop to cancel everything and end; does not wait.
  func stop() {
    inbox.withLock { inbox in
      switch inbox.state {
      case .idle: inbox.state = .stopped(.cancelled)
      case .running:
        inbox.isStopping = true
        inbox.waker?.wake()
      case .stopped: break
      }
    }
  }

  /// Waits for the loop thread's end after `stop`.
  func join() {
    let thread = inbox.withLock { inbox in
      defer { inbox.thread = nil }
      return inbox.thread
    }
    thread?.join()
  }

  // MARK: Loop thread

  private func run() {
    guard let engine = TransferEngine(settings: settings, maxConnections: maxConnections) else {
      let words = "libcurl could not be initialised"
      return close(with: .failed(code: Int(CURLE_FAILED_INIT.rawValue), message: words))
    }
    inbox.withLock { $0.waker = engine.waker }
    var backlog: [Command] = []
    var taken = 0
    while true {
      let isStopping = inbox.withLock { inbox in
        backlog.append(contentsOf: inbox.commands)
        inbox.commands.removeAll(keepingCapacity: true)
        return inbox.isStopping
      }
      if isStopping { break }
      taken += obey(backlog[taken...].prefix(Self.startsPerTurn), engine)
      if taken == backlog.count {
        backlog.removeAll(keepingCapacity: true)
        taken = 0
      }
      engine.run(mayWait: backlog.isEmpty)
    }
    close(with: .cancelled, backlog: backlog[taken...])
    engine.cancelAll()
  }

  private func obey(_ commands: ArraySlice<Command>, _ engine: TransferEngine) -> Int {
    for command in commands {
      switch command {
      case .start(let transfer): engine.start(transfer)
      case .cancel(let transfer): engine.cancel(transfer)
      }
    }
    return commands.count
  }

  /// Ends all requests that have not been started, and all that will come.
  private func close(with end: TransferEnd, backlog: ArraySlice<Command> = []) {
    let rest = inbox.withLock { inbox in
      inbox.state = .stopped(end)
      inbox.waker = nil
      defer { inbox.commands = [] }
      return inbox.commands
    }
    for case .start(let transfer) in backlog + rest { transfer.resume(end) }
  }
}
