import Dispatch
import Synchronization

/// Waits on the main thread for asynchronous work.
///
/// The program's main is synchronous on purpose: it starts faster, and valgrind cannot follow an asynchronous one.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) -> Result {
  let box = ResultBox<Result>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    let result = await work()
    box.result.withLock { $0 = result }
    done.signal()
  }
  done.wait()
  guard let result = box.result.withLock({ $0 }) else { preconditionFailure("signalled without a result") }
  return result
}

private final class ResultBox<Result: Sendable>: Sendable {
  let result = Mutex<Result?>(nil)
}
