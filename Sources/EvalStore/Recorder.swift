package import EvalCore

/// Writes what happens in a run: every event is handed to the writer's thread and stored as soon as that is free.
///
/// `receive` returns at once unless 1,024 events wait. Only what `flush` or the end of the process's orderly
/// stop has waited for is surely stored; a process that is killed loses what the thread had not yet committed, commonly
/// less than a millisecond's worth.
package final class Recorder: RunObserver {
  private let thread: WriterThread
  private let ticket: Int

  init(thread: WriterThread, ticket: Int) {
    self.thread = thread
    self.ticket = ticket
  }

  deinit {
    let ticket = ticket
    // The run's statements belong to the thread.
    thread.later { $0.books[ticket] = nil }
  }

  package func receive(_ event: RunEvent) { thread.add(event, ticket: ticket) }

  /// Waits until every event so far is durable.
  /// - Throws: the error that ended the recording, if one did.
  package func flush() throws(StoreError) {
    let ticket = ticket
    try thread.perform { desk throws(StoreError) in
      if let failure = desk.books[ticket]?.failure { throw failure }
    }
  }
}
