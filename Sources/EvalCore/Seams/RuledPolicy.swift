import Synchronization

/// A policy of which one rule takes a case, so that many policies can be scored over one table of cases: what a rule does
/// with a case is worked out once, whichever policies share that rule.
package protocol RuledPolicy: Policy {
  /// The rule that takes the first turn of each row, by its index; the number of rules where none does.
  ///
  /// Agrees with `next` on every row.
  func rules(taking table: FactTable) -> [UInt16]
  /// Everything that follows once the rule has taken a case, apart from when it does: policies with equal identities act
  /// alike on equal facts. The number of rules names what happens when none matches.
  func identity(ofRule index: Int) -> String
}

/// The facts of many cases before their first call, with a memory for conditions that policies share.
package final class FactTable: Sendable {
  package let rows: [RoutingFacts]
  private let memory = Mutex<[String: [UInt64]]>([:])
  private let columns = Mutex<[String: [Double]]>([:])

  package init(_ rows: [RoutingFacts]) { self.rows = rows }

  /// One bit for each row, 64 to a word and the first row lowest: whether the condition holds there.
  ///
  /// - Parameters:
  ///   - condition: a name that is the same for the same condition only.
  ///   - holds: asked once for each row, the first time.
  package func bits(of condition: String, where holds: (RoutingFacts) -> Bool) -> [UInt64] {
    if let known = memory.withLock({ $0[condition] }) { return known }
    var words = [UInt64](repeating: 0, count: (rows.count + 63) / 64)
    for (index, row) in rows.enumerated() where holds(row) { words[index / 64] |= 1 << UInt64(index % 64) }
    memory.withLock { $0[condition] = words }
    return words
  }

  /// A number for each row, NaN where there is none, so that conditions which differ in their threshold alone read it once.
  ///
  /// - Parameters:
  ///   - name: the same for the same number only.
  ///   - read: asked once for each row, the first time.
  package func numbers(of name: String, _ read: (RoutingFacts) -> Double?) -> [Double] {
    if let known = columns.withLock({ $0[name] }) { return known }
    let column = rows.map { read($0) ?? .nan }
    columns.withLock { $0[name] = column }
    return column
  }

  /// One bit for each row: whether a condition on a column holds there; remembered as `bits(of:where:)` does.
  package func bits(
    of condition: String, over column: () -> [Double], where holds: (Double) -> Bool
  ) -> [UInt64] {
    if let known = memory.withLock({ $0[condition] }) { return known }
    var words = [UInt64](repeating: 0, count: (rows.count + 63) / 64)
    for (index, number) in column().enumerated() where holds(number) {
      words[index / 64] |= 1 << UInt64(index % 64)
    }
    memory.withLock { $0[condition] = words }
    return words
  }
}
