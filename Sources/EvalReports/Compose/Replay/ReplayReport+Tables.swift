import EvalAnalysis
import EvalCore

extension ReplayReport {
  /// Each arm alone, each policy with the coin that calls the strong arm as often, and the oracle.
  var scoreTable: ReportTable {
    var columns: [SideColumn] = [
      SideColumn("quality") { ReportCell(plain: $0.quality, .score) },
      SideColumn("cost a case", ReplayReport.cost),
      SideColumn("p50") { ReportCell($0.latency.p50, .milliseconds) },
      SideColumn("p95") { ReportCell($0.latency.p95, .milliseconds) },
    ]
    let reached = Set(recorded.table.arms.map(\.reach))
    if reached.contains(.privateCloud) {
      columns.append(SideColumn("to privateCloud") { ReportCell(plain: $0.cloud.privateCloud, .share) })
    }
    if reached.contains(.thirdParty) {
      columns.append(SideColumn("to thirdParty") { ReportCell(plain: $0.cloud.thirdParty, .share) })
    }
    columns += [
      SideColumn("fell back", ReplayReport.fallbacks),
      SideColumn("blocked") { ReportCell(plain: $0.fallbacks.blocked, .share) },
      SideColumn("leaks") { ReportCell(count: $0.leaks.attempts, tone: .bad) },
      SideColumn("scored", ReplayReport.coverage),
    ]
    if comparison.policies.contains(where: { ($0.fallbacks.escalation.value ?? 0) > 0 }) {
      columns.insert(
        SideColumn("escalated") { ReportCell(plain: $0.fallbacks.escalation, .share) }, at: columns.count - 3)
    }
    var table = ReportTable(
      caption: "What-if scores", columns: [.init("", .left)] + columns.map { .init($0.title) })
    for score in comparison.arms {
      table.rows.append([ReportCell("\(score.name) alone")] + columns.map { $0.cell(score) })
    }
    for score in comparison.policies {
      let note = score.isCompared ? nil : "below the coverage floor"
      table.rows.append([ReportCell(score.name, note: note)] + columns.map { $0.cell(score) })
      if let coin = coin(score, columns.count) { table.rows.append(coin) }
    }
    if let oracle = oracle(columns.count) { table.rows.append(oracle) }
    return table
  }

  private struct SideColumn {
    var title: String
    var cell: (PolicyScore) -> ReportCell

    init(_ title: String, _ cell: @escaping (PolicyScore) -> ReportCell) {
      self.title = title
      self.cell = cell
    }
  }

  private static func cost(_ score: PolicyScore) -> ReportCell {
    var cell = ReportCell(plain: score.cost, .dollars)
    if score.cost.value == nil {
      cell.text = "unknown"
    } else if score.costIsLowerBound {
      cell.text = "≥ \(cell.text)"
    }
    return cell
  }

  private static func fallbacks(_ score: PolicyScore) -> ReportCell {
    var cell = ReportCell(plain: score.fallbacks.rate, .share)
    var words = score.fallbacks.classes.prefix(3).map { "\($0.kind.rawValue) \(Numbers.count($0.trials))" }
    if let recovery = score.fallbacks.recovery.value {
      words.append("\(Quantity.share.text(recovery)) recovered")
    }
    if !words.isEmpty { cell.note = words.joined(separator: " · ") }
    return cell
  }

  private static func coverage(_ score: PolicyScore) -> ReportCell {
    let coverage = score.coverage
    let parts = [
      (coverage.exact, "exact"), (coverage.modeled, "modeled"), (coverage.bounded, "bounded"),
      (coverage.missing, "missing"), (coverage.unjudged, "unjudged"),
    ]
    let words = parts.filter { $0.0 > 0 }.map { "\(Numbers.count($0.0)) \($0.1)" }
    return ReportCell(
      Quantity.share.text(coverage.share), note: words.joined(separator: " · "),
      tone: coverage.share < ReplayCoverage.floor ? .warning : .plain)
  }

  private func coin(_ score: PolicyScore, _ width: Int) -> [ReportCell]? {
    guard let mix = score.relative?.randomMix, let share = score.relative?.strongShare,
      let strong = comparison.strong
    else { return nil }
    let cells = [
      ReportCell("  a coin", note: "\(Quantity.share.text(share)) to \(strong)", tone: .quiet),
      ReportCell(Quantity.score.text(mix.quality), tone: .quiet),
      ReportCell(Quantity.dollars.text(mix.cost), tone: .quiet),
    ]
    return cells + Array(repeating: ReportCell(""), count: width + 1 - cells.count)
  }

  private func oracle(_ width: Int) -> [ReportCell]? {
    guard let oracle = comparison.oracle else { return nil }
    var notes: [String] = []
    if oracle.isBiased { notes.append("flattered: too few repeats to split") }
    if oracle.unpermitted > 0 { notes.append("\(Numbers.count(oracle.unpermitted)) cases permit no arm") }
    let cells = [
      ReportCell("oracle", note: notes.isEmpty ? nil : notes.joined(separator: " · ")),
      ReportCell(plain: oracle.quality, .score), ReportCell(plain: oracle.cost, .dollars),
    ]
    return cells + Array(repeating: ReportCell(""), count: width + 1 - cells.count)
  }

  // MARK: Against the baselines

