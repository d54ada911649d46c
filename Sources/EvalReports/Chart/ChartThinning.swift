/// A place in a picture.
struct ChartSpot: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// Fewer places that look the same. The rules are those of `Docs/Page.md`.
enum ChartThinning {
  /// The most dots of one series.
  static let dots = 600
  /// The most bars in a row of a map.
  static let cells = 200

  /// The first, the lowest, the highest and the last place of each column that is `width` wide, in their order: a line
  /// through them covers what a line through all covers.
  ///
  /// M4: Jugel, Jerzak, Hackenbroich and Markl, *M4: A Visualization-Oriented Time Series Data Aggregation*, VLDB 7
  /// (2014).
  /// - Parameter places: by rising x.
  static func line(_ places: [ChartSpot], width: Double) -> [ChartSpot] {
    guard places.count > 4 else { return places }
    var kept: [ChartSpot] = []
    var start = 0
    while start < places.count {
      let column = (places[start].x / width).rounded(.down)
      var end = start
      var (lowest, highest) = (start, start)
      while end < places.count, (places[end].x / width).rounded(.down) == column {
        if places[end].y < places[lowest].y { lowest = end }
        if places[end].y > places[highest].y { highest = end }
        end += 1
      }
      var last = -1
      for index in [start, min(lowest, highest), max(lowest, highest), end - 1] where index > last {
        kept.append(places[index])
        last = index
      }
      start = end
    }
    return kept
  }

  /// One place of each square, drawn blindly but always the same, and how wide the squares are; all places and `nil`
  /// where they are few.
  ///
  /// The squares begin at `side` and grow until at most `dots` hold a place.
  static func scatter(_ places: [ChartSpot], side: Double) -> (kept: [ChartSpot], side: Double?) {
    guard places.count > dots else { return (places, nil) }
    var side = side
    while true {
      var lots: [ChartSpot: (lot: UInt32, index: Int)] = [:]
      for (index, place) in places.enumerated() {
        let square = ChartSpot(x: (place.x / side).rounded(.down), y: (place.y / side).rounded(.down))
        // Knuth's multiplicative hash: the first of a square would always be that on its left.
        let lot = UInt32(truncatingIfNeeded: index) &* 2_654_435_761
        if let best = lots[square], best.lot <= lot { continue }
        lots[square] = (lot, index)
      }
      if lots.count <= dots { return (lots.values.map(\.index).sorted().map { places[$0] }, side) }
      side *= 1.25
    }
  }

  /// The mean of each `size` neighbours, missing where all are; values as they are where they are few.
  /// - Returns: the bins, and how many neighbours are in one.
  static func bins(_ values: [Double?], most: Int) -> (values: [Double?], size: Int) {
    let size = max(1, (values.count + most - 1) / most)
    guard size > 1 else { return (values, 1) }
    let bins = stride(from: 0, to: values.count, by: size).map { start -> Double? in
      let known = values[start..<min(start + size, values.count)].compactMap(\.self).filter(\.isFinite)
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
    return (bins, size)
  }
}
