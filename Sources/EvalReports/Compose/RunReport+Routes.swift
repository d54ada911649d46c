import EvalAnalysis
import EvalCore

/// Where requests went and why: what a report of a run with a route begins with.
extension RunReport {
  /// Nothing for a run without a route.
  static func routes(_ summary: RunSummary) -> [ReportBlock] {
    guard summary.hasRoute else { return [] }
    var table = TargetTable(summary.targets)
    table.route("left the device") { ReportCell($0.cloud.any, .share) }
    table.route(
      "  to a private cloud", when: { $0.cloud.privateCloud.value ?? 0 > 0 },
      show: {
        ReportCell($0.cloud.privateCloud, .share)
      })
    table.route(
      "  to a third party", when: { $0.cloud.thirdParty.value ?? 0 > 0 },
      show: {
        ReportCell($0.cloud.thirdParty, .share)
      })
    for boundary in Boundary.allCases {
      table.route(
        "answered \(boundary.place)", when: { $0.served(boundary)?.value ?? 0 > 0 },
        show: {
          $0.served(boundary).map { ReportCell($0, .share) } ?? .missing
        })
    }
    table.route("tokens beyond the device") { ReportCell($0.cloud.tokens, .share) }
    causes(&table)
    waste(&table)
    return [table.block]
  }

  /// What leaves the device, what fell back and what leaked: rows of the table that answers first.
  static func addRouting(to table: inout TargetTable, _ summary: RunSummary) {
    guard summary.hasRoute else {
      // Where a profile's requests go is no chance: its boundary says it.
      let boundaries = summary.run.targets.map { ($0.name, $0.content["boundary"]?.stringValue) }
      table.row(
        "where it runs", when: { target in boundaries.contains { $0.0 == target.name && $0.1 != nil } },
        show: { target in
          let word = boundaries.first { $0.0 == target.name }?.1
          return word.flatMap(Boundary.init(rawValue:)).map { ReportCell($0.words) } ?? .missing
        })
      return
    }
    table.route("left the device") { ReportCell($0.cloud.any, .share) }
    table.mark(.cloudShare, summary, isHigherBetter: false) { $0.route?.cloud.any.value }
    addFallbacks(to: &table)
    table.row("LEAKS") { target in
      guard target.kind == "route", let route = target.route else { return .missing }
      return ReportCell(
        Numbers.count(route.leaks.count), n: route.trials, tone: route.leaks.isEmpty ? .good : .bad)
    }
  }

  private static func addFallbacks(to table: inout TargetTable) {
    table.route(
      "fell back after an error", when: { $0.fallbacks.rate.value ?? 0 > 0 },
      show: { route in
        var cell = ReportCell(route.fallbacks.rate, .share)
        let words = route.fallbacks.classes.map { "\($0.trials) \($0.kind.rawValue)" }
        cell.note = words.isEmpty ? nil : words.joined(separator: ", ")
        return cell
      })
  }

  private static func causes(_ table: inout TargetTable) {
    addFallbacks(to: &table)
    table.route(
      "  and recovered", when: { $0.fallbacks.rate.value ?? 0 > 0 },
      show: {
        ReportCell($0.fallbacks.recovery, .share)
      })
    table.route(
      "escalated for quality", when: { $0.fallbacks.escalation.value ?? 0 > 0 },
      show: {
        ReportCell($0.fallbacks.escalation, .share)
      })
    table.route(
      "blocked by the policy", when: { $0.fallbacks.blocked.value ?? 0 > 0 },
      show: {
        ReportCell($0.fallbacks.blocked, .share)
      })
  }

  private static func waste(_ table: inout TargetTable) {
    let isWorthIt = { (route: RouteSummary) in route.waste.attempts > 0 }
    table.route("answers nobody got", when: isWorthIt, show: { ReportCell(count: $0.waste.attempts) })
    table.route("  time a trial", when: isWorthIt, show: { ReportCell($0.waste.time, .milliseconds) })
    table.route(
      "  of it on the device", when: isWorthIt,
      show: {
        ReportCell($0.waste.deviceTime, .milliseconds)
      })
    table.route("  cost a trial", when: isWorthIt, show: { ReportCell($0.waste.dollars, .dollars) })
  }

  static func leaks(_ leaks: [RouteLeak]) -> [ReportBlock] {
    guard !leaks.isEmpty else { return [] }
    let limit = 20
    var table = ReportTable(
      caption: "Leaks",
      columns: [
        .init("route", .left), .init("case", .left), .init("attempt", .left), .init("went to", .left),
        .init("rule broken", .left),
      ])
    for leak in leaks.prefix(limit) {
      table.rows.append([
        ReportCell(leak.route, tone: .bad), ReportCell(leak.caseID, note: "repeat \(leak.repeatIndex + 1)"),
        ReportCell("\(leak.attempt) \(leak.arm)"), ReportCell(leak.boundary.rawValue),
        ReportCell(leak.words, tone: .bad),
      ])
    }
    var blocks: [ReportBlock] = [.table(table)]
    if leaks.count > limit {
      blocks.append(
        .paragraph(
          "\(limit) of \(Numbers.count(leaks.count)) leaks are shown; the JSON report has all of them."))
    }
    return blocks
  }

  /// What nobody may overlook; `nil` without a leak.
  static func leakBanner(_ summary: RunSummary) -> String? {
    let leaks = summary.leaks
    guard !leaks.isEmpty else { return nil }
    let cases = ordered(leaks.map(\.caseID))
    let shown = cases.prefix(5).joined(separator: ", ") + (cases.count > 5 ? ", …" : "")
    let routes = ordered(leaks.map(\.route)).joined(separator: ", ")
    return
      "\(Numbers.count(leaks.count)) \(leaks.count == 1 ? "LEAK" : "LEAKS") of \(routes): "
      + "content went where it may not (\(shown))."
  }
}

extension TargetTable {
  fileprivate mutating func route(_ label: String, _ cell: (RouteSummary) -> ReportCell) {
    route(label, when: { _ in true }, show: cell)
  }

  /// A row about where requests went; left out when it says nothing of any target.
  fileprivate mutating func route(
    _ label: String, when isWorthIt: (RouteSummary) -> Bool, show cell: (RouteSummary) -> ReportCell
  ) {
    row(
      label, when: { $0.route.map(isWorthIt) ?? false },
      show: { target in target.route.map(cell) ?? .missing })
  }
}

extension RouteSummary {
  func served(_ boundary: Boundary) -> Estimate? {
    servedFrom.first { $0.boundary == boundary }?.share
  }
}

extension Boundary {
  fileprivate var place: String {
    switch self {
    case .device: "on the device"
    case .privateCloud: "by a private cloud"
    case .thirdParty: "by a third party"
    }
  }

  fileprivate var words: String {
    switch self {
    case .device: "device"
    case .privateCloud: "private cloud"
    case .thirdParty: "third party"
    }
  }
}

extension RouteLeak {
  /// The rules that it broke.
  var words: String {
    rules.map { rule in
      switch rule {
      case .boundary: "too far for \(sensitivity.map { "\($0) content" } ?? "content of unknown sensitivity")"
      case .consent: "no consent"
      case .afterStop: "farther after a guardrail or refusal"
      }
    }.joined(separator: "; ")
  }
}
