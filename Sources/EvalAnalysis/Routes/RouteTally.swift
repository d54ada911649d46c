package import EvalCore

/// What one target's trials of one case did.
private struct RouteCell {
  enum Mark: Int, CaseIterable {
    case left, privateCloud, thirdParty
    case servedDevice, servedPrivateCloud, servedThirdParty
    case fellBack, recovered, escalated, blocked
  }

  var trials = 0
  private var marks = [Int32](repeating: 0, count: Mark.allCases.count)
  /// Tokens of attempts that left, and of all that were sent.
  var tokensBeyond = 0
  var tokens = 0
  var waste = Waste()

  /// Sums with the trials that they are known for.
  struct Waste {
    var time = 0.0
    var deviceTime = 0.0
    var timed = 0
    var dollars = 0.0
    var priced = 0
  }

  subscript(_ mark: Mark) -> Int { Int(marks[mark.rawValue]) }

  mutating func add(_ mark: Mark, when holds: Bool = true) { if holds { marks[mark.rawValue] += 1 } }
}

/// Gathers where the trials of one target went.
struct RouteTally {
  private var cells: [RouteCell] = []
  private var classes: [ErrorClass: Int] = [:]
  private var tokenReports = 0
  private var tokensMissing = 0
  private var unserved = 0
  private var decisions: [Double] = []
  private var leaks: [RouteLeak] = []

  mutating func add(_ trial: TrialRecord, at number: Int, leaks found: [RouteLeak]) {
    while cells.count <= number { cells.append(RouteCell()) }
    let attempts = trial.attempts.filter { $0.phase == .measured }
    leaks += found
    var cell = cells[number]
    cell.trials += 1
    addTravel(attempts, trial, to: &cell)
    addCauses(attempts, trial, to: &cell)
    addTokens(attempts, to: &cell)
    addWaste(attempts, trial, to: &cell)
    cells[number] = cell
    for attempt in attempts where attempt.step == 0 {
      guard let nanoseconds = attempt.decision?["nanoseconds"]?.intValue else { continue }
      decisions.append(milliseconds(nanoseconds))
    }
  }

  private func addTravel(_ attempts: [AttemptRecord], _ trial: TrialRecord, to cell: inout RouteCell) {
    let left = attempts.filter(\.leftDevice)
    cell.add(.left, when: !left.isEmpty)
    cell.add(.privateCloud, when: left.contains { $0.reach == .privateCloud })
    cell.add(.thirdParty, when: left.contains { $0.reach == .thirdParty })
    guard let served = trial.served, served.errorClass == nil else { return }
    switch served.reach {
    case .device: cell.add(.servedDevice)
    case .privateCloud: cell.add(.servedPrivateCloud)
    case .thirdParty: cell.add(.servedThirdParty)
    }
  }

  private mutating func addCauses(
    _ attempts: [AttemptRecord], _ trial: TrialRecord, to cell: inout RouteCell
  ) {
    var kinds: Set<ErrorClass> = []
    var escalates = false
    for attempt in attempts {
      switch AttemptCause(label: attempt.cause) {
      case .fallback(let kind): kinds.insert(kind)
      case .escalation: escalates = true
      case .first, .retry, nil: break
      }
    }
    for kind in kinds { classes[kind, default: 0] += 1 }
    cell.add(.fellBack, when: !kinds.isEmpty)
    cell.add(.recovered, when: !kinds.isEmpty && trial.status == .ok)
    cell.add(.escalated, when: escalates)
    cell.add(.blocked, when: trial.status == .blocked)
  }

  private mutating func addTokens(_ attempts: [AttemptRecord], to cell: inout RouteCell) {
    for attempt in attempts where attempt.bytesSent != 0 {
      guard let usage = attempt.usage, let input = usage.input, let output = usage.output else {
        tokensMissing += 1
        continue
      }
      tokenReports += 1
      cell.tokens += input + output
      if attempt.leftDevice { cell.tokensBeyond += input + output }
    }
  }

  private mutating func addWaste(
    _ attempts: [AttemptRecord], _ trial: TrialRecord, to cell: inout RouteCell
  ) {
    let wasted = attempts.indices.filter { !RouteTally.isUsed($0, attempts, trial) }.map { attempts[$0] }
    unserved += wasted.count
    let times = wasted.map { attempt in attempt.timeline.duration.map { milliseconds($0 + attempt.wait) } }
    if !times.contains(nil) {
      cell.waste.timed += 1
      for (attempt, time) in zip(wasted, times) {
        cell.waste.time += time ?? 0
        if attempt.reach == .device { cell.waste.deviceTime += time ?? 0 }
      }
    }
    let costs = wasted.map(\.cost.dollars)
    if !costs.contains(nil) {
      cell.waste.priced += 1
      cell.waste.dollars += costs.reduce(0) { $0 + ($1 ?? 0) }
    }
  }

