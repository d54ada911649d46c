import EvalAnalysis
import EvalCore

/// How long calls took, as cumulative distributions on a log axis.
extension RunPictures {
  /// One target's curve of one kind.
  private struct Line {
    var target: TargetSummary
    var group: LatencyGroup
    var curve: LatencyCurve
    var distribution: Distribution
    /// `nil` for what needs no words.
    var word: String?
  }

  /// Fewer calls make no curve.
  static let leastOfCurve = 20

  /// Total, then first token; live and recorded answers in pictures of their own.
  var latencyCurves: [Chart] {
    [Provenance.live, .recorded].flatMap { source in
      [
        curves("total-time", "Total time", source, totals),
        curves("first-token-time", "Time to the first token", source, firstTokens),
      ].compactMap(\.self)
    }
  }

  private func totals(_ target: TargetSummary, _ group: LatencyGroup) -> Line? {
    group.curves.total.map {
      Line(target: target, group: group, curve: $0, distribution: group.adjustedTotal ?? group.total)
    }
  }

  private func firstTokens(_ target: TargetSummary, _ group: LatencyGroup) -> Line? {
    let isCached = (group.firstTokenCached?.n ?? 0) > (group.firstToken?.n ?? 0)
    guard let curve = isCached ? group.curves.firstTokenCached : group.curves.firstToken,
      let distribution = isCached ? group.firstTokenCached : group.adjustedFirstToken ?? group.firstToken
    else { return nil }
    return Line(
      target: target, group: group, curve: curve, distribution: distribution,
      word: isCached ? "cached prompt" : nil)
  }

  private func curves(
    _ id: String, _ title: String, _ source: Provenance,
    _ line: (TargetSummary, LatencyGroup) -> Line?
  ) -> Chart? {
    let all = summary.targets.compactMap { target -> Line? in
      guard let group = target.headline, group.condition.source == source else { return nil }
      return line(target, group)
    }
    let lines = all.filter { $0.curve.n >= RunPictures.leastOfCurve }
    let short = all.filter { $0.curve.n < RunPictures.leastOfCurve }
    // One curve alone where there are several targets compares nothing.
    guard lines.count > 1 || (lines.count == 1 && short.isEmpty) else { return nil }
    let recorded = source == .recorded ? ", recorded" : ""
    let plot = Chart.Plot(
      x: Chart.Axis("time", .milliseconds, scale: .log),
      y: Chart.Axis("calls that have come so far", .share, range: 0...1),
      series: lines.flatMap(series))
    return Chart(
      id: source == .recorded ? "\(id)-recorded" : id, title: title + recorded, .plot(plot),
      alternative: sentence(lines), note: note(lines, leftOut: short))
  }

  private func series(_ line: Line) -> [Chart.Series] {
    let name = RunPictures.name(line.target, line.group, line.word)
    let slot = slot(line.target.name)
    let curve = line.curve
    var series = [
      Chart.Series(
        name, .steps, curve.points.map { Chart.Point(x: $0.time, y: curve.share($0)) }, slot: slot)
    ]
    if curve.failures > 0 {
      series.append(
        Chart.Series(
          "\(name), with failures", .steps,
          curve.points.map { Chart.Point(x: $0.time, y: curve.adjustedShare($0)) }, slot: slot, dash: .dashed)
      )
    }
    return series
  }

  private func sentence(_ lines: [Line]) -> String {
    let parts = lines.map { line in
      var words = [line.distribution.p50, line.distribution.p95].compactMap { percentile -> String? in
        guard percentile.isEstimable, let observed = percentile.observed else { return nil }
        let time = observed.value.map(Quantity.milliseconds.text) ?? ">timeout"
        return "p\(Int((percentile.quantile * 100).rounded())) \(time)"
      }
      if line.curve.failures > 0 {
        words.append("\(Quantity.share.text(line.curve.finishedShare)) ever answered")
      }
      return "\(RunPictures.name(line.target, line.group, line.word)): \(words.joined(separator: ", ")) "
        + "(n=\(Numbers.count(line.distribution.p50.n)))"
    }
    return "\(RunPictures.some(parts, ". "))."
  }

  private func note(_ lines: [Line], leftOut: [Line]) -> String? {
    var words: [String] = []
    if lines.contains(where: { $0.curve.failures > 0 }) {
      words.append(
        "Solid: whole answers only. Dashed: a call that failed, was refused or came back empty never ends, so the "
          + "curve stays below 100 %. The percentiles in words count them, too.")
    }
    if !leftOut.isEmpty {
      let names = leftOut.map { "\($0.target.name) (\($0.curve.n))" }.joined(separator: ", ")
      words.append("Left out, with fewer than \(RunPictures.leastOfCurve) calls: \(names).")
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
