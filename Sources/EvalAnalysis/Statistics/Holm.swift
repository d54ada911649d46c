/// Several questions asked of the same data.
package enum Holm {
  /// The adjusted p-values, in the order given: `p̃_(i) = max_{j≤i} (m − j + 1)·p_(j)`, at most 1.
  ///
  /// Holm, *A Simple Sequentially Rejective Multiple Test Procedure*, Scandinavian Journal of Statistics 6 (1979). The
  /// chance of one false alarm or more in the family stays below the level, however the tests depend on each other.
  package static func adjusted(_ p: [Double]) -> [Double] {
    var adjusted = p
    var least = 0.0
    for (place, index) in p.indices.sorted(by: { (p[$0], $0) < (p[$1], $1) }).enumerated() {
      least = max(least, min(1, Double(p.count - place) * p[index]))
      adjusted[index] = least
    }
    return adjusted
  }
}
