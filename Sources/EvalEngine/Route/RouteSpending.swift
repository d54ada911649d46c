import EvalCore
import Synchronization

/// What the trials of each route have spent so far, added up while many of them run.
final class RouteSpending: Sendable {
  /// US dollars by target name; `nil` once a call's cost is not known.
  private let dollars: Mutex<[String: Double?]>

  /// - Parameter before: what earlier processes of the run spent, by target name.
  init(before: [String: Double?]) { dollars = Mutex(before) }

  func add(_ costs: [Cost], to route: String) {
    dollars.withLock { dollars in
      for cost in costs {
        let sum = dollars[route] ?? 0
        dollars[route] = .some(sum.flatMap { sum in cost.dollars.map { sum + $0 } })
      }
    }
  }

  func spent(by route: String) -> Double? { dollars.withLock { $0[route] ?? 0 } }
}
