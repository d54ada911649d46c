/// One trial to come: indices into the suite's cases and the plan's targets.
package struct PlannedTrial: Sendable, Hashable {
  package var caseIndex: UInt32
  package var targetIndex: UInt16
  package var repeatIndex: UInt16
  /// Trials of one block are started before those of the next, so that drift hits every target alike.
  package var block: UInt32

  package init(caseIndex: Int, targetIndex: Int, repeatIndex: Int, block: Int) {
    self.caseIndex = UInt32(caseIndex)
    self.targetIndex = UInt16(targetIndex)
    self.repeatIndex = UInt16(repeatIndex)
    self.block = UInt32(block)
  }
}

/// Cases × targets × repeats in order, before anything runs.
package struct Plan: Sendable {
  package let targets: [Target]
  /// The identity of each target in a trial's key. Targets of the same content, as in an A/A test, are told apart by
  /// their names: the least one keeps the content's hash.
  package let targetHashes: [ContentHash]
  package var trials: [PlannedTrial]
  package var seed: UInt64
  /// How many cases are planned after `--limit`, `--case`, `--tag` and `--sample`.
  package var caseCount: Int
  /// What a draw took; `nil` when every case that was asked for is planned.
  package var sample: SampleInfo?
  /// Names the set of trials whatever their order: an unfinished run with the same hash is continued.
  package var hash: ContentHash

  package init(targets: [Target], trials: [PlannedTrial], seed: UInt64, caseCount: Int, hash: ContentHash) {
    self.targets = targets
    targetHashes = targets.map { target in
      let hash = target.hash
      let hasElder = targets.contains { $0.name < target.name && $0.hash == hash }
      return hasElder
        ? ContentHash(of: ["content": .string(hash.hex), "name": .string(target.name)], kind: "target") : hash
    }
    self.trials = trials
    self.seed = seed
    self.caseCount = caseCount
    self.hash = hash
  }
}

/// Which part of a suite a run takes.
package struct Selection: Sendable, Hashable {
  /// Case ids; empty takes all.
  package var cases: [String] = []
  /// Any of these tags; empty takes all.
  package var tags: [String] = []
  /// Target names; empty takes all.
  package var targets: [String] = []
  /// The first n cases; `nil` takes all.
  package var limit: Int?
  /// n cases drawn with the seed, stratified by first tag; `nil` takes all.
  package var sample: Int?

  package init() {}
}
