package import EvalCore

/// A stated what-if over a recording. Everything replayed under one is `modeled`.
package struct Scenario: Sendable, Hashable {
  /// Errors that strike calls by chance, the same ones for every policy.
  package struct Injection: Sendable, Hashable {
    /// The share of calls, in 0…1; all together at most 1.
    package var rates: [ErrorClass: Double]
    package var seed: UInt64

    package init(rates: [ErrorClass: Double], seed: UInt64 = 1) {
      self.rates = rates
      self.seed = seed
    }
  }

  package var injection: Injection?
  /// Signals that replace those of every case, for instance `network` by `offline`.
  package var signals: JSONObject
  /// Arms, or providers of arms, that are down: every call fails with `network` and nothing is sent.
  package var outages: Set<String>
  /// Other prices by arm: costs are computed anew from the recorded tokens.
  package var prices: [String: Price]

  package init(
    injection: Injection? = nil, signals: JSONObject = [:], outages: Set<String> = [],
    prices: [String: Price] = [:]
  ) {
    self.injection = injection
    self.signals = signals
    self.outages = outages
    self.prices = prices
  }

  /// What was recorded, as it was.
  package static let none = Scenario()

  /// No network for any case.
  package static let offline = Scenario(signals: ["network": "offline"])

  /// Every case with low power.
  package static let lowPower = Scenario(signals: ["lowPower": true])

  package var isNone: Bool { self == .none }

  /// What it supposes, in words for a report; empty when nothing.
  package var statement: [String] {
    var parts: [String] = []
    if let injection {
      let rates = injection.rates.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.rawValue)=\($0.value)" }
      parts.append("errors injected: \((rates + ["seed=\(injection.seed)"]).joined(separator: ", "))")
    }
    for (name, value) in signals.members { parts.append("\(name) is \(value.serialized()) for every case") }
    if !outages.isEmpty { parts.append("down: \(outages.sorted().joined(separator: ", "))") }
    if !prices.isEmpty { parts.append("other prices: \(prices.keys.sorted().joined(separator: ", "))") }
    return parts
  }
}
