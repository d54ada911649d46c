import EvalCore

/// What must hold of a case, with every negation pushed down to single tests, so that what is unknown satisfies neither a
/// test nor its opposite.
indirect enum Condition: Sendable {
  case all([Condition])
  case any([Condition])
  case test(Atom)

  func holds(_ facts: RoutingFacts, _ terms: Terms) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.holds(facts, terms) }
    case .any(let parts): parts.contains { $0.holds(facts, terms) }
    case .test(let atom): atom.holds(facts, terms)
    }
  }

  /// Every single test, in the order of the text.
  var atoms: [Atom] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.atoms)
    case .test(let atom): [atom]
    }
  }

  /// The opposite: De Morgan's laws.
  var negated: Condition {
    switch self {
    case .all(let parts): Condition.any(parts.map(\.negated))
    case .any(let parts): Condition.all(parts.map(\.negated))
    case .test(let atom): .test(atom.negated)
    }
  }

  /// The same with the arm that its per-arm signals speak of, where they name none.
  func speaking(of arm: ArmReference) -> Condition {
    switch self {
    case .all(let parts): return .all(parts.map { $0.speaking(of: arm) })
    case .any(let parts): return .any(parts.map { $0.speaking(of: arm) })
    case .test(var atom):
      if atom.use.signal.isPerArm, atom.use.arm == nil { atom.use.arm = arm }
      return .test(atom)
    }
  }

  func bits(_ table: FactTable, _ terms: Terms) -> [UInt64] {
    switch self {
    case .test(let atom): return atom.bits(table, terms)
    case .all(let parts):
      guard let first = parts.first else { return Bits.full(table.rows.count) }
      return parts.dropFirst().reduce(into: first.bits(table, terms)) { Bits.and(&$0, $1.bits(table, terms)) }
    case .any(let parts):
      guard let first = parts.first else { return Bits.none(table.rows.count) }
      return parts.dropFirst().reduce(into: first.bits(table, terms)) { Bits.or(&$0, $1.bits(table, terms)) }
    }
  }
}

/// Sets of rows, 64 to a word.
enum Bits {
  static func none(_ count: Int) -> [UInt64] { [UInt64](repeating: 0, count: (count + 63) / 64) }

  static func full(_ count: Int) -> [UInt64] {
    var words = [UInt64](repeating: .max, count: (count + 63) / 64)
    if count % 64 != 0 { words[words.count - 1] = (1 << UInt64(count % 64)) - 1 }
    return words
  }

  static func and(_ left: inout [UInt64], _ right: [UInt64]) {
    for index in left.indices { left[index] &= right[index] }
  }

  static func or(_ left: inout [UInt64], _ right: [UInt64]) {
    for index in left.indices { left[index] |= right[index] }
  }
}
