/// Reads the limits and margins of one measure in its unit.
package struct GateLimit: Sendable {
  private let info: MeasureInfo

  package init(_ info: MeasureInfo) { self.info = info }

  /// A limit as a person would write it.
  package var example: String {
    switch info.unit {
    case .share: info.isLowerBetter ? "0.05" : "0.8"
    case .time: "3s"
    case .dollars: "0.002"
    case .count: "0"
    case .tokensPerSecond: "20"
    }
  }

  func value(_ text: String) throws(GateProblem) -> Double {
    switch info.unit {
    case .share: return try share(text)
    case .time: return try milliseconds(text)
    case .dollars: return try number(text.hasPrefix("$") ? String(text.dropFirst()) : text, of: text)
    case .count, .tokensPerSecond: return try number(text, of: text)
    }
  }

  func margin(_ text: String) throws(GateProblem) -> Double {
    switch info.pairing {
    case nil:
      throw GateProblem(
        "'\(info.name)' cannot be held against another target case by case", advice: "give it a limit instead"
      )
    case .ratio?:
      guard text.hasSuffix("%") else {
        throw GateProblem("the margin of '\(info.name)' is in per cent", advice: "for instance: by 10%")
      }
      return try number(String(text.dropLast()), of: text) / 100
    case .difference?: return try value(text)
    }
  }

  /// A limit that decides nothing, whatever happens.
  func problem(_ comparison: GateSpec.Comparison, _ limit: Double) -> GateProblem? {
    if comparison == .equal, !info.isExact {
      return GateProblem(
        "'\(info.name)' is an estimate and never known to equal a value", advice: "use >= or <=")
    }
    let isLower = comparison == .atLeast || comparison == .above
    let least = comparison == .atLeast && limit <= 0
    let most = comparison == .atMost && info.unit == .share && limit >= 1
    if least || most {
      return GateProblem("'\(info.name) \(comparison.rawValue) \(limit == 0 ? "0" : "1")' can never fail")
    }
    let aboveAll = isLower && info.unit == .share && (limit > 1 || comparison == .above && limit == 1)
    let belowAll = !isLower && comparison == .below && limit <= 0
    if aboveAll || belowAll { return GateProblem("'\(info.name)' can never be that") }
    return nil
  }

  private func share(_ text: String) throws(GateProblem) -> Double {
    let isPercent = text.hasSuffix("%")
    let value = try number(isPercent ? String(text.dropLast()) : text, of: text) / (isPercent ? 100 : 1)
    guard value <= 1 else {
      throw GateProblem(
        "'\(info.name)' is in 0…1, not \(text)", advice: value <= 100 ? "write \(text)%" : nil)
    }
    return value
  }

  private func milliseconds(_ text: String) throws(GateProblem) -> Double {
    let units: [(suffix: String, factor: Double)] = [("ms", 1), ("s", 1000), ("m", 60_000)]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else {
      throw GateProblem("the time \(text) has no unit", advice: "write \(text)s or \(text)ms")
    }
    return try number(String(text.dropLast(unit.suffix.count)), of: text) * unit.factor
  }

  private func number(_ digits: String, of text: String) throws(GateProblem) -> Double {
    let isPlain = digits.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
    guard isPlain, let value = Double(digits), value.isFinite, value >= 0 else {
      throw GateProblem(
        "'\(text)' is not a limit for '\(info.name)'", advice: "for instance \(example)")
    }
    return value
  }
}
