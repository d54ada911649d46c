import Testing

@testable import EvalReports

@Suite struct ChartTickTests {
  @Test(arguments: [
    (0.0...1.0, Chart.Unit.score, "0 0.2 0.4 0.6 0.8 1.0"), (0...1, .share, "0 % 20 % 40 % 60 % 80 % 100 %"),
    (0...950, .milliseconds, "0 ms 200 ms 400 ms 600 ms 800 ms 1,000 ms"),
    (0...4200, .milliseconds, "0 s 1 s 2 s 3 s 4 s 5 s"),
    (0...1_200_000, .milliseconds, "0 min 5 min 10 min 15 min 20 min"),
    (0...0.0023, .dollars, "$0 $0.0005 $0.0010 $0.0015 $0.0020 $0.0025"),
    (0...45_000, .number, "0 10k 20k 30k 40k 50k"), (-0.37...0.21, .points, "-40 -30 -20 -10 0 10 20 30"),
    (998...1003, .tokens, "998 999 1,000 1,001 1,002 1,003"),
    (0.8...1.3, .factor, "×0.8 ×0.9 ×1.0 ×1.1 ×1.2 ×1.3"), (1e20...5e20, .number, "1e20 2e20 3e20 4e20 5e20"),
    (-1e-12...3e-12, .number, "-1e-12 0 1e-12 2e-12 3e-12"),
    (-3...(-1), .dollars, "-$3.0 -$2.5 -$2.0 -$1.5 -$1.0"),
    (0...31, .tokensPerSecond, "0 tok/s 5 tok/s 10 tok/s 15 tok/s 20 tok/s 25 tok/s 30 tok/s 35 tok/s"),
  ]) func `Round numbers around a range`(_ range: ClosedRange<Double>, _ unit: Chart.Unit, _ texts: String) {
    let ticks = ChartTicks.linear(range, unit, wanted: 5)
    #expect(ticks.ticks.map(\.text).joined(separator: " ") == texts)
    #expect(ticks.low <= range.lowerBound && ticks.high >= range.upperBound)
  }

  @Test(arguments: [
    (50.0...9000.0, Chart.Unit.milliseconds, 5, "50 ms 100 ms 200 ms 500 ms 1 s 2 s 5 s 10 s"),
    (300...310, .milliseconds, 5, "200 ms 500 ms"), (10...10, .number, 5, "10 20"),
    (5...5, .number, 5, "5 10"),
    (1e-6...1e6, .number, 4, "0.000001 0.001 1 1,000 1M"),
    (0.0004...0.004, .dollars, 5, "$0.0002 $0.0005 $0.001 $0.002 $0.005"),
  ]) func `Powers of ten, and 2 and 5 where there is room`(
    _ range: ClosedRange<Double>, _ unit: Chart.Unit, _ wanted: Int, _ texts: String
  ) {
    let ticks = ChartTicks.log(range, unit, wanted: wanted)
    #expect(ticks.ticks.map(\.text).joined(separator: " ") == texts)
    #expect(ticks.low <= range.lowerBound * 1.000001 && ticks.high >= range.upperBound * 0.999999)
  }

  /// Whatever the range: rising, even, around it, few, and no two alike.
  @Test func `Ticks of any range are sound`() {
    var generator = SystemLikeGenerator(state: 11)
    for _ in 0..<3000 {
      let size = generator.next() * 60 - 30
      var power = 1.0
      for _ in 0..<Int(abs(size)) { power *= 10 }
      let scale = size < 0 ? 1 / power : power
      let low = (generator.next() - 0.5) * scale
      let high = low + (generator.next() + 1e-6) * scale
      let axis = Chart.Axis("", .number)
      let ends = ChartScale(axis, [low, high], wanted: 5)
      #expect(ends.ticks.count >= 2 && ends.ticks.count <= 12, "\(low) \(high)")
      #expect(ends.low <= low + scale * 1e-9 && ends.high >= high - scale * 1e-9, "\(low) \(high)")
      #expect(
        Set(ends.ticks.map(\.text)).count == ends.ticks.count, "\(low) \(high) \(ends.ticks.map(\.text))")
      let steps = zip(ends.ticks, ends.ticks.dropFirst()).map { $1.value - $0.value }
      for step in steps { #expect(step > 0 && abs(step - steps[0]) <= abs(steps[0]) * 1e-6) }
    }
  }

  private struct SystemLikeGenerator {
    var state: UInt64

    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / 9_007_199_254_740_992
    }
  }

  @Test(arguments: [
    ([Double](), 0.0, 1.0), ([.nan, .infinity], 0, 1), ([0], 0, 1), ([100], 90, 110), ([-2, -2], -2.2, -1.8),
    ([1e300, 1], 0.9, 1.1), ([1e-300], 0, 1),
  ]) func `A range is found for anything`(_ values: [Double], _ low: Double, _ high: Double) {
    let scale = ChartScale(.init("", .number), values, wanted: 5)
    #expect(scale.low < scale.high && scale.low.isFinite && scale.high.isFinite)
    #expect(scale.low <= low + 1e-9 && scale.high >= high - 1e-9 && scale.high <= high + 0.5, "\(scale)")
  }

  @Test func `Places on an axis`() {
    let linear = ChartScale(.init("", .score, range: 0...1), [0.3], wanted: 5)
    #expect(linear.position(0.25) == 0.25 && linear.position(2) == 1 && linear.position(.nan) == nil)
    let log = ChartScale(.init("", .milliseconds, scale: .log), [10, 1000], wanted: 5)
    #expect(log.position(100).map { abs($0 - 0.5) < 1e-12 } == true)
    #expect(log.position(0) == nil && log.position(-1) == nil)
    // An interval that begins at or below 0 is drawn from the low end.
    #expect(log.positions(0...100).map { $0.lowerBound == 0 && abs($0.upperBound - 0.5) < 1e-12 } == true)
  }
}
