import EvalAnalysis
import EvalCore

/// Whether the run's end was like its beginning.
extension RunPictures {
  /// `nil` with too few live calls.
  var drift: Chart? {
    let drifts = summary.targets.compactMap { target in target.drift.map { (name: target.name, drift: $0) } }
    guard !drifts.isEmpty else { return nil }
    let series = drifts.flatMap { name, drift -> [Chart.Series] in
      let points = drift.bins.compactMap { bin -> Chart.Point? in
        guard let median = bin.median.observed?.value else { return nil }
        var point = Chart.Point(x: bin.place, y: median)
        if let low = bin.median.low?.value, let high = bin.median.high?.value { point.yInterval = low...high }
        return point
      }
      return [
        Chart.Series(name, .line, points, slot: slot(name)),
        Chart.Series("", .points, points, slot: slot(name)),
      ]
    }
    let plot = Chart.Plot(
      x: Chart.Axis("part of the run", .share, range: 0...1),
      y: Chart.Axis("median total time", .milliseconds, range: 0...0), series: series)
    return Chart(
      id: "drift", title: "Times over the run", .plot(plot),
      alternative: RunPictures.some(drifts.map { RunPictures.words($0.drift, of: $0.name) }, ". ") + ".",
      note:
        "Medians of equal parts of the live calls on open connections, in the order of their starts, with 95 % "
        + "intervals.")
  }

  private static func words(_ drift: DriftSeries, of name: String) -> String {
    let medians = drift.bins.compactMap { $0.median.observed?.value }
    let range = Quantity.milliseconds.text((medians.min() ?? 0)...(medians.max() ?? 0))
    guard let halves = drift.halves else {
      return "\(name): no drift found, medians of \(drift.bins.count) parts \(range)"
    }
    return "\(name): drift from a median of \(Quantity.milliseconds.text(halves.first)) in the first half to "
      + "\(Quantity.milliseconds.text(halves.second)) in the second, medians of \(drift.bins.count) parts \(range)"
  }
}
