import EvalAnalysis

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension ComparisonMeasure {
  /// How reports call it.
  package var title: String {
    switch self {
    case .score: "score"
    case .pass: "pass rate"
    case .scoreConditional: "score (conditional)"
    case .passConditional: "pass rate (conditional)"
    case .latency: "time to the end"
    case .firstToken: "time to first token"
    case .cost: "cost per trial"
    case .cloudShare: "cloud share"
    }
  }

  /// What a side's value is.
  var quantity: Quantity {
    switch self {
    case .score, .scoreConditional: .score
    case .pass, .passConditional, .cloudShare: .share
    case .latency, .firstToken: .milliseconds
    case .cost: .dollars
    }
  }
}

/// Differences as people read them: points of a rate, a factor of a time.
struct ChangeText {
  let measure: ComparisonMeasure

  init(_ measure: ComparisonMeasure) { self.measure = measure }

  /// With its sign: `+35.0 points`, `-0.120`, `×0.79`.
  func signed(_ value: Double) -> String {
    if measure.scale == .ratio { return "×" + factor(value) }
    return (value > 0 ? "+" : value < 0 ? "-" : "±") + size(abs(value))
  }

  /// Without one.
  func size(_ value: Double) -> String {
    switch measure.quantity {
    case .share: Numbers.fixed(value * 100, 1) + " points"
    case .dollars: "$" + Numbers.significant(value, 3)
    case .score: Numbers.fixed(value, 3)
    default: "×" + factor(value)
    }
  }

  /// `-3.2 to 18.0`.
  func range(_ range: ClosedRange<Double>) -> String {
    "\(bare(range.lowerBound)) to \(bare(range.upperBound))"
  }

  private func bare(_ value: Double) -> String {
    switch measure.quantity {
    case .share: Numbers.fixed(value * 100, 1)
    case .dollars: (value < 0 ? "-$" : "$") + Numbers.significant(abs(value), 3)
    case .score: Numbers.fixed(value, 3)
    default: factor(value)
    }
  }

  /// More digits near 1, where they tell a change from none.
  private func factor(_ value: Double) -> String {
    abs(value - 1) < 0.095 ? Numbers.fixed(value, 3) : Numbers.significant(value, 3, maximum: 3)
  }
}

/// A probability as people read it.
enum ProbabilityText {
  /// `p=0.031`, `p<0.0001`.
  static func equation(_ p: Double) -> String { p < 0.0001 ? "p<0.0001" : "p=\(text(p))" }

  /// `0.031`, `<0.0001`.
  static func text(_ p: Double) -> String {
    if p < 0.0001 { return "<0.0001" }
    return p >= 0.9995 ? "1" : Numbers.significant(p, 2, maximum: 4)
  }
}

extension PairedTest.Method {
  var words: String {
    switch self {
    case .mcNemar: "exact McNemar"
    case .signFlip: "sign flips, exact"
    case .signFlipDrawn: "sign flips"
    }
  }
}
