import EvalAnalysis
import EvalCore

/// How good each target is for what it costs.
extension RunPictures {
  /// `nil` with fewer than two targets of different cost: then the table says it all.
  var qualityCost: Chart? {
    guard let data = summary.qualityCost, Set(data.points.map(\.costQuality.cost)).count > 1 else {
      return nil
    }
    var series = data.points.map(point)
    if let coin = data.coin, coin.line.count > 1 {
      series.append(
        Chart.Series(
          "coin toss between \(RunPictures.some(coin.arms))", .line,
          coin.line.map { Chart.Point(x: $0.cost, y: $0.quality) }, role: .reference, dash: .dashed))
    }
    if let oracle = data.oracle {
      series.append(
        Chart.Series(
          "oracle", .points,
          [Chart.Point(x: oracle.point.cost, y: oracle.point.quality, label: "oracle")], role: .reference))
    }
    let plot = Chart.Plot(
      x: Chart.Axis(
        "cost of a thousand requests" + (summary.isRecorded ? ", if live" : ""), .dollars),
      y: Chart.Axis("\(quality.label), strict", quality.unit), series: series,
      chosen: "cheapest, or surely better")
    return Chart(
      id: "quality-cost", title: "Quality against cost", .plot(plot),
      alternative: sentences(data).joined(separator: " "), note: notes(data).joined(separator: " "))
  }

  /// A score that is made of passes and fails alone is called what the table calls it.
  private var quality: (label: String, unit: Chart.Unit, quantity: Quantity) {
    let isPassRate = summary.targets.allSatisfy { $0.score.strict == $0.score.passStrict }
    return isPassRate ? ("pass rate", .share, .share) : ("score", .score, .score)
  }

  private func point(_ point: QualityCost.Point) -> Chart.Series {
    Chart.Series(
      point.target, .points,
      [
        Chart.Point(
          x: point.costQuality.cost, y: point.costQuality.quality, xInterval: point.cost.interval,
          yInterval: point.quality.interval, label: point.target)
      ], role: point.isWorthIt ? .chosen : .data, slot: slot(point.target))
  }

  // MARK: Sentences

  private func sentences(_ data: QualityCost) -> [String] {
    let points = data.points.sorted { $0.costQuality.cost < $1.costQuality.cost }
    let cheapest = points.filter { $0.isWorthIt && $0.gain == nil }
    let beaten = points.filter { !$0.isPareto }
    var sentences = [
      "Cheapest for a thousand requests: \(RunPictures.some(cheapest.map(words)))."
    ]
    sentences += points.compactMap(gain).prefix(3)
    if !beaten.isEmpty {
      sentences.append("No better than one that costs no more: \(RunPictures.some(beaten.map(words))).")
    }
    if let coin = coinSentence(data) { sentences.append(coin) }
    if let oracle = data.oracle {
      sentences.append(
        "The best permitted arm of every case would give \(quality.quantity.text(oracle.point.quality)) for "
          + "\(Quantity.dollars.text(oracle.point.cost)).")
    }
    return sentences
  }

  private func words(_ point: QualityCost.Point) -> String {
    "\(point.target) (\(quality.label) \(quality.quantity.text(point.costQuality.quality)) for "
      + "\(point.isLowerBound ? "≥ " : "")\(Quantity.dollars.text(point.costQuality.cost)))"
  }

  private func gain(_ point: QualityCost.Point) -> String? {
    guard let gain = point.gain, let value = gain.difference.change.value else { return nil }
    let range = gain.difference.change.interval.map {
      " (95 % interval \(signed($0.lowerBound)) to \(signed($0.upperBound)))"
    }
    return "\(words(point)) is \(gain.isReal ? "" : "not shown to be ")better than \(gain.over): "
      + "\(signed(value))\(range ?? "")."
  }

  private func signed(_ value: Double) -> String {
    let sign = value > 0 ? "+" : ""
    return quality.unit == .share
      ? "\(sign)\(Numbers.fixed(value * 100, 1)) points" : "\(sign)\(Numbers.fixed(value, 3))"
  }

  private func coinSentence(_ data: QualityCost) -> String? {
    guard let coin = data.coin, let hull = ZeroRouter(coin.line) else { return nil }
    let lifts = data.points.filter(\.isRoute).compactMap { route in
      hull.lift(of: route.costQuality).map { lift in
        abs(lift) < 0.0005
          ? "\(route.target) lies on it"
          : "\(route.target) lies \(signed(abs(lift)).dropFirst()) \(lift > 0 ? "above" : "below") it"
      }
    }
    guard coin.line.count > 1 else {
      let best = coin.arms.first { arm in
        data.points.contains { $0.target == arm && $0.costQuality == coin.line[0] }
      }
      return best.map { "No mix of the arms beats \($0) alone, which is the best and the cheapest." }
    }
    guard !lifts.isEmpty else { return nil }
    return "Against a coin toss between the arms for the same money: \(RunPictures.some(lifts))."
  }

  private func notes(_ data: QualityCost) -> [String] {
    var notes = [
      "A ring is round the cheapest, and round what is surely better than the ringed target to "
        + "its left, paired by case. Whiskers are 95 % intervals."
    ]
    if !data.unpriced.isEmpty { notes.append("Cost unknown, not drawn: \(RunPictures.some(data.unpriced)).") }
    guard summary.hasRoute else { return notes }
    if data.coin == nil {
      notes.append(
        "No coin-toss line and no oracle: not every arm of the routes ran alone with a known cost.")
    } else if let oracle = data.oracle {
      notes.append(
        "The oracle knows the answers, so no policy reaches it"
          + (oracle.isBiased ? "; with one repeat of a case its luck counts as skill." : "."))
      if oracle.cases < oracle.of {
        notes.append("It rests on \(Numbers.part(oracle.cases, of: oracle.of)) cases.")
      }
    } else {
      notes.append("No oracle: too few cases have a score and a cost with every arm.")
    }
    return notes
  }
}
