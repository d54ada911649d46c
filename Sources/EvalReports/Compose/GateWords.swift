import EvalAnalysis
import EvalCore

/// A judged gate in words, for formats that have a line for each.
struct GateWords {
  private let result: GateResult

  init(_ result: GateResult) { self.result = result }

  /// Its name, else its rule, with the target that it was judged for unless the rule is for it alone.
  var name: String {
    let rule = result.gate.name ?? result.gate.rule
    guard let target = result.target, result.gate.targets != [target] else { return rule }
    return "\(rule) (\(target))"
  }

  var outcome: String {
    switch result.outcome {
    case .pass: "passed"
    case .fail: "failed"
    case .inconclusive, .invalid: result.outcome.rawValue
    }
  }

  /// What was measured, why it is not decided, what would settle it.
  var reason: String {
    var parts: [String] = []
    if result.estimate != nil {
      let measured = RunReport.measured(result)
      let against = result.reference.map { " against \($0)" } ?? ""
      parts.append("measured \(measured.text)\(against)" + (measured.detail.map { " (\($0))" } ?? ""))
    }
    if let reason = result.reason { parts.append(reason) }
    if let advice = result.advice { parts.append(advice) }
    return parts.isEmpty ? outcome : parts.joined(separator: "; ")
  }
}
