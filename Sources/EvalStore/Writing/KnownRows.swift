import EvalCore

/// The trials that have begun and not ended: as many as there are calls in flight.
struct OpenTrials {
  struct Entry {
    var trial: Int64
    /// The row number of its last attempt.
    var lastAttempt: Int64
  }

  private var entries: [TrialKey: Entry] = [:]

  subscript(_ key: TrialKey) -> Entry? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  mutating func end(_ key: TrialKey) { entries[key] = nil }
}

/// The cases of one run, numbered from 1 in the order they were met: an index in memory, because one on disk would cost
/// a page for every new case.
struct KnownCases {
  private var numbers: [ContentHash: Int32] = [:]
  private var described: Set<Int32> = []

  subscript(_ hash: ContentHash) -> Int64? { numbers[hash].map(Int64.init) }

  mutating func add(_ hash: ContentHash) -> Int64 {
    let number = Int32(numbers.count + 1)
    numbers[hash] = number
    return Int64(number)
  }

  /// True the first time: what is known of a case is written once by each process.
  mutating func isToBeDescribed(_ number: Int64) -> Bool { described.insert(Int32(number)).inserted }
}
