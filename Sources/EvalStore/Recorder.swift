package import EvalCore

/// Writes what happens in a run: every event is handed to the writer's thread and stored as soon as that is free.
///
/// `receive` returns at once unless 1,024 events wait. What `flush` or `RunStore.close` has waited for is stored. A process
/// that is killed loses what was not yet committed: nothing but the last moment with few calls in flight, else up to 2 ms'
/// worth and no more finished calls than unfinished ones, as long as the disk keeps up.
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
