/// A rectangle that something stands in.
struct LabelBox: Sendable, Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  func touches(_ other: LabelBox) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func isInside(_ other: LabelBox) -> Bool {
    left >= other.left && right <= other.right && top >= other.top && bottom <= other.bottom
  }
}

/// Finds places for words beside points, where they cover neither a point nor each other.
struct LabelPlacer {
  struct Label: Sendable, Hashable {
    var text: String
    /// Where the baseline begins, is centred or ends, by the anchor.
    var x: Double
    var y: Double
    /// `start`, `middle` or `end`.
    var anchor: String
    /// True when it stands so far from its point that a line must lead there.
    var isFar: Bool
  }

  let bounds: LabelBox
  let font: Double
  private var taken: [LabelBox] = []
  /// Lines that are better not covered.
  private var soft: [LabelBox] = []

  init(bounds: LabelBox, font: Double) {
    self.bounds = bounds
    self.font = font
  }

  mutating func take(_ box: LabelBox) { taken.append(box) }

  mutating func take(point: ChartSpot, radius: Double) {
    take(
      LabelBox(
        left: point.x - radius, top: point.y - radius, right: point.x + radius, bottom: point.y + radius))
  }

  /// Keeps labels off a line where there is room elsewhere.
  mutating func avoid(from start: ChartSpot, to end: ChartSpot) {
    let length = max(abs(end.x - start.x), abs(end.y - start.y))
    let steps = min(200, max(1, Int(length / 8)))
    for step in 0...steps {
      let part = Double(step) / Double(steps)
      let (x, y) = (start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
      soft.append(LabelBox(left: x - 2, top: y - 2, right: x + 2, bottom: y + 2))
    }
  }

  /// - Returns: `nil` where no place is free.
  mutating func place(_ text: String, at point: ChartSpot) -> Label? {
    let width = SVGText.width(text, size: font)
    for obstacles in [taken + soft, taken] {
      for distance in [7.0, 12, 20, 30, 44] {
        for direction in LabelPlacer.directions {
          let (label, box) = self.label(text, width, point, direction, distance)
          guard box.isInside(bounds), !obstacles.contains(where: box.touches) else { continue }
          taken.append(box)
          return label
        }
      }
    }
    return nil
  }

  /// Beside the whiskers first, which go straight left, right, up and down.
  private static let directions: [(dx: Double, dy: Double)] = [
    (1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1),
  ]

  private func label(
    _ text: String, _ width: Double, _ point: ChartSpot, _ direction: (dx: Double, dy: Double),
    _ distance: Double
  ) -> (Label, LabelBox) {
    let x = point.x + direction.dx * distance
    // The middle of small letters stands a third of the size above the baseline.
    let middle = point.y + direction.dy * distance
    let anchor = direction.dx > 0 ? "start" : direction.dx < 0 ? "end" : "middle"
    let left = direction.dx > 0 ? x : direction.dx < 0 ? x - width : x - width / 2
    let box = LabelBox(
      left: left - 1, top: middle - font * 0.6, right: left + width + 1, bottom: middle + font * 0.6)
    return (Label(text: text, x: x, y: middle + font * 0.35, anchor: anchor, isFar: distance > 14), box)
  }
}
