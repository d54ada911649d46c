import EvalCore

/// Chooses the cases of a page.
///
/// All that failed a must-pass or leaked come first; then one of each other kind in turn, of the slowest, and of those
/// that are of no kind, until the list is full. Within a kind the hash of the case with the run's seed draws, so that
/// the same rows give the same page; among the slowest the time does.
struct CaseSample {
  struct Entry {
    var hash: ContentHash
    var kinds: CaseKinds
    /// The row as written.
    var json: [UInt8]
  }

  private enum Source: Hashable {
    case kind(CaseKind)
    case slowest
    case others
  }

  private let limits: CaseLimits
  private let seed: UInt64
  private var lists: [Source: Shortlist<Entry>] = [:]
  private(set) var cases = 0
  private(set) var counts: [CaseKind: Int] = [:]

  init(limits: CaseLimits, seed: UInt64) {
    self.limits = limits
    self.seed = seed
  }

  mutating func offer(_ row: CaseRow) {
    cases += 1
    let kinds = row.kinds
    for kind in CaseKind.allCases where kinds.contains(kind) { counts[kind, default: 0] += 1 }
    var random = SeededRandom(seed: row.hash.firstWord ^ seed)
    let drawn = Shortlist<Entry>.Rank(first: random.next(), second: row.hash.firstWord)
    var places: [(source: Source, rank: Shortlist<Entry>.Rank)] = CaseKind.allCases
      .filter { kinds.contains($0) }.map { (.kind($0), drawn) }
    if places.isEmpty { places.append((.others, drawn)) }
    if let slowest = row.slowest {
      let rank = Shortlist<Entry>.Rank(
        first: UInt64(Int64.max - max(0, slowest)), second: row.hash.firstWord)
      places.append((.slowest, rank))
    }
    let open = places.filter { lists[$0.source]?.isOpen(to: $0.rank) ?? true }
    guard !open.isEmpty else { return }
    let entry = Entry(hash: row.hash, kinds: kinds, json: row.json)
    for place in open {
      let isSlow = place.source == .slowest
      lists[place.source, default: Shortlist(budget: isSlow ? limits.slowest : limits.listBytes)]
        .offer(entry, place.rank, size: isSlow ? 1 : entry.json.count)
    }
  }

  /// The chosen, in the order of their choosing.
  var chosen: [Entry] {
    var turn = Turn(budget: limits.listBytes)
    for kind in [CaseKind.mustPassFailed, .leaked] {
      for entry in lists[.kind(kind)]?.items ?? [] { turn.take(entry) }
    }
    let others = CaseKind.allCases.dropFirst(2).map { Source.kind($0) } + [.slowest, .others]
    var queues = others.map { (lists[$0]?.items ?? [])[...] }
    while queues.contains(where: { !$0.isEmpty }) {
      for index in queues.indices {
        // One that came by another kind already is no turn of this one.
        while let entry = queues[index].popFirst(), !turn.take(entry) {}
      }
    }
    return turn.entries
  }

  private struct Turn {
    let budget: Int
    private(set) var entries: [Entry] = []
    private var used = 0
    private var isFull = false
    private var seen: Set<ContentHash> = []

    init(budget: Int) { self.budget = budget }

    /// - Returns: false for one that is there already.
    @discardableResult mutating func take(_ entry: Entry) -> Bool {
      guard seen.insert(entry.hash).inserted else { return false }
      isFull = isFull || used + entry.json.count > budget
      guard !isFull else { return true }
      used += entry.json.count
      entries.append(entry)
      return true
    }
  }
}
