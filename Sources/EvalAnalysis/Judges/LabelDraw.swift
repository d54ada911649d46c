import EvalCore

/// Which answers of a run a person is to label.
///
/// Answers are grouped by check, target and the judge's verdict, and each group gives as many as the others while it has
/// them: passes and fails both tell something, however rare one of them is. What a group's label stands for is
/// `LabelledSample`'s matter.
package struct LabelDraw: Sendable {
  package struct Stratum: Sendable, Hashable {
    /// Answers that are there.
    package var answers: Int
    package var drawn: Int
  }

  /// In an order that tells nothing of the verdict.
  package var strata: [Stratum]
  /// Shuffled, each with its stratum's place.
  package var answers: [(answer: JudgedAnswer, stratum: Int)]

  private struct Group: Hashable {
    var check: String
    var target: String
    var verdict: String
  }

  /// - Parameters:
  ///   - count: how many answers to draw; more where every group needs one to be known at all.
  ///   - seed: of the draw and the order.
  package init(_ judged: [JudgedAnswer], count: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var places: [Group: Int] = [:]
    var groups: [[JudgedAnswer]] = []
    for answer in judged {
      let group = Group(check: answer.check, target: answer.target, verdict: LabelDraw.verdict(answer))
      if let place = places[group] {
        groups[place].append(answer)
      } else {
        places[group] = groups.count
        groups.append([answer])
      }
    }
    random.shuffle(&groups)
    let shares = LabelDraw.allocation(groups.map(\.count), count: count)
    strata = zip(groups, shares).map { Stratum(answers: $0.count, drawn: $1) }
    answers = []
    for place in groups.indices {
      random.shuffle(&groups[place])
      answers += groups[place].prefix(shares[place]).map { ($0, place) }
    }
    random.shuffle(&answers)
  }

  /// `pass` or `fail`; where nothing says what passes, the level of a single criterion, or the half of the scale.
  private static func verdict(_ answer: JudgedAnswer) -> String {
    if let passed = answer.passed { return passed ? "pass" : "fail" }
    if answer.criteria.count == 1 { return "\(answer.value)" }
    return answer.value < 0.5 ? "low" : "high"
  }

  /// As even as the sizes allow, at least one of each.
  static func allocation(_ sizes: [Int], count: Int) -> [Int] {
    var shares = Array(repeating: 0, count: sizes.count)
    var left = max(count, sizes.count)
    // The smallest first: what they cannot give goes to the others.
    for (done, place) in sizes.indices.sorted(by: { (sizes[$0], $0) < (sizes[$1], $1) }).enumerated() {
      shares[place] = min(sizes[place], left / (sizes.count - done))
      left -= shares[place]
    }
    return shares
  }
}
