package import EvalCore

/// Which case of a suite grades the answers to which stored case.
package struct RescoredCases: Sendable {
  /// Index into the suite's cases, by the stored case's hash.
  package private(set) var places: [ContentHash: Int] = [:]
  /// In the order of their ids.
  package private(set) var skipped: [ScoreSetInfo.SkippedCase] = []
  /// Cases of the suite that the run has no answers to.
  package private(set) var unanswered = 0

  /// Pairs by id, and by content where an id is gone; only cases of the same input pair.
  ///
  /// - Parameters:
  ///   - stored: the cases of a run; `content` is needed of those alone whose hash is not in the suite.
  ///   - cases: the suite's.
  /// - Throws: what reading a case throws.
  package init(stored: [CaseRecord], cases: any CaseSource) throws {
    let summaries = cases.summaries
    var byID: [String: Int] = [:]
    var byHash: [ContentHash: Int] = [:]
    for (place, summary) in summaries.enumerated() {
      byID[summary.id] = place
      byHash[summary.hash] = byHash[summary.hash] ?? place
    }
    for record in stored {
      guard let place = byID[record.id] ?? byHash[record.hash] else {
        skipped.append(.init(id: record.id, reason: .notInSuite))
        continue
      }
      if try summaries[place].hash == record.hash || cases.load(place).hasInput(of: record) {
        places[record.hash] = place
      } else {
        skipped.append(.init(id: record.id, reason: .inputChanged))
      }
    }
    skipped.sort { $0.id < $1.id }
    unanswered = summaries.count - Set(places.values).count
  }

  /// The identity of what grades: the checks and references of the paired cases, and everything that verdicts of judges
  /// depend on. Files that checks name are not in it.
  /// - Parameter version: the tool's, whose graders may change.
  package func hash(_ suite: Suite, version: String) -> ContentHash {
    let summaries = suite.cases.summaries
    let cases = places.map { stored, place in
      [stored.hex, summaries[place].hash.hex, String(summaries[place].checks)].joined(separator: " ")
    }
    return ContentHash(
      of: [
        "cases": .array(cases.sorted().map { .string($0) }),
        "judging": suite.judgingHash.map { .string($0.hex) } ?? .null, "version": .string(version),
      ], kind: "scores")
  }
}
