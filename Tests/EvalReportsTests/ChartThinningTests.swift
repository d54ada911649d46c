import Testing

@testable import EvalReports

@Suite struct ChartThinningTests {
  static let noise = (0..<10_000).map { index in
    ChartSpot(x: Double(index) * 0.06, y: Double((index &* 7919) % 1000) / 4)
  }

  /// Against a search of each column without the rule's cleverness.
  @Test func `A line keeps the first, last, lowest and highest of each column`() {
    let kept = ChartThinning.line(Self.noise, width: 1.5)
    let columns = Dictionary(grouping: Self.noise) { Int(($0.x / 1.5).rounded(.down)) }
    let thin = Dictionary(grouping: kept) { Int(($0.x / 1.5).rounded(.down)) }
    #expect(kept.count <= 4 * columns.count && kept.count > columns.count)
    for (column, all) in columns {
      let some = thin[column] ?? []
      #expect(some.first == all.first && some.last == all.last)
      #expect(some.map(\.y).min() == all.map(\.y).min() && some.map(\.y).max() == all.map(\.y).max())
    }
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.x <= $1.x })
  }

  @Test func `A short line is left alone`() {
    let short = Array(Self.noise.prefix(4))
    #expect(ChartThinning.line(short, width: 100) == short)
  }

  @Test func `Of many dots one of each square is kept, and no square is emptied`() {
    let (kept, side) = ChartThinning.scatter(Self.noise, side: 3)
    let size = side ?? 0
    func squares(_ spots: [ChartSpot]) -> Set<ChartSpot> {
      Set(spots.map { ChartSpot(x: ($0.x / size).rounded(.down), y: ($0.y / size).rounded(.down)) })
    }
    #expect(size >= 3 && kept.count <= ChartThinning.dots)
    #expect(squares(kept) == squares(Self.noise) && squares(kept).count == kept.count)
    let few = Array(Self.noise.prefix(ChartThinning.dots))
    #expect(ChartThinning.scatter(few, side: 3).kept == few)
  }

  @Test func `Neighbours are averaged, what is missing left out`() {
    let (values, size) = ChartThinning.bins([1, 0, nil, nil, 0.5, 1, 1], most: 4)
    #expect(size == 2 && values == [0.5, nil, 0.75, 1])
    #expect(ChartThinning.bins([1, nil], most: 2).values == [1, nil])
  }
}
