import EvalCore

/// Cases to choose a policy on, and others to see how good the choice is.
package struct CaseSplit: Sendable, Hashable {
  /// In the table's order.
  package let tuning: [Int]
  package let heldOut: [Int]

  /// Draws whole clusters, so that a held-out case has no sister among those that the choice was made on.
  ///
  /// - Parameters:
  ///   - share: the least part of the cases to choose on, in 0…1.
  ///   - seed: of the draw.
  package init(_ cases: [ReplayCase], share: Double = 0.5, seed: UInt64) {
    var clusters: [[Int]] = []
    var known: [String: Int] = [:]
    for (index, one) in cases.enumerated() {
      if let cluster = one.cluster, let place = known[cluster] {
        clusters[place].append(index)
        continue
      }
      if let cluster = one.cluster { known[cluster] = clusters.count }
      clusters.append([index])
    }
    var random = SeededRandom(seed: seed)
    random.shuffle(&clusters)
    let wanted = Int((share * Double(cases.count)).rounded(.up))
    var tuning: [Int] = []
    var heldOut: [Int] = []
    for cluster in clusters {
      if tuning.count < wanted { tuning += cluster } else { heldOut += cluster }
    }
    self.tuning = tuning.sorted()
    self.heldOut = heldOut.sorted()
  }
}
