import EvalAnalysis

extension SweepReport {
  /// All policies with the frontier and the chosen one; none where no policy has both numbers.
  var pictures: [ReportBlock] {
    guard !frontier.points.isEmpty else { return [] }
    let points = points(choice.scores.indices.filter { choice.scores[$0].isCompared })
    var series: [Chart.Series] = [
      .init("policies", .points, points, role: .reference),
      .init("frontier", shape, self.points(frontier.points.map(\.policy)).sorted { $0.x < $1.x }, slot: 0),
    ]
    if let chosen = choice.chosen {
      series += mark("chosen", choice.scores[chosen], role: .chosen, slot: 1)
      if let heldOut = choice.heldOut {
        series += mark("on the other cases", heldOut, role: .data, slot: 2)
      }
    }
    let plot = Chart.Plot(
      x: axis(frontier.price), y: axis(frontier.gain), series: series, marks: limits, chosen: "")
    return [
      .section(
        title: "Pictures",
        [
          .chart(
            Chart(
              id: "frontier",
              title: "Frontier of \(frontier.gain.rawValue) and \(frontier.price.rawValue) (what-if)",
              .plot(plot), alternative: sentence))
        ])
    ]
  }

  /// Between two policies of the frontier there is none: who pays more than the first and less than the second has the
  /// first. Where quality is what is paid with, the stairs would go the other way.
  private var shape: Chart.Series.Shape {
    if frontier.points.count == 1 { return .points }
    return frontier.price.isHigherBetter ? .line : .steps
  }

  /// Policies with the same two numbers are one point.
  private func points(_ policies: [Int]) -> [Chart.Point] {
    var seen: Set<[Double]> = []
    return policies.compactMap { policy in
      let score = choice.scores[policy]
      guard let price = score[frontier.price], let gain = score[frontier.gain],
        seen.insert([price, gain]).inserted
      else { return nil }
      return Chart.Point(x: price, y: gain)
    }
  }

  private func mark(
    _ name: String, _ score: SweepScore, role: Chart.Series.Role, slot: Int
  ) -> [Chart.Series] {
    guard let price = score[frontier.price], let gain = score[frontier.gain] else { return [] }
    return [.init(name, .points, [.init(x: price, y: gain, label: name)], role: role, slot: slot)]
  }

  private func axis(_ metric: SweepMetric) -> Chart.Axis {
    let unit: Chart.Unit
    switch metric.unit {
    case .dollars: unit = .dollars
    case .milliseconds: unit = .milliseconds
    case .count: unit = .number
    case .share: unit = metric == .quality ? .score : .share
    }
    return .init(metric.rawValue, unit, range: metric == frontier.price ? 0...0 : nil)
  }

  /// The limits that lie on one of the two axes.
  private var limits: [Chart.Mark] {
    choice.constraints.compactMap { limit in
      if limit.metric == frontier.price { return .init(.x(limit.bound), label: limit.text) }
      if limit.metric == frontier.gain { return .init(.y(limit.bound), label: limit.text) }
      return nil
    }
  }

  private var sentence: String {
    func words(_ score: SweepScore) -> String {
      [frontier.gain, frontier.price].map { metric in
        "\(metric.rawValue) \(score[metric].map(SweepReport.quantity(metric).text) ?? Numbers.missing)"
      }.joined(separator: ", ")
    }
    var text =
      "\(Numbers.count(frontier.points.count)) of \(Numbers.count(choice.scores.count)) policies are on the frontier"
    if let first = frontier.points.first, let last = frontier.points.last {
      text += ", from \(words(choice.scores[first.policy]))"
      if frontier.points.count > 1 { text += " to \(words(choice.scores[last.policy]))" }
    }
    text += "."
    if let chosen = choice.chosen {
      text += " The chosen one has \(words(choice.scores[chosen]))"
      text += choice.heldOut.map { "; on the other cases \(words($0))." } ?? "."
    }
    return text
  }
}
