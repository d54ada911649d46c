import EvalCore

/// Picks the cases of a run: by id and tag, then by a draw, then by number.
struct CaseSelection {
  let selection: Selection
  let seed: UInt64

  /// Indices of the chosen cases in the suite's order, and what a draw took of them.
  /// - Throws: names that no case has, and a choice of nothing.
  func choose(
    from summaries: [CaseSummary]
  ) throws(Problems) -> (cases: [Int], sample: SampleInfo?) {
    try checkNames(summaries)
    var chosen = Array(summaries.indices)
    if !selection.cases.isEmpty {
      let ids = Set(selection.cases)
      chosen.removeAll { !ids.contains(summaries[$0].id) }
    }
    if !selection.tags.isEmpty {
      let tags = Set(selection.tags)
      chosen.removeAll { tags.isDisjoint(with: summaries[$0].tags) }
    }
    var drawn: SampleInfo?
    if let count = selection.sample, count < chosen.count {
      (chosen, drawn) = sample(count, of: chosen, summaries)
    }
    if let limit = selection.limit { chosen = Array(chosen.prefix(limit)) }
    if chosen.isEmpty {
      throw Problems([
        Problem(.error, "no case is left to run", advice: "loosen --case, --tag, --sample or --limit")
      ])
    }
    return (chosen, drawn)
  }

  private func checkNames(_ summaries: [CaseSummary]) throws(Problems) {
    var problems: [Problem] = []
    if !selection.cases.isEmpty {
      let wanted = Set(selection.cases)
      let known = Set(summaries.lazy.map(\.id).filter { wanted.contains($0) })
      for id in selection.cases where !known.contains(id) {
        problems.append(
          Problem(
            .error, "there is no case '\(id)'", advice: suggestion(for: id, among: Self.near(id, summaries))))
      }
    }
    if !selection.tags.isEmpty {
      let known = Set(summaries.lazy.flatMap(\.tags))
      for tag in selection.tags where !known.contains(tag) {
        let advice =
          suggestion(for: tag, among: known.sorted())
          ?? (known.isEmpty
            ? "no case has a tag" : "the tags are \(known.sorted().prefix(20).joined(separator: ", "))")
        problems.append(Problem(.error, "no case has the tag '\(tag)'", advice: advice))
      }
    }
    for (name, count) in [("--limit", selection.limit), ("--sample", selection.sample)] {
      if let count, count < 1 {
        problems.append(Problem(.error, "\(name) \(count): at least one case is run"))
      }
    }
    if !problems.isEmpty { throw Problems(problems) }
  }

  /// Ids of about the same length: the distance to a hundred thousand names would take its time.
  private static func near(_ id: String, _ summaries: [CaseSummary]) -> [String] {
    let length = id.utf8.count
    let near = summaries.lazy.map(\.id).filter { abs($0.utf8.count - length) <= max(1, length / 3) }
    return Array(near.prefix(5_000))
  }

  /// Draws cases in proportion to their first tags, the largest remainders rounded up (Hamilton's method).
  ///
  /// What is drawn depends on the seed and the cases' content, not on their order in a file. Each case has a rank of its
  /// own in its stratum, so that a case more or less changes the draw by as many cases as quotas move, mostly one.
  private func sample(
    _ count: Int, of chosen: [Int], _ summaries: [CaseSummary]
  ) -> ([Int], SampleInfo) {
    let strata = Dictionary(grouping: chosen) { summaries[$0].tags.first ?? "" }
    let names = strata.keys.sorted()
    let shares = names.map { Double(strata[$0]?.count ?? 0) * Double(count) / Double(chosen.count) }
    var quotas = shares.map { Int($0) }
    let byRemainder = names.indices.sorted {
      let (left, right) = (shares[$0] - Double(quotas[$0]), shares[$1] - Double(quotas[$1]))
      return left != right ? left > right : names[$0] < names[$1]
    }
    for index in byRemainder.prefix(count - quotas.reduce(0, +)) { quotas[index] += 1 }
    var drawn: [Int] = []
    for (name, quota) in zip(names, quotas) {
      let ranked = (strata[name] ?? []).map { (rank: rank(summaries[$0].hash), index: $0) }
      drawn += ranked.sorted { $0 < $1 }.prefix(quota).map(\.index)
    }
    let taken = zip(names, quotas).map { name, quota in
      SampleInfo.Stratum(tag: name.isEmpty ? nil : name, taken: quota, of: strata[name]?.count ?? 0)
    }
    return (drawn.sorted(), SampleInfo(seed: seed, strata: taken))
  }

  private func rank(_ hash: ContentHash) -> UInt64 {
    var random = SeededRandom(seed: seed ^ hash.firstWord)
    return random.next()
  }
}
