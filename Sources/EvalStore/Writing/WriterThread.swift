import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What lies before the writer: touched by its thread alone.
final class Desk {
  let connection: Connection
  /// The runs being recorded, by their ticket.
  var books: [Int: Book] = [:]
  /// The score sets being written, by their ticket.
  var sets: [Int: ScoreSetWriter] = [:]
  private var nextTicket = 0

  init(_ connection: Connection) { self.connection = connection }

  /// - Returns: the ticket that events of this run carry.
  func open(_ book: Book) -> Int {
    nextTicket += 1
    books[nextTicket] = book
    return nextTicket
  }

  /// - Returns: the ticket that what is written of this set carries.
  func open(_ set: ScoreSetWriter) -> Int {
    nextTicket += 1
    sets[nextTicket] = set
    return nextTicket
  }
}

/// A run being recorded.
struct Book {
  let writer: RunWriter
  let onFailure: @Sendable (StoreError) -> Void
  /// Set by the first error; what comes later is dropped.
  var failure: StoreError?
}

/// The plain thread that owns the one connection that writes.
///
/// Everything queued is written in one transaction as soon as the thread is free: a lone event at once, a burst together.
/// While many calls are in flight the thread waits up to `patience` for company, because a commit costs more than the rows
/// in it; it never waits for more events than there are calls in flight, so that a process that is killed loses fewer
/// finished calls than unfinished ones.
final class WriterThread: @unchecked Sendable {
  private enum Job {
    /// Indirect, so that a job is small to move.
    indirect case event(RunEvent, ticket: Int)
    case work(@Sendable (Desk) -> Void)
  }

  /// Events that may wait; beyond, whoever brings one waits.
  private static let capacity = 1024

  /// Nanoseconds that a finished attempt may wait for others.
  private static let patience = 2_000_000

  private let queue = JobQueue<Job>(capacity: capacity)
  private let path: String
  private let thread: pthread_t?

  /// Takes the connection over: it must not be used elsewhere.
  init(_ connection: sending Connection) {
    path = connection.path
    let start = Unmanaged.passRetained(Start(connection: connection, queue: queue))
    thread = WriterThread.spawn(start.toOpaque())
  }

  deinit { close() }

  /// Writes what is queued, ends the thread and closes the connection. Later events are dropped.
  func close() {
    if queue.close(), let thread { pthread_join(thread, nil) }
  }

  func add(_ event: RunEvent, ticket: Int) { queue.add(.event(event, ticket: ticket), isUrgent: false) }

  /// Does something on the thread after all that is queued, without waiting for it.
  func later(_ body: @escaping @Sendable (Desk) -> Void) { queue.add(.work(body), isUrgent: true) }

  /// Does something on the thread after all that is queued, and waits for it. Not to be called on the thread itself.
  func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Desk) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let reply = JobQueue<Swift.Result<Result, StoreError>>(capacity: 1)
    let isOpen = queue.add(
      .work { desk in
        do throws(StoreError) {
          reply.add(.success(try body(desk)), isUrgent: true)
        } catch {
          reply.add(.failure(error), isUrgent: true)
        }
      }, isUrgent: true)
    guard isOpen else { throw StoreError(.other, "\(path) has been closed") }
    var replies: [Swift.Result<Result, StoreError>] = []
    _ = reply.take(into: &replies, count: 1, patience: 0)
    return try replies[0].get()
  }
}

extension WriterThread {
  private final class Start {
    let connection: Connection
    let queue: JobQueue<Job>
    init(connection: Connection, queue: JobQueue<Job>) {
      self.connection = connection
      self.queue = queue
    }
  }

  private static func spawn(_ start: UnsafeMutableRawPointer) -> pthread_t? {
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, nil, { WriterThread.main($0) }, start)
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, nil, { $0.flatMap { WriterThread.main($0) } }, start)
    #endif
    precondition(code == 0, "no thread can be made")
    return thread
  }

  private static func main(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
    let desk = Desk(start.connection)
    var batch: [Job] = []
    var inFlight = 1
    while start.queue.take(into: &batch, count: inFlight, patience: patience) {
      inFlight = write(batch, desk) ?? inFlight
    }
    desk.books = [:]
    desk.sets = [:]
    return nil
  }

  /// Writes a batch.
  /// - Returns: the calls in flight when the last attempt began; `nil` without an attempt.
  private static func write(_ batch: [Job], _ desk: Desk) -> Int? {
    var transaction = Transaction(desk)
    var inFlight: Int?
    for job in batch {
      switch job {
      case .event(let event, let ticket):
        transaction.write(event, ticket)
        if case .attempt(let attempt, _, _) = event { inFlight = attempt.inFlight }
      case .work(let body):
        transaction.end()
        body(desk)
      }
    }
    transaction.end()
    return inFlight
  }
}

/// The transaction that events are being written in.
private struct Transaction {
  private let desk: Desk
  private var tickets: Set<Int> = []

  init(_ desk: Desk) { self.desk = desk }

  mutating func write(_ event: RunEvent, _ ticket: Int) {
    guard let book = desk.books[ticket], book.failure == nil else { return }
    do throws(StoreError) {
      if tickets.isEmpty { try desk.connection.execute("BEGIN IMMEDIATE") }
      tickets.insert(ticket)
      try book.writer.write(event)
    } catch {
      tickets.insert(ticket)
      fail(error)
    }
  }

  /// Makes it durable.
  mutating func end() {
    guard !tickets.isEmpty else { return }
    do throws(StoreError) {
      try desk.connection.execute("COMMIT")
      tickets = []
    } catch {
      fail(error)
    }
  }

  /// Undoes what is not durable; the runs that it was of have lost something and are recorded no further.
  private mutating func fail(_ error: StoreError) {
    desk.connection.rollBack()
    for ticket in tickets {
      desk.books[ticket]?.failure = error
      desk.books[ticket]?.onFailure(error)
    }
    tickets = []
  }
}
