import EvalAnalysis

extension ReplayReport {
  /// Quality against cost: arms, policies, the coin between arms and the oracle; none with fewer than two sides.
  var pictures: [ReportBlock] {
    let picture = TradeOff(comparison)
    guard let chart = picture.chart else { return [] }
    return [.section(title: "Pictures", [.chart(chart)])]
  }
}

/// What a replay's sides give for what they take.
private struct TradeOff {
  private struct Side {
    let name: String
    let slot: Int
    let quality: Estimate
    let price: Estimate
    let isPareto: Bool
  }

  private let comparison: RoutingComparison
  private let sides: [Side]
  /// Sides that are not drawn, with the reason.
  private let left: [String]
  /// Costs are paid with, or the share of cases that left the device where no costs differ.
  private let isCost: Bool

  init(_ comparison: RoutingComparison) {
    self.comparison = comparison
    let scores = comparison.arms + comparison.policies
    let compared = scores.filter(\.isCompared)
    let costs = Set(compared.compactMap(\.cost.value))
    let isCost = costs.count > 1
    self.isCost = isCost
    var sides: [Side] = []
    var left: [String] = []
    for (slot, score) in scores.enumerated() {
      let price = isCost ? score.cost : score.cloud.any
      let name = score.isArm ? "\(score.name) alone" : score.name
      guard score.isCompared else {
        left.append("\(name) (below the coverage floor)")
        continue
      }
      guard score.quality.value != nil, price.value != nil else {
        left.append("\(name) (\(isCost ? "cost" : "share") unknown)")
        continue
      }
      sides.append(
        Side(
          name: name, slot: slot, quality: score.quality, price: price,
          isPareto: comparison.pareto.contains(score.name)))
    }
    self.sides = sides
    self.left = left
  }

  private var unit: Chart.Unit { isCost ? .dollars : .share }

  var chart: Chart? {
    guard sides.count >= 2 else { return nil }
    let price =
      isCost
      ? Chart.Axis("cost a case", .dollars, range: 0...0)
      : Chart.Axis("share of cases that left the device", .share, range: 0...1)
    var notes: [String] = []
    if !left.isEmpty { notes.append("Not in the picture: \(left.joined(separator: ", ")).") }
    return Chart(
      id: "quality-cost",
      title: isCost ? "Quality against cost (what-if)" : "Quality against cloud (what-if)",
      .plot(
        .init(
          x: price, y: .init("quality", .score), series: coin + sides.map(series) + oracle,
          chosen: "in the Pareto set")),
      alternative: sentence, note: notes.isEmpty ? nil : notes.joined(separator: " "))
  }

  private var coin: [Chart.Series] {
    guard isCost, comparison.zeroRouter.count > 1 else { return [] }
    let points = comparison.zeroRouter.map { Chart.Point(x: $0.cost, y: $0.quality) }
    return [.init("a coin between arms", .line, points, role: .reference)]
  }

  private func series(_ side: Side) -> Chart.Series {
    .init(
      side.name, .points,
      [
        .init(
          x: side.price.value ?? .nan, y: side.quality.value ?? .nan, xInterval: side.price.interval,
          yInterval: side.quality.interval, label: side.name)
      ], role: side.isPareto ? .chosen : .data, slot: side.slot)
  }

  private var oracle: [Chart.Series] {
    guard isCost, let oracle = comparison.oracle, let quality = oracle.quality.value,
      let cost = oracle.cost.value
    else { return [] }
    let slot = comparison.arms.count + comparison.policies.count
    return [.init("oracle", .points, [.init(x: cost, y: quality, label: "oracle")], slot: slot)]
  }

  // MARK: In words

  private static let most = 8

  private var sentence: String {
    var parts = sides.prefix(TradeOff.most).map(words)
    if sides.count > TradeOff.most { parts.append("and \(Numbers.count(sides.count - TradeOff.most)) more") }
    var text = "Quality and \(isCost ? "cost a case" : "share that left the device"): "
    text += parts.joined(separator: "; ") + "."
    if let oracle = comparison.oracle, let quality = oracle.quality.value, isCost {
      let cost = oracle.cost.value.map { " at \(Quantity.dollars.text($0))" } ?? ""
      text += " The oracle has \(Quantity.score.text(quality))\(cost)."
    }
    let pareto = sides.filter(\.isPareto).map(\.name)
    if !pareto.isEmpty { text += " In the Pareto set: \(pareto.joined(separator: ", "))." }
    return text
  }

  private func words(_ side: Side) -> String {
    var text = "\(side.name) \(Chart.Unit.score.text(side.quality.value))"
    if let range = side.quality.interval.flatMap({ ReplayWords.range($0, .score) }) { text += " (\(range))" }
    text += " for \(unit.text(side.price.value))"
    // What the coin would have for as much.
    if isCost, let cost = side.price.value,
      !comparison.arms.contains(where: { "\($0.name) alone" == side.name }),
      let coin = ZeroRouter(comparison.zeroRouter)?.quality(atCost: cost)
    {
      text += ", a coin for as much \(Quantity.score.text(coin))"
    }
    return text
  }
}
