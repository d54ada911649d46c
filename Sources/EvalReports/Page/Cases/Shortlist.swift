/// Keeps of many items the first by rank that fit a budget, whatever the order they come in.
///
/// It is the longest beginning of the sorted items whose sizes together are within the budget: an item that does not fit
/// shuts out all behind it.
struct Shortlist<Item> {
  /// Smaller is better.
  struct Rank: Comparable {
    var first: UInt64
    /// Decides between equals.
    var second: UInt64 = 0

    static func < (left: Rank, right: Rank) -> Bool {
      (left.first, left.second) < (right.first, right.second)
    }
  }

  private let budget: Int
  private var used = 0
  /// A binary heap, the worst on top.
  private var heap: [(rank: Rank, size: Int, item: Item)] = []
  /// The best that was ever put out.
  private var shut: Rank?

  init(budget: Int) { self.budget = budget }

  /// Whether an item of this rank may still get in: false saves making it.
  func isOpen(to rank: Rank) -> Bool { shut.map { rank < $0 } ?? true }

  mutating func offer(_ item: Item, _ rank: Rank, size: Int) {
    guard isOpen(to: rank) else { return }
    heap.append((rank, size, item))
    used += size
    rise(from: heap.count - 1)
    while used > budget, let worst = popWorst() {
      used -= worst.size
      shut = worst.rank
    }
  }

  /// The best first.
  var items: [Item] { heap.sorted { $0.rank < $1.rank }.map(\.item) }

  private mutating func rise(from start: Int) {
    var place = start
    while place > 0, heap[(place - 1) / 2].rank < heap[place].rank {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func popWorst() -> (rank: Rank, size: Int, item: Item)? {
    guard let worst = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return worst }
    heap[0] = last
    var place = 0
    while true {
      let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
      guard let child = children.max(by: { heap[$0].rank < heap[$1].rank }),
        heap[place].rank < heap[child].rank
      else { return worst }
      heap.swapAt(place, child)
      place = child
    }
  }
}