  /// An attempt is used when its answer was served, or when it called the tools for one that was. A failed attempt is not
  /// used though it is what the trial ended with.
  private static func isUsed(_ index: Int, _ attempts: [AttemptRecord], _ trial: TrialRecord) -> Bool {
    let attempt = attempts[index]
    guard attempt.errorClass == nil else { return false }
    if trial.isServed(attempt) { return true }
    let next = index + 1
    guard next < attempts.count, attempts[next].turn == attempt.turn, attempts[next].step > attempt.step
    else { return false }
    return isUsed(next, attempts, trial)
  }
}

extension RouteTally {
  func summary(_ table: CaseTable, isRoute: Bool, seed: UInt64) -> RouteSummary {
    RouteSummary(
      trials: cells.reduce(0) { $0 + $1.trials },
      cloud: CloudUse(
        any: share(.left, table), privateCloud: share(.privateCloud, table),
        thirdParty: share(.thirdParty, table), served: servedBeyond(table), tokens: tokens(table, seed)),
      servedFrom: [
        .init(boundary: .device, share: share(.servedDevice, table)),
        .init(boundary: .privateCloud, share: share(.servedPrivateCloud, table)),
        .init(boundary: .thirdParty, share: share(.servedThirdParty, table)),
      ],
      fallbacks: fallbacks(table), waste: waste(table), leaks: leaks,
      decisions: isRoute ? Distribution(decisions) : nil)
  }

  /// The mean over trials of a number of each case's trials, as `of` has it.
  private func mean(
    _ table: CaseTable, of count: (RouteCell) -> Int, _ value: (RouteCell) -> Double
  ) -> CaseValues {
    var values = CaseValues()
    for (number, cell) in cells.enumerated() where count(cell) > 0 {
      values.append(
        value(cell) / Double(count(cell)), trials: count(cell), cluster: table.clusters[number])
    }
    return values
  }

  private func share(_ mark: RouteCell.Mark, _ table: CaseTable) -> Estimate {
    Mean.ofScores(mean(table, of: \.trials) { Double($0[mark]) })
  }

  private func servedBeyond(_ table: CaseTable) -> Estimate {
    Mean.ofScores(
      mean(table, of: \.trials) { Double($0[.servedPrivateCloud] + $0[.servedThirdParty]) })
  }

  private func tokens(_ table: CaseTable, _ seed: UInt64) -> Estimate {
    var sample = RatioSample()
    for (number, cell) in cells.enumerated() where cell.trials > 0 {
      sample.append(
        top: Double(cell.tokensBeyond), bottom: Double(cell.tokens), cluster: table.clusters[number])
    }
    return Ratio.estimate(sample, n: tokenReports, missing: tokensMissing, seed: seed)
  }

  private func fallbacks(_ table: CaseTable) -> FallbackUse {
    let order = classes.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    return FallbackUse(
      rate: share(.fellBack, table), classes: order.map { .init(kind: $0.key, trials: $0.value) },
      recovery: Mean.ofScores(mean(table, of: { $0[.fellBack] }, { Double($0[.recovered]) })),
      escalation: share(.escalated, table), blocked: share(.blocked, table))
  }

  private func waste(_ table: CaseTable) -> RouteSummary.Waste {
    let trials = cells.reduce(0) { $0 + $1.trials }
    let bounds = 0...Double.greatestFiniteMagnitude
    func estimate(_ count: (RouteCell) -> Int, _ value: (RouteCell) -> Double) -> Estimate {
      let values = mean(table, of: count, value)
      return Mean.estimate(values, missing: trials - values.trials, bounds: bounds)
    }
    return RouteSummary.Waste(
      attempts: unserved, time: estimate(\.waste.timed, \.waste.time),
      deviceTime: estimate(\.waste.timed, \.waste.deviceTime),
      dollars: estimate(\.waste.priced, \.waste.dollars))
  }
}

extension AttemptRecord {
  /// How far it was to travel; an unknown boundary is the farthest.
  package var reach: Boundary { boundary ?? .thirdParty }

  /// True when something of it went beyond the device; what nobody counted counts as sent.
  package var leftDevice: Bool { reach > .device && bytesSent != 0 }
}
