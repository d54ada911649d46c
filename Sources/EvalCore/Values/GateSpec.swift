/// A rule on an estimate, as the suite or the command line writes it; the grammar is in `Docs/Gates.md`.
package struct GateSpec: Sendable, Hashable {
  package enum Comparison: String, Sendable, Hashable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "="
  }

  /// Whom a measure is held against.
  package enum Reference: Sendable, Hashable {
    case target(String)
    /// The same target in the baseline that the command line names.
    case baseline
  }

  package enum Demand: Sendable, Hashable {
    case bound(Comparison, Double)
    /// Not worse by more than the margin: in the measure's unit, or as a part of the other's value (0.1 is ten per
    /// cent) for a measure that is paired by its ratio.
    case notWorse(than: Reference, by: Double)
    /// Every case passes in at least `least` of its first `of` repeats.
    case passes(least: Int, of: Int)
    /// Every case that must pass does, in every repeat.
    case mustPass
    /// Stored by another version, which this one does not understand.
    case unreadable
  }

  /// The rule as it was written.
  package var rule: String
  /// The name of a measure, without the check that it is of.
  package var measure: String
  /// The check's name where the measure is of one.
  package var check: String?
  package var demand: Demand
  /// The targets it holds for; empty is all.
  package var targets: [String] = []
  /// Only cases with this tag; `nil` is all.
  package var tag: String?
  /// Only this case; `nil` is all.
  package var caseID: String?
  /// Tests the value itself, whatever its interval.
  package var isPoint = false
  /// How reports call it; `nil` calls it by its rule.
  package var name: String?
  /// Where the suite says it; `nil` for the command line.
  package var location: SourceLocation?

  package init(rule: String, measure: String, check: String? = nil, demand: Demand) {
    self.rule = rule
    self.measure = measure
    self.check = check
    self.demand = demand
  }

  /// The built-in rule behind `mustPass` of a case.
  package static let mustPass = GateSpec(
    rule: "mustPass", measure: "mustPass", demand: .mustPass)
}

/// The gates of a run and how their results count.
package struct GateSettings: Sendable, Hashable {
  /// What inconclusive counts as where it must be one of two.
  package enum Leaning: String, Sendable, Hashable, CaseIterable { case pass, fail }

  package var gates: [GateSpec] = []
  /// The largest share of finished trials that may fail for reasons that are not the model's, in 0…1; above it a
  /// target's gates are invalid.
  package var maxErrorRate = 0.05
  /// The least share of planned trials that must have been judged, in 0…1; below it a target's gates are invalid.
  package var minCoverage = 0.9
  /// `nil` keeps inconclusive an outcome of its own.
  package var inconclusive: Leaning?
  /// Rules of a stored run that this version cannot read; each is inconclusive.
  package var unreadable: [String] = []

  package init() {}
}

/// The unit of a measure, which decides how a limit is written.
package enum MeasureUnit: String, Sendable, Hashable, CaseIterable {
  /// In 0…1, also written in per cent.
  case share
  /// Milliseconds inside; written with `ms`, `s` or `m`.
  case time
  /// US dollars, `$` may stand in front.
  case dollars
  case count
  case tokensPerSecond
}

/// What a gate may be about: the part of a measure that a reader of rules must know.
package struct MeasureInfo: Sendable, Hashable {
  package enum Pairing: Sendable, Hashable {
    /// By differences over cases: the margin is in the measure's unit.
    case difference
    /// By the ratio over cases: the margin is in per cent.
    case ratio
  }

  package var name: String
  /// One sentence for the documentation.
  package var summary: String
  package var unit: MeasureUnit
  package var isLowerBetter: Bool
  /// How it is held against another target; `nil` when that cannot be.
  package var pairing: Pairing?
  /// False for one that is only held against another target.
  package var takesLimit: Bool
  /// A count or a sum: there is nothing to be unsure of.
  package var isExact: Bool

  package init(
    _ name: String, _ unit: MeasureUnit, isLowerBetter: Bool, pairing: Pairing? = nil,
    takesLimit: Bool = true, isExact: Bool = false, _ summary: String
  ) {
    self.name = name
    self.unit = unit
    self.isLowerBetter = isLowerBetter
    self.pairing = pairing
    self.takesLimit = takesLimit
    self.isExact = isExact
    self.summary = summary
  }

  /// `check` is followed by a dot and the check's name.
  package static let checkName = "check"
}
