package import EvalAnalysis
package import EvalCore

/// What a search among variants of a policy found, ready to be shown.
package struct SweepReport: WhatIfReport {
  /// One changed place of the policy.
  package struct Axis: Sendable {
    /// For instance `rules[2].when.tokensIn.atMost`.
    package var path: String
    package var values: Int

    package init(path: String, values: Int) {
      self.path = path
      self.values = values
    }
  }

  package var recorded: RecordedRun
  package var scenario: [String]
  /// The policy that was varied, and where it comes from.
  package var policy: String
  package var origin: String
  package var axes: [Axis]
  /// Variants that are no right policy, of `refused + choice.scores.count`, and what is wrong with the first.
  package var refused: Int
  package var refusal: [Problem]
  package var choice: PolicyChoice
  package var frontier: SweepFrontier
  package var curve: SweepCurve
  /// By policy: the values of the axes.
  package var values: @Sendable (_ policy: Int) -> [JSONValue]
  /// Names the chosen policy; `nil` when none was chosen.
  package var chosenHash: ContentHash?
  /// Where the chosen policy was written; `nil` when nowhere.
  package var written: String?

  package init(
    recorded: RecordedRun, scenario: [String], policy: String, origin: String, axes: [Axis], refused: Int,
    refusal: [Problem], choice: PolicyChoice, frontier: SweepFrontier, curve: SweepCurve,
    values: @escaping @Sendable (_ policy: Int) -> [JSONValue]
  ) {
    self.recorded = recorded
    self.scenario = scenario
    self.policy = policy
    self.origin = origin
    self.axes = axes
    self.refused = refused
    self.refusal = refusal
    self.choice = choice
    self.frontier = frontier
    self.curve = curve
    self.values = values
  }

  var json: String { SweepJSON.text(self) }

  func writeCSV(to sink: ReportSink) { SweepCSV.write(self, to: sink) }

  /// Calls of the chosen policy that went where they may not, over all cases.
  package var leaks: Int {
    guard let chosen = choice.chosen else { return 0 }
    return choice.scores[chosen].leaks + (choice.heldOut?.leaks ?? 0)
  }

  /// The most rows of the frontier.
  private static let limit = 20

  package var document: ReportDocument {
    var blocks: [ReportBlock] = []
    if leaks > 0 {
      blocks.append(
        .banner("LEAKS: the chosen policy would send \(Numbers.count(leaks)) calls where they may not go."))
    }
    blocks += [.banner(ReplayWords.banner(scenario)), .paragraph(headline)]
    if refused > 0 { blocks.append(.paragraph(refusedWords)) }
    blocks += chosenBlocks
    blocks += pictures
    blocks += [.table(frontierTable), .paragraph(curveWords), .notes(notes)]
    return ReportDocument(
      title: ReplayWords.title("Sweep of \(policy)", of: recorded.run, scenario: scenario), blocks: blocks)
  }

  private var headline: String {
    let axes = axes.map { "\($0.path) (\(Numbers.count($0.values)))" }.joined(separator: " × ")
    let compared = choice.scores.count { $0.isCompared }
    var parts = [
      "\(Numbers.count(choice.scores.count)) policies: \(axes.isEmpty ? "the policy itself" : axes)",
      "\(Numbers.count(compared)) with enough recorded trials",
    ]
    if !choice.constraints.isEmpty {
      parts.append("\(Numbers.count(choice.feasible.count)) within the limits")
    }
    return parts.joined(separator: " · ")
  }

  private var refusedWords: String {
    let first = refusal.first { $0.severity == .error } ?? refusal.first
    let place = first?.path.map { " (\($0))" } ?? ""
    return "\(Numbers.count(refused)) variants are no right policy and were left out; the first: "
      + "\(first?.message ?? "it cannot be read")\(place)."
  }

  // MARK: The choice

  private var wish: String {
    let limits = choice.constraints.map(\.text)
    let direction = choice.objective.isHigherBetter ? "most" : "least"
    return "\(direction) \(choice.objective.metric.rawValue)"
      + (limits.isEmpty ? "" : " with \(limits.joined(separator: ", "))")
  }

  private var chosenBlocks: [ReportBlock] {
    guard let chosen = choice.chosen else {
      return [
        .banner(
          "No policy was chosen: none with enough recorded trials keeps \(wish) on the cases for choosing.")
      ]
    }
    var blocks: [ReportBlock] = []
    if !choice.broken.isEmpty {
      blocks.append(
        .banner(
          "On the other cases the chosen policy does not keep \(choice.broken.map(\.text).joined(separator: ", "))."
        ))
    }
    let values = zip(axes, self.values(chosen)).map { "\($0.path) = \($1.serialized())" }
    blocks.append(
      .verdict(
        "Chosen for the \(wish): \(values.isEmpty ? "the policy itself" : values.joined(separator: ", "))\(expected(chosen)).",
        choice.broken.isEmpty && leaks == 0 ? .good : .bad))
    blocks.append(.table(chosenTable(chosen)))
    blocks.append(.paragraph(lost))
    return blocks
  }

  private func chosenTable(_ chosen: Int) -> ReportTable {
    let split = choice.split
    var table = ReportTable(
      caption: "The chosen policy (what-if)",
      columns: [
        .init("", .left), .init("cases it was chosen on"), .init("other cases"), .init("limit", .left),
      ])
    table.rows.append([
      ReportCell("cases"), ReportCell(Numbers.count(split.tuning.count)),
      ReportCell(Numbers.count(split.heldOut.count)), ReportCell(""),
    ])
    for metric in SweepReport.metrics {
      let before = choice.scores[chosen][metric]
      let after = choice.heldOut?[metric]
      let limits = choice.constraints.filter { $0.metric == metric }
      guard before != nil || after != nil || !limits.isEmpty else { continue }
      let isBroken = choice.broken.contains { $0.metric == metric }
      table.rows.append([
        ReportCell(metric.rawValue, note: metric == choice.objective.metric ? "what was asked for" : nil),
        SweepReport.cell(before, metric),
        SweepReport.cell(after, metric, tone: isBroken ? .bad : .plain),
        ReportCell(limits.map(\.text).joined(separator: ", ")),
      ])
    }
    return table
  }

  /// What the choice is worth on the cases that it was not made on.
  private func expected(_ chosen: Int) -> String {
    let metric = choice.objective.metric
    guard let value = choice.heldOut?[metric], let before = choice.scores[chosen][metric] else { return "" }
    let quantity = SweepReport.quantity(metric)
    return
      "; expect \(metric.rawValue) \(quantity.text(value)), as on the other cases, not the \(quantity.text(before)) "
      + "it was chosen with"
  }

  private var lost: String {
    let metric = choice.objective.metric
    guard let value = choice.difference.value else {
      return "What the choice is worth is not known: \(metric.rawValue) has no value on the other cases."
    }
    let quantity = SweepReport.quantity(metric)
    let range =
      choice.difference.interval.flatMap { ReplayWords.range($0, quantity) }.map { " (\($0))" } ?? ""
    let sign = value < 0 ? "-" : "+"
    return
      "\(metric.rawValue) on the other cases: \(sign)\(quantity.text(abs(value)))\(range) against the cases it was chosen "
      + "on. The best of \(Numbers.count(choice.scores.count)) looks better than it is; expect the value on the other cases."
  }

  // MARK: The frontier

  private var frontierTable: ReportTable {
    let shown = frontier.points.prefix(SweepReport.limit)
    var columns = SweepReport.metrics.filter { metric in
      [frontier.gain, frontier.price, .quality, .costPerCase, .cloudShare, .leaks].contains(metric)
        || choice.constraints.contains { $0.metric == metric }
    }
    columns.removeAll { metric in shown.allSatisfy { choice.scores[$0.policy][metric] == nil } }
    let more = frontier.points.count - shown.count
    let rest = more > 0 ? ", the first \(shown.count) of \(frontier.points.count)" : ""
    var table = ReportTable(
      caption:
        "Frontier of \(frontier.gain.rawValue) and \(frontier.price.rawValue) on the cases for choosing (what-if)\(rest)",
      columns: axes.map { .init(SweepReport.short($0.path)) } + columns.map { .init($0.rawValue) }
        + [.init("within", .left), .init("alike")])
    if axes.isEmpty { table.columns.insert(.init("policy", .left), at: 0) }
    for point in shown {
      let isFeasible = choice.feasible.contains(point.policy)
      let isChosen = point.policy == choice.chosen
      var row = values(point.policy).map { ReportCell(SweepReport.word($0)) }
      if axes.isEmpty { row = [ReportCell(policy)] }
      row += columns.map { metric in
        SweepReport.cell(
          choice.scores[point.policy][metric], metric, tone: metric == .leaks ? .bad : .plain)
      }
      row.append(ReportCell(isChosen ? "chosen" : isFeasible ? "yes" : "no", tone: isChosen ? .good : .plain))
      row.append(ReportCell(Numbers.count(point.alike), tone: .quiet))
      table.rows.append(row)
    }
    return table
  }

  private var curveWords: String {
    switch curve {
    case .undefined(let reason): return "APGR and CPT: not defined because \(reason)."
    case .curve(let curve):
      let cpts = [0.5, 0.8].map { x in
        "CPT(\(Quantity.share.text(x))) "
          + (curve.cpt(x).map { Quantity.share.text($0) } ?? "not reached")
      }
      return
        "APGR \(Quantity.score.text(curve.apgr)) (a coin has 0.5), \(cpts.joined(separator: ", ")) of the cases to the "
        + "strong arm, on the cases for choosing."
    }
  }

  private var notes: [String] {
    [
      "What-if numbers without intervals but where one is given; cases are split by whole clusters, seed \(choice.seed). "
        + "Alike: policies with the same two numbers. Definitions: Docs/RoutingScores.md.",
      "\(policy): \(origin)",
    ] + ReplayWords.notes(recorded)
  }

  // MARK: Cells

  static let metrics = SweepMetric.allCases

  static func quantity(_ metric: SweepMetric) -> Quantity {
    switch metric.unit {
    case .dollars: .dollars
    case .milliseconds: .milliseconds
    case .count: .amount
    case .share: metric == .quality ? .score : .share
    }
  }

  private static func cell(
    _ value: Double?, _ metric: SweepMetric, tone: ReportCell.Tone = .plain
  ) -> ReportCell {
    guard let value else { return .missing }
    let isQuiet = metric == .leaks && value == 0
    return ReportCell(quantity(metric).text(value), tone: isQuiet ? .quiet : tone)
  }

  /// The end of a path, which tells axes apart well enough in a table's head.
  private static func short(_ path: String) -> String {
    path.count <= 24 ? path : "…\(path.suffix(23))"
  }

  private static func word(_ value: JSONValue) -> String { value.stringValue ?? value.serialized() }
}
