#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Hands jobs from many threads to one, in order. Jobs that come too fast wait at the door, so that what is queued stays
/// small.
final class JobQueue<Job>: @unchecked Sendable {
  private let capacity: Int
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let taken = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  // All below is guarded by the mutex.
  private var jobs: [Job] = []
  private var isWaiting = false
  private var blocked = 0
  private var isClosed = false

  init(capacity: Int) {
    self.capacity = capacity
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(arrived, nil)
    pthread_cond_init(taken, nil)
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
  func add(_ job: Job) {
    pthread_mutex_lock(mutex)
    while jobs.count >= capacity {
      blocked += 1
      pthread_cond_wait(taken, mutex)
      blocked -= 1
    }
    jobs.append(job)
    let wakes = isWaiting
    isWaiting = false
    pthread_mutex_unlock(mutex)
    if wakes { pthread_cond_signal(arrived) }
  }

  /// Swaps what is queued for an empty array, waiting for a job if asked to.
  /// - Returns: false when the queue is closed and empty; then there will be no more.
  func take(into batch: inout [Job], waiting: Bool) -> Bool {
    batch.removeAll(keepingCapacity: true)
    pthread_mutex_lock(mutex)
    while waiting, jobs.isEmpty, !isClosed {
      isWaiting = true
      pthread_cond_wait(arrived, mutex)
    }
    isWaiting = false
    swap(&jobs, &batch)
    let wakes = blocked > 0
    let goesOn = !(batch.isEmpty && isClosed)
    pthread_mutex_unlock(mutex)
    if wakes { pthread_cond_broadcast(taken) }
    return goesOn
  }

  /// Lets the taker end once the queue is empty.
  func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_mutex_unlock(mutex)
    pthread_cond_broadcast(arrived)
  }
}