  /// Each policy against the arms, the coin, the mixes of arms and the oracle.
  var relativeBlocks: [ReportBlock] {
    let scores = comparison.policies.filter { $0.relative != nil }
    guard !scores.isEmpty else { return [] }
    let weak = comparison.weak ?? "the near arm"
    let strong = comparison.strong ?? "the far arm"
    let columns: [(title: String, metric: RelativeMetric)] = [
      ("over \(weak)", .overWeak), ("over \(strong)", .overStrong), ("over the coin", .overMix),
      ("hull lift", .hullLift), ("saved a case", .saving), ("PGR", .pgr), ("gap closed", .gapClosed),
      ("regret", .regret),
    ]
    var table = ReportTable(
      caption: "Against the baselines (what-if)",
      columns: [.init("", .left)] + columns.map { .init($0.title) } + [.init("beaten by", .left)])
    for score in scores {
      guard let relative = score.relative else { continue }
      let cells = columns.map { metricCell($0.metric, score, relative) }
      let rivals = relative.dominatedBy
      table.rows.append(
        [ReportCell(score.name)] + cells
          + [
            rivals.isEmpty
              ? ReportCell("nobody", tone: .quiet) : ReportCell(rivals.joined(separator: ", "), tone: .bad)
          ])
    }
    return [.table(table), .notes(undefined(scores))]
  }

  private func metricCell(
    _ metric: RelativeMetric, _ score: PolicyScore, _ relative: RelativeScore
  ) -> ReportCell {
    let estimate = metric.estimate(relative)
    guard let value = estimate.value else { return .missing }
    let text = metric.quantity.text(abs(value))
    let sign = value < 0 ? "-" : metric.isSigned && value > 0 ? "+" : ""
    return ReportCell(
      sign + text, interval: estimate.interval.flatMap { ReplayWords.range($0, metric.quantity) })
  }

  /// Why a number is left out, each reason once.
  private func undefined(_ scores: [PolicyScore]) -> [String] {
    var notes: [String] = []
    for metric in RelativeMetric.allCases {
      var byReason: [String: [String]] = [:]
      for score in scores {
        guard let relative = score.relative, metric.estimate(relative).value == nil else { continue }
        byReason[reason(metric, score), default: []].append(score.name)
      }
      for (reason, names) in byReason.sorted(by: { $0.key < $1.key }) {
        let whose = names.count == scores.count ? "" : " of \(names.joined(separator: ", "))"
        notes.append("\(metric.words)\(whose): not defined because \(reason).")
      }
    }
    notes.append(
      "APGR and CPT: not defined because a policy alone is a point, not a curve; `evalrun route sweep` over a threshold "
        + "between two arms gives them.")
    return notes
  }

  private func reason(_ metric: RelativeMetric, _ score: PolicyScore) -> String {
    guard let weak = comparison.weak, let strong = comparison.strong else {
      return "there are no two arms to stand between"
    }
    let isMeasured = [weak, strong].allSatisfy { name in
      comparison.arms.contains { $0.name == name && $0.isCompared }
    }
    switch metric {
    case .overWeak, .overStrong, .overMix: return "\(weak) or \(strong) is below the coverage floor"
    case .pgr:
      guard isMeasured, let gap = comparison.gap.value else {
        return "\(weak) or \(strong) is below the coverage floor"
      }
      if gap <= 0 { return "\(strong) is not better than \(weak)" }
      return "the interval of \(strong) − \(weak) includes 0 or is not known"
    case .hullLift, .saving:
      if score.cost.value == nil { return "a cost is unknown" }
      if comparison.zeroRouter.isEmpty { return "no arm's cost is known" }
      return metric == .hullLift ? "no mix of arms is so cheap" : "no mix of arms is so good"
    case .gapClosed: return "the oracle is not better than the best arm"
    case .regret: return "there is no oracle"
    }
  }
}

/// A number that sets a policy against the baselines.
private enum RelativeMetric: CaseIterable {
  case overWeak, overStrong, overMix, hullLift, saving, pgr, gapClosed, regret

  var words: String {
    switch self {
    case .overWeak: "Quality over the near arm"
    case .overStrong: "Quality over the far arm"
    case .overMix: "Quality over the coin"
    case .hullLift: "Hull lift"
    case .saving: "Cost saving"
    case .pgr: "PGR"
    case .gapClosed: "Gap closed"
    case .regret: "Regret"
    }
  }

  var quantity: Quantity {
    switch self {
    case .saving: .dollars
    // Not in per cent: they go beyond 0 and 1.
    default: .score
    }
  }

  /// Whether a plus sign says something.
  var isSigned: Bool { self != .regret && self != .pgr && self != .gapClosed }

  func estimate(_ relative: RelativeScore) -> Estimate {
    switch self {
    case .overWeak: relative.qualityOverWeak
    case .overStrong: relative.qualityOverStrong
    case .overMix: relative.qualityOverMix
    case .hullLift: relative.hullLift
    case .saving: relative.costSaving
    case .pgr: relative.pgr
    case .gapClosed: relative.gapClosed
    case .regret: relative.qualityRegret
    }
  }
}

extension ReportCell {
  /// A value with its interval, without the number of trials, which the whole table shares.
  fileprivate init(plain estimate: Estimate, _ quantity: Quantity) {
    self.init(
      estimate.value.map(quantity.text) ?? Numbers.missing,
      interval: estimate.interval.flatMap { ReplayWords.range($0, quantity) },
      tone: estimate.value == nil ? .quiet : .plain)
  }
}
