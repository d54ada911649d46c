import Testing

@testable import EvalReports

extension Chart: CustomTestStringConvertible {
  package var testDescription: String { id }
}

/// A chart of each kind, with numbers that a person can check.
enum SampleCharts {
  static let all = [points, steps, dots, stack, bars, intervals, map, differences, labels]

  static let points = Chart(
    id: "quality-cost", title: "Quality against cost",
    .plot(
      .init(
        x: .init("cost a case", .dollars, range: 0...0), y: .init("quality", .score),
        series: [
          .init(
            "a coin between arms", .line, [.init(x: 0, y: 0.4), .init(x: 0.002, y: 0.9)], role: .reference),
          side("on-device", 0, 0.4, yInterval: 0.3...0.5),
          side("cloud", 0.002, 0.9, xInterval: 0.0018...0.0023, yInterval: 0.82...0.96),
          side("careful", 0.001, 0.85, xInterval: 0.0007...0.0013, yInterval: 0.75...0.93, role: .chosen),
        ])), alternative: "careful has quality 0.850 for $0.00100 a case.")

  private static func side(
    _ name: String, _ x: Double, _ y: Double, xInterval: ClosedRange<Double>? = nil,
    yInterval: ClosedRange<Double>? = nil, role: Chart.Series.Role = .data
  ) -> Chart.Series {
    .init(
      name, .points, [.init(x: x, y: y, xInterval: xInterval, yInterval: yInterval, label: name)], role: role)
  }

  static let steps = Chart(
    id: "latency", title: "Time to the end",
    .plot(
      .init(
        x: .init("time to the end", .milliseconds, scale: .log), y: .init("trials", .share, range: 0...1),
        series: [
          .init("on-device", .steps, curve([60, 80, 100, 200, 400])),
          .init("cloud", .steps, curve([300, 500, 1000, 2000, 8000])),
          .init(
            "cloud, failures never end", .steps, curve([300, 500, 1000, 2000, 8000]).dropLast(2), slot: 1,
            dash: .dashed),
        ], marks: [.init(.x(1000), label: "wanted: 1 s")])),
    alternative: "Half of the trials end within 100 ms on-device and within 1.00 s in the cloud.")

  private static func curve(_ times: [Double]) -> [Chart.Point] {
    times.enumerated().map { .init(x: $0.element, y: Double($0.offset + 1) / Double(times.count)) }
  }

  static let dots = Chart(
    id: "drift", title: "Drift over the run",
    .plot(
      .init(
        x: .init("trial", .number), y: .init("time to the end", .milliseconds),
        series: [
          .init("cloud", .points, (0..<100).map { .init(x: Double($0), y: 400 + Double($0 * 37 % 100)) })
        ])), alternative: "The time to the end does not change over 100 trials.")

  static let stack = Chart(
    id: "first-token", title: "First token",
    .bars(
      .init(
        axis: .init("time to first token, p50", .milliseconds), style: .stacked,
        parts: [.init("connect"), .init("wait"), .init("model")],
        rows: [
          .init("on-device", [.init(0), .init(20), .init(180)]),
          .init("cloud", [.init(100), .init(200), .init(300)]),
          .init("route", [.init(nil), .init(nil), .init(nil)]),
        ])),
    alternative: "on-device 200 ms, of them 180 ms the model; cloud 600 ms, of them 300 ms the model.")

  static let bars = Chart(
    id: "pass", title: "Pass rate",
    .bars(
      .init(
        axis: .init("pass rate", .share, range: 0...1), parts: [.init("pass rate")],
        rows: [
          .init("on-device", [.init(0.6, interval: 0.5...0.7)]),
          .init("cloud", [.init(1, interval: 0.9...1)]),
          .init("route", [.init(nil)]),
        ])), alternative: "on-device 60.0 %, cloud 100 %.")

  static let intervals = Chart(
    id: "score", title: "Score",
    .bars(
      .init(
        axis: .init("score", .score), style: .dots, parts: [.init("strict"), .init("conditional")],
        rows: [
          .init("on-device", [.init(0.6, interval: 0.5...0.7), .init(0.65, interval: 0.55...0.75)]),
          .init("cloud", [.init(0.9, interval: 0.85...0.95), .init(0.92, interval: 0.88...0.96)]),
        ])), alternative: "on-device 0.600, cloud 0.900.")

  static let map = Chart(
    id: "map", title: "Where targets disagree",
    .map(
      .init(
        rowsLabel: "cases", valueLabel: "score", columns: ["on-device", "cloud"],
        rows: [
          .init("case-1", [0, 1]), .init("case-2", [0.5, 1]), .init("case-3", [nil, 0.75]),
          .init("case-4", [1, 0.25]), .init("case-5", [1, 1]),
        ])), alternative: "The targets disagree in 4 of 5 cases.")

  static let differences = Chart(
    id: "paired", title: "Paired differences",
    .plot(
      .init(
        x: .init("cases, sorted", .number), y: .init("cloud less on-device", .points, range: -1...1),
        series: [
          .init(
            "", .steps,
            [
              .init(x: 0, y: -1), .init(x: 1, y: 0), .init(x: 6, y: 0.5), .init(x: 8, y: 1),
              .init(x: 10, y: 1),
            ],
            fillsTo: 0)
        ], marks: [.init(.y(0)), .init(.yBand(-0.05...0.45), label: "mean, 95 %: -5.0 to 45.0")])),
    alternative: "Of 10 cases cloud is worse in 1, better in 4 and the same in 5.")

  /// Fourteen names in a small room.
  static let labels = Chart(
    id: "labels", title: "Many policies",
    .plot(
      .init(
        x: .init("cost", .factor), y: .init("speed", .tokensPerSecond),
        series: (0..<14).map { index in
          side("policy-\(index)", 1 + Double(index * 5 % 14) / 100, 50 + Double(index * 3 % 14) / 20)
        })), alternative: "Fourteen policies.")

  static func svg(_ chart: Chart) -> String {
    var text = ""
    ChartSVG(chart).write { text += $0 }
    return text
  }

  static func text(_ chart: Chart, width: Int = 80, unicode: Bool = true) -> [String] {
    ChartText(
      chart, width: width, text: TerminalText(unicode: unicode), style: TerminalStyle(isOn: false)
    ).lines
  }
}
