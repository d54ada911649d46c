import EvalAnalysis
import EvalCore

/// Where the routes' answers came from, and why another arm took over.
extension RunPictures {
  private var routes: [(target: TargetSummary, route: RouteSummary)] {
    summary.targets.compactMap { target in
      guard target.kind == "route", let route = target.route, route.trials > 0 else { return nil }
      return (target, route)
    }
  }

  /// `nil` without a route.
  var servedFrom: Chart? {
    guard !routes.isEmpty else { return nil }
    let rows = routes.map { target, route in
      let served = Boundary.allCases.map { route.served($0)?.value ?? 0 }
      let blocked = route.fallbacks.blocked.value ?? 0
      let rest = max(0, 1 - served.reduce(blocked, +))
      // A rounding error of sums is no failure.
      let failed = rest < 1e-9 ? 0 : rest
      return (name: target.name, n: route.trials, shares: served + [blocked, failed], left: route.cloud.any)
    }
    let names = ["on the device", "by a private cloud", "by a third party", "blocked", "no answer"]
    let used = names.indices.filter { part in rows.contains { $0.shares[part] > 0 } }
    let bars = Chart.Bars(
      axis: Chart.Axis("trials", .share, range: 0...1), style: .stacked,
      parts: used.map { .init(names[$0], slot: $0) },
      rows: rows.map { row in
        .init("\(row.name) (n=\(Numbers.count(row.n)))", used.map { .init(row.shares[$0]) })
      })
    let sentences = rows.map { row in
      let parts = used.filter { row.shares[$0] > 0 }.map { part in
        "\(names[part]) \(Quantity.share.text(row.shares[part]))"
      }
      let left = row.left.value.map { "; \(Quantity.share.text($0)) of trials left the device" } ?? ""
      return "\(row.name): \(parts.joined(separator: ", "))\(left)"
    }
    return Chart(
      id: "served-from", title: "Where answers came from", .bars(bars),
      alternative: RunPictures.some(sentences, ". ") + ".")
  }

  /// `nil` where no other arm ever took over.
  var takeOvers: Chart? {
    let rows = routes.filter {
      !$0.route.fallbacks.classes.isEmpty || $0.route.fallbacks.escalation.value ?? 0 > 0
    }
    guard !rows.isEmpty else { return nil }
    let kinds = RunReport.ordered(rows.flatMap { $0.route.fallbacks.classes.map(\.kind) })
    func shares(_ route: RouteSummary) -> [Double] {
      kinds.map { kind in
        let trials = route.fallbacks.classes.first { $0.kind == kind }?.trials ?? 0
        return Double(trials) / Double(route.trials)
      } + [route.fallbacks.escalation.value ?? 0]
    }
    let names = kinds.map(\.rawValue) + ["answer not accepted"]
    let used = names.indices.filter { part in rows.contains { shares($0.route)[part] > 0 } }
    let bars = Chart.Bars(
      axis: Chart.Axis("trials", .share), style: .stacked, parts: used.map { .init(names[$0]) },
      rows: rows.map { target, route in
        let shares = shares(route)
        return .init("\(target.name) (n=\(Numbers.count(route.trials)))", used.map { .init(shares[$0]) })
      })
    let hasOverlap = rows.contains { shares($0.route).reduce(0, +) > $0.route.takenOver + 1e-9 }
    let sentences = rows.map { target, route in
      let shares = shares(route)
      let parts = used.filter { shares[$0] > 0 }.map { "\(names[$0]) \(Quantity.share.text(shares[$0]))" }
      return "\(target.name): \(parts.joined(separator: ", "))"
    }
    return Chart(
      id: "fallback-causes", title: "Why another arm took over", .bars(bars),
      alternative: "Shares of trials in which another arm took over, by cause. "
        + RunPictures.some(sentences, "; ") + ".",
      note: hasOverlap ? "A trial with two causes is in both." : nil)
  }
}

extension RouteSummary {
  /// The share of trials with a fallback, and of those with an escalation: where no trial has two causes, those of all causes.
  fileprivate var takenOver: Double { (fallbacks.rate.value ?? 0) + (fallbacks.escalation.value ?? 0) }
}
