#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Hands jobs from many threads to one, in order. Jobs that come too fast wait at the door, so that what is queued stays
/// small. Unchecked because its mutex guards everything that changes.
final class JobQueue<Job>: @unchecked Sendable {
  private let capacity: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let taken = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  // All below is guarded by the mutex.
  private var jobs: [Job] = []
  private var isUrgent = false
  private var isClosed = false
  /// Threads at the door.
  private var blocked = 0
  /// As many jobs wake the taker; `nil` while it does not wait.
  private var awaited: Int?

  init(capacity: Int) {
    self.capacity = capacity
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(taken, nil)
    #if canImport(Darwin)
      pthread_cond_init(arrived, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(arrived, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(taken)
    pthread_cond_destroy(arrived)
    pthread_mutex_destroy(mutex)
    taken.deallocate()
    arrived.deallocate()
    mutex.deallocate()
  }

  /// Adds a job, waiting while the queue is full.
  /// - Parameter isUrgent: somebody waits for it.
  /// - Returns: false when the queue is closed; then nobody takes the job.
  @discardableResult
  func add(_ job: Job, isUrgent: Bool) -> Bool {
    pthread_mutex_lock(mutex)
    while jobs.count >= capacity, !isClosed {
      blocked += 1
      pthread_cond_wait(taken, mutex)
      blocked -= 1
    }
    if isClosed {
      pthread_mutex_unlock(mutex)
      return false
    }
    jobs.append(job)
    if isUrgent { self.isUrgent = true }
    let wakes = isReady
    if wakes { awaited = nil }
    pthread_mutex_unlock(mutex)
    if wakes { pthread_cond_signal(arrived) }
    return true
  }

  /// Waits for a job, then a moment for more to come along, and swaps what is queued for an empty array.
  /// - Parameters:
  ///   - count: jobs to wait for no longer than the patience allows; 1 waits for no second one.
  ///   - patience: nanoseconds.
  /// - Returns: false when the queue is closed and empty; then there will be no more.
  func take(into batch: inout [Job], count: Int, patience: Int) -> Bool {
    batch.removeAll(keepingCapacity: true)
    pthread_mutex_lock(mutex)
    while jobs.isEmpty, !isClosed {
      awaited = 1
      pthread_cond_wait(arrived, mutex)
    }
    if jobs.count < count, count > 1 {
      awaited = min(count, capacity)
      if !isReady { waitForMore(patience) }
    }
    awaited = nil
    swap(&jobs, &batch)
    isUrgent = false
    let goesOn = !(batch.isEmpty && isClosed)
    let wakes = blocked > 0
    pthread_mutex_unlock(mutex)
    if wakes { pthread_cond_broadcast(taken) }
    return goesOn
  }

  /// Takes no more jobs, and lets the taker end once the queue is empty.
  /// - Returns: false when it was closed already.
  func close() -> Bool {
    pthread_mutex_lock(mutex)
    let wasOpen = !isClosed
    isClosed = true
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(arrived)
    pthread_cond_broadcast(taken)
    return wasOpen
  }

  /// Whether the taker waits and need not any longer.
  private var isReady: Bool {
    awaited.map { jobs.count >= $0 || isUrgent || isClosed } ?? false
  }

  /// One wait is enough: to be woken early by nothing does no harm.
  private func waitForMore(_ nanoseconds: Int) {
    #if canImport(Darwin)
      var time = timespec(tv_sec: 0, tv_nsec: nanoseconds)
      _ = pthread_cond_timedwait_relative_np(arrived, mutex, &time)
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      time.tv_sec += (time.tv_nsec + nanoseconds) / 1_000_000_000
      time.tv_nsec = (time.tv_nsec + nanoseconds) % 1_000_000_000
      _ = pthread_cond_timedwait(arrived, mutex, &time)
    #endif
  }
}
