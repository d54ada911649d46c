#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where the values of an axis lie between its ends.
struct ChartScale: Sendable, Hashable {
  let axis: Chart.Axis
  let low: Double
  let high: Double
  let ticks: [ChartTick]

  /// Nothing that is measured is beyond; differences and powers of what is within stay finite.
  private static let limit = 1e100

  /// What a picture can show: finite, not absurd, and above 0 on an axis of powers.
  static func isDrawable(_ value: Double, _ axis: Chart.Axis) -> Bool {
    value.isFinite && abs(value) <= limit && (axis.scale == .linear || value >= 1 / limit)
  }

  /// - Parameters:
  ///   - values: all that has to be seen; what cannot be drawn is passed over.
  ///   - wanted: about so many ticks.
  init(_ axis: Chart.Axis, _ values: some Sequence<Double>, wanted: Int) {
    var extent = ChartExtent()
    for value in values { extent.see(value, axis) }
    if let range = axis.range { extent.see(range, axis) }
    let none: [Double] = axis.scale == .log ? [1, 10] : [0, 1]
    let ends = extent.ends.isEmpty ? none : extent.ends
    let (low, high) = (ends[0], ends[1])
    let range = ChartScale.opened(low, high, axis)
    let ticks =
      axis.scale == .log
      ? ChartTicks.log(range, axis.unit, wanted: wanted) : ChartTicks.linear(range, axis.unit, wanted: wanted)
    self.axis = axis
    self.low = ticks.low
    self.high = ticks.high
    self.ticks = ticks.ticks
  }

  /// A range that has a width, and one that doubles can tell apart.
  private static func opened(_ low: Double, _ high: Double, _ axis: Chart.Axis) -> ClosedRange<Double> {
    if axis.scale == .log { return low...high }
    let size = max(abs(low), abs(high))
    if size < 1 / limit { return 0...1 }
    guard high - low < size * 1e-9 else { return low...high }
    // One value, or several that are as good as equal, in the middle of a tenth more and less.
    return (low - size * 0.1)...(high + size * 0.1)
  }

  /// 0 at the low end, 1 at the high one, clamped to them; `nil` for what cannot be drawn.
  func position(_ value: Double) -> Double? {
    guard ChartScale.isDrawable(value, axis) else { return nil }
    let place =
      axis.scale == .log
      ? (log10(value) - log10(low)) / (log10(high) - log10(low)) : (value - low) / (high - low)
    return min(max(place, 0), 1)
  }

  /// The part of an interval that can be drawn: on an axis of powers what is at or below 0 begins at the low end.
  func positions(_ interval: ClosedRange<Double>) -> ClosedRange<Double>? {
    guard let upper = position(interval.upperBound) else { return nil }
    let lower = position(interval.lowerBound) ?? (interval.lowerBound <= 0 ? 0 : nil)
    return lower.map { min($0, upper)...upper }
  }
}

/// The least and the greatest of what an axis can show.
struct ChartExtent {
  private var low = Double.infinity
  private var high = -Double.infinity

  /// Both; empty when there was nothing.
  var ends: [Double] { low <= high ? [low, high] : [] }

  mutating func see(_ value: Double, _ axis: Chart.Axis) {
    guard ChartScale.isDrawable(value, axis) else { return }
    low = min(low, value)
    high = max(high, value)
  }

  mutating func see(_ range: ClosedRange<Double>, _ axis: Chart.Axis) {
    see(range.lowerBound, axis)
    see(range.upperBound, axis)
  }
}

extension Chart.Plot {
  /// The least and the greatest value of each axis, over all that is drawn; empty for none.
  var extent: (x: [Double], y: [Double]) {
    var (across, up) = (ChartExtent(), ChartExtent())
    for series in series {
      for point in series.points where isDrawable(point) {
        across.see(point.x, x)
        up.see(point.y, y)
        if let range = point.xInterval { across.see(range, x) }
        if let range = point.yInterval { up.see(range, y) }
      }
      if let floor = series.fillsTo { up.see(floor, y) }
    }
    for mark in marks {
      switch mark.place {
      case .x(let value): across.see(value, x)
      case .y(let value): up.see(value, y)
      case .xBand(let range): across.see(range, x)
      case .yBand(let range): up.see(range, y)
      }
    }
    return (across.ends, up.ends)
  }

  func isDrawable(_ point: Chart.Point) -> Bool {
    ChartScale.isDrawable(point.x, x) && ChartScale.isDrawable(point.y, y)
  }

  /// Points that are in no picture, because a number is missing or cannot stand on the axis.
  var undrawable: Int { series.reduce(0) { $0 + $1.points.count { !isDrawable($0) } } }
}

extension Chart.Bars {
  /// The scale over all rows; of bars it holds 0.
  func scale(wanted: Int) -> ChartScale {
    var values: [Double] = style == .dots || axis.scale == .log ? [] : [0]
    for row in rows {
      var (below, above) = (0.0, 0.0)
      for value in row.values {
        guard let number = value.value, ChartScale.isDrawable(number, axis) else { continue }
        if style == .stacked {
          if number < 0 { below += number } else { above += number }
          values += [below, above]
        } else {
          values.append(number)
          if let range = value.interval { values += [range.lowerBound, range.upperBound] }
        }
      }
    }
    return ChartScale(axis, values, wanted: wanted)
  }
}
