package import EvalCore

/// One case as replay needs it.
package struct ReplayCase: Sendable {
  package var id: String
  package var hash: ContentHash
  package var tags: [String]
  /// Its share in quality; above 0.
  package var weight: Double
  /// Cases of one cluster count as one draw of the bootstrap; `nil` stands alone.
  package var cluster: String?
  /// The facts a policy may read, as the suite gives them.
  package var signals: JSONObject
  package var expects: Expectation
  /// By turn, then by arm in the table's order: what was known before that turn's first call. As many as the case has turns.
  package var facts: [[ArmFacts]]

  package init(
    id: String, hash: ContentHash, tags: [String] = [], weight: Double = 1, cluster: String? = nil,
    signals: JSONObject = [:], expects: Expectation = .answer, facts: [[ArmFacts]]
  ) {
    self.id = id
    self.hash = hash
    self.tags = tags
    self.weight = weight
    self.cluster = cluster
    self.signals = signals
    self.expects = expects
    self.facts = facts
  }

  package var turnCount: Int { facts.count }
}

/// A profile that was run alone over the cases and that policies may call.
package struct ReplayArm: Sendable, Hashable {
  package var name: String
  /// `nil` where the profile does not say.
  package var boundary: Boundary?
  /// `nil` is unknown.
  package var price: Price?
  /// Arms of one provider fail together in an outage of it; the profile's endpoint or provider name.
  package var provider: String

  package init(name: String, boundary: Boundary?, price: Price? = nil, provider: String = "") {
    self.name = name
    self.boundary = boundary
    self.price = price
    self.provider = provider
  }

  /// The boundary, an unknown one taken as the farthest.
  package var reach: Boundary { boundary ?? .thirdParty }
}

/// Recorded trials of every case by every arm: what policies are replayed over.
package struct ReplayTable: Sendable {
  package let cases: [ReplayCase]
  package let arms: [ReplayArm]
  /// Recorded repeats of each case and arm, at least 1.
  package let repeats: Int
  /// How far content may travel, as the run's suite said.
  package var privacy: PrivacyRules
  private(set) var cells: [ReplayCell?]
  private let placeOfArm: [String: Int]

  /// A table without cells.
  ///
  /// - Parameters:
  ///   - cases: in the order of the run's plan, in which policies that look at what was spent are replayed.
  ///   - arms: each name once.
  package init(
    cases: [ReplayCase], arms: [ReplayArm], repeats: Int, privacy: PrivacyRules = .standard
  ) {
    self.cases = cases
    self.arms = arms
    self.repeats = max(1, repeats)
    self.privacy = privacy
    cells = Array(repeating: nil, count: cases.count * arms.count * max(1, repeats))
    placeOfArm = Dictionary(
      arms.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  /// The recorded trial; `nil` is missing and stays so: nothing is imputed.
  package subscript(case index: Int, arm arm: Int, repeat repeatIndex: Int) -> ReplayCell? {
    get { cells[(index * arms.count + arm) * repeats + repeatIndex] }
    set { cells[(index * arms.count + arm) * repeats + repeatIndex] = newValue }
  }

  /// The place of an arm by its name; `nil` when it was not recorded.
  package func place(ofArm name: String) -> Int? { placeOfArm[name] }

  /// Cases × repeats.
  package var trialCount: Int { cases.count * repeats }
}

extension ReplayTable {
  /// The same table with other cases in the places of the old ones and every cell passed through a change.
  func changing(
    cases change: (ReplayCase) -> ReplayCase = { $0 }, arms: [ReplayArm]? = nil,
    cells edit: (_ arm: Int, ReplayCell) -> ReplayCell = { $1 }
  ) -> ReplayTable {
    var table = ReplayTable(
      cases: cases.map(change), arms: arms ?? self.arms, repeats: repeats, privacy: privacy)
    for index in cells.indices {
      table.cells[index] = cells[index].map { edit(index / repeats % self.arms.count, $0) }
    }
    return table
  }

  /// The table of some of the cases, in their order here.
  package func selecting(_ indices: [Int]) -> ReplayTable {
    var table = ReplayTable(cases: indices.map { cases[$0] }, arms: arms, repeats: repeats, privacy: privacy)
    let width = arms.count * repeats
    for (place, index) in indices.enumerated() {
      for offset in 0..<width { table.cells[place * width + offset] = cells[index * width + offset] }
    }
    return table
  }
}
