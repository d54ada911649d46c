import EvalAnalysis

extension ReportCell {
  static let missing = ReportCell(Numbers.missing, tone: .quiet)

  /// An estimate as a value with its interval and n; `—` with n when there is no value.
  init(_ estimate: Estimate, _ quantity: Quantity, showsMissing: Bool = true) {
    var notes: [String] = []
    if estimate.isClustered, let units = estimate.units { notes.append("\(Numbers.count(units)) clusters") }
    if showsMissing, estimate.missing > 0 { notes.append("\(Numbers.count(estimate.missing)) missing") }
    self.init(
      estimate.value.map(quantity.text) ?? Numbers.missing, interval: estimate.interval.map(quantity.text),
      n: estimate.n, note: notes.isEmpty ? nil : notes.joined(separator: " · "),
      tone: estimate.value == nil ? .quiet : .plain)
  }

  /// A percentile: its value with its interval, `>timeout` among the failures, `—` where n is too small for it.
  init(_ percentile: Percentile, _ quantity: Quantity, showsN: Bool = false) {
    let n = showsN ? percentile.n : nil
    guard percentile.isEstimable, let observed = percentile.observed else {
      self.init(
        Numbers.missing, n: n, note: percentile.n > 0 ? "needs n=\(percentile.required)" : nil, tone: .quiet)
      return
    }
    switch observed {
    case .beyond: self.init(">timeout", n: n, tone: .bad)
    case .value(let value):
      self.init(quantity.text(value), interval: ReportCell.range(percentile, quantity), n: n)
    }
  }

  private static func range(_ percentile: Percentile, _ quantity: Quantity) -> String? {
    guard case .value(let low)? = percentile.low else { return nil }
    guard case .value(let high)? = percentile.high else { return "\(quantity.text(low)) to >timeout" }
    return quantity.text(low...high)
  }

  /// `9 of 12`, good when all, bad when none.
  init(part: Int, of whole: Int) {
    self.init(
      whole == 0 ? Numbers.missing : Numbers.part(part, of: whole), tone: whole == 0 ? .quiet : .plain)
  }

  init(count: Int, tone: Tone = .plain) { self.init(Numbers.count(count), tone: count == 0 ? .quiet : tone) }
}

/// A table whose columns are the run's targets.
struct TargetTable {
  private(set) var table: ReportTable
  private let targets: [TargetSummary]

  init(_ targets: [TargetSummary], id: String? = nil, caption: String? = nil, label: String = "") {
    self.targets = targets
    table = ReportTable(
      id: id, caption: caption, columns: [.init(label, .left)] + targets.map { .init($0.name) })
  }

  mutating func row(_ label: String, _ cell: (TargetSummary) -> ReportCell) {
    table.rows.append([ReportCell(label)] + targets.map(cell))
  }

  /// A row that is left out when it says nothing of any target.
  mutating func row(
    _ label: String, when isWorthIt: (TargetSummary) -> Bool, show cell: (TargetSummary) -> ReportCell
  ) {
    if targets.contains(where: isWorthIt) { row(label, cell) }
  }

  /// Marks the best target of the row that was added last, where the difference to every other is real: the paired
  /// test says so, and the numbers shown agree with it. Nothing where the row was left out.
  ///
  /// - Parameter value: what the row shows; `nil` where it has no value.
  mutating func mark(
    _ measure: ComparisonMeasure, _ summary: RunSummary, isHigherBetter: Bool,
    value: (TargetSummary) -> Double?
  ) {
    guard let standing = summary.standings.first(where: { $0.measure == measure }), standing.isSettled,
      let place = targets.firstIndex(where: { $0.name == standing.leader }), !table.rows.isEmpty,
      let best = value(targets[place])
    else { return }
    let others = targets.indices.filter { $0 != place }.map { value(targets[$0]) }
    guard others.allSatisfy({ $0.map { isHigherBetter ? best > $0 : best < $0 } ?? false }) else { return }
    let row = table.rows.count - 1
    table.rows[row][place + 1].isBest = true
    table.rows[row][place + 1].tone = .good
  }

  var block: ReportBlock { .table(table) }
}

extension Estimate {
  /// For numbers of one trial that are too small to read.
  var thousandfold: Estimate {
    var result = self
    result.value = value.map { $0 * 1000 }
    result.interval = interval.map { $0.lowerBound * 1000...$0.upperBound * 1000 }
    return result
  }
}

extension Percentile {
  /// The value where there is one to show; `nil` when n is too small or it lies among the failures.
  var measured: Double? {
    guard isEstimable, case .value(let value)? = observed else { return nil }
    return value
  }
}
