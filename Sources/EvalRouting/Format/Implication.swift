import EvalCore

/// Which conditions hold wherever others do. Exact for single tests, because a value between two neighbouring thresholds
/// behaves as its neighbours; conditions with very many alternatives are left undecided.
enum Implication {
  private static let limit = 64

  /// The condition as alternatives, each a list of tests that hold together; `nil` when there are too many.
  static func alternatives(_ condition: Condition?) -> [[Atom]]? {
    switch condition {
    case nil: return [[]]
    case .test(let atom): return [[atom]]
    case .any(let parts):
      var all: [[Atom]] = []
      for part in parts {
        guard let inner = alternatives(part), all.count + inner.count <= limit else { return nil }
        all += inner
      }
      return all
    case .all(let parts):
      var all: [[Atom]] = [[]]
      for part in parts {
        guard let inner = alternatives(part), all.count * inner.count <= limit else { return nil }
        all = all.flatMap { left in inner.map { left + $0 } }
      }
      return all
    }
  }

  /// Whether some value of each signal satisfies all tests; `true` where that cannot be told.
  static func canHold(_ atoms: [Atom]) -> Bool {
    bySignal(atoms).values.allSatisfy { group in
      guard let values = ValueSamples.values(of: group) else { return true }
      return values.contains { value in group.allSatisfy { $0.holds(value) == true } }
    }
  }

  /// Whether tests that hold together make all the others hold; `false` where that cannot be told.
  static func implies(_ atoms: [Atom], _ others: [Atom]) -> Bool {
    let known = bySignal(atoms)
    return others.allSatisfy { other in
      // A signal that is missing satisfies nothing, so another signal's tests prove nothing.
      guard let group = known[other.key], let values = ValueSamples.values(of: group + [other]) else {
        return false
      }
      return values.allSatisfy { value in
        !group.allSatisfy { $0.holds(value) == true } || other.holds(value) == true
      }
    }
  }

  private static func bySignal(_ atoms: [Atom]) -> [String: [Atom]] { Dictionary(grouping: atoms, by: \.key) }
}

extension Atom {
  /// The same for tests of the same signal.
  var key: String { use.name(arm: use.arm?.text) }
}

/// Values of a signal that tests tell apart: thresholds with their neighbours, the words that they name and another one.
enum ValueSamples {
  /// `nil` when there are too many.
  static func values(of atoms: [Atom]) -> [SignalValue]? {
    guard let domain = atoms.first?.use.signal.domain else { return [] }
    let named = atoms.flatMap(\.test.values)
    switch domain {
    case .flag: return [.flag(true), .flag(false)]
    case .words(let words), .scale(let words): return words.map { .word($0) }
    case .text, .arm: return others(named)
    case .count: return numbers(named, step: 1)
    case .amount, .seconds: return numbers(named, step: nil)
    case .members: return lists(named)
    case .boundaries:
      return [[], [.privateCloud], [.thirdParty], Boundary.allCases].map { SignalDomain.consent($0) }
    case .anything:
      guard let lists = lists(named) else { return nil }
      return others(named) + numbers(named, step: nil) + [.flag(true), .flag(false)] + lists
    }
  }

  /// A word that no test names.
  static let other = "another"

  private static func others(_ named: [SignalValue]) -> [SignalValue] {
    let words = named.filter { if case .word = $0 { true } else { false } }
    var fresh = other
    while words.contains(.word(fresh)) { fresh += "+" }
    return unique(words + [.word(fresh)])
  }

  private static func numbers(_ named: [SignalValue], step: Double?) -> [SignalValue] {
    var values: [Double] = [0]
    for bound in named.compactMap(\.number) {
      values += step.map { [bound - $0, bound, bound + $0] } ?? [bound.nextDown, bound, bound.nextUp]
    }
    return unique(values.filter { $0 >= 0 }.sorted().map { .number($0) })
  }

  private static func lists(_ named: [SignalValue]) -> [SignalValue]? {
    let words = unique(named).compactMap { if case .word(let word) = $0 { word } else { nil } }
    guard words.count <= 6 else { return nil }
    return (0..<(1 << words.count)).map { mask in
      .words(words.indices.filter { mask >> $0 & 1 == 1 }.map { words[$0] })
    }
  }

  private static func unique(_ values: [SignalValue]) -> [SignalValue] {
    var seen: Set<SignalValue> = []
    return values.filter { seen.insert($0).inserted }
  }
}
