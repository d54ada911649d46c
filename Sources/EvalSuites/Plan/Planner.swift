package import EvalCore

/// Lays out what a run will do: cases × targets × repeats, in an order in which drift of the machine or the service
/// does not look like a difference between targets.
package struct Planner {
  /// Cases of one block; all their trials are started before those of the next.
  package static let blockSize = 16

  /// Plans a run.
  /// - Parameters:
  ///   - repeats: trials of each case and target, 1…65,535.
  ///   - seed: orders the trials and draws the sample; the same seed gives the same plan.
  /// - Throws: names in the selection that the suite does not have, or that leave nothing to run.
  package static func plan(
    _ suite: Suite, selection: Selection = Selection(), repeats: Int, seed: UInt64
  ) throws(Problems) -> Plan {
    guard (1...Int(UInt16.max)).contains(repeats) else {
      throw Problems([Problem(.error, "repeats is a number from 1 to \(UInt16.max), not \(repeats)")])
    }
    let targets = try choose(selection.targets, from: suite.targets)
    let summaries = suite.cases.summaries
    let (cases, sample) = try CaseSelection(selection: selection, seed: seed).choose(from: summaries)
    let identity = PlanIdentity(
      targets: targets, profiles: suite.profiles, repeats: repeats, judging: suite.judgingHash)
    var plan = Plan(
      targets: targets, trials: order(cases, targets: targets.count, repeats: repeats, seed: seed),
      seed: seed,
      caseCount: cases.count, hash: identity.hash(of: cases.lazy.map { summaries[$0] }))
    plan.sample = sample
    return plan
  }

  private static func choose(_ names: [String], from targets: [Target]) throws(Problems) -> [Target] {
    if names.isEmpty { return targets }
    let known = targets.map(\.name)
    let problems = names.filter { !known.contains($0) }.map { name in
      Problem(
        .error, "there is no profile or route '\(name)'",
        advice: suggestion(for: name, among: known) ?? "there are \(known.joined(separator: ", "))")
    }
    if !problems.isEmpty { throw Problems(problems) }
    return targets.filter { names.contains($0.name) }
  }

  /// Shuffles the cases into blocks and each block into rounds of one trial for every target.
  ///
  /// A randomised block design (Montgomery, "Design and Analysis of Experiments", chapter 4): whatever changes in
  /// time hits the targets alike, after any number of trials to within one. In a round the targets have different
  /// cases, each in its own order, so that a server's cache does not favour the target that comes second.
  private static func order(_ cases: [Int], targets: Int, repeats: Int, seed: UInt64) -> [PlannedTrial] {
    var random = SeededRandom(seed: seed)
    var cases = cases
    random.shuffle(&cases)
    var trials: [PlannedTrial] = []
    trials.reserveCapacity(cases.count * targets * repeats)
    for (block, start) in stride(from: 0, to: cases.count, by: blockSize).enumerated() {
      let members = cases[start..<min(start + blockSize, cases.count)]
      let tasks = members.flatMap { index in (0..<repeats).map { (index, $0) } }
      let orders = (0..<targets).map { _ in
        var order = tasks
        random.shuffle(&order)
        return order
      }
      var lanes = Array(0..<targets)
      for round in tasks.indices {
        random.shuffle(&lanes)
        for target in lanes {
          let (index, number) = orders[target][round]
          trials.append(
            PlannedTrial(caseIndex: index, targetIndex: target, repeatIndex: number, block: block))
        }
      }
    }
    return trials
  }
}

/// What a plan is named by: the set of its trials, whatever their order in the file or in time.
struct PlanIdentity {
  let targets: [Target]
  let profiles: [Profile]
  let repeats: Int
  /// What verdicts depend on besides the checks; `nil` when nobody judges.
  var judging: ContentHash?

  func hash(of cases: some Sequence<CaseSummary>) -> ContentHash {
    var sum = UnorderedHash()
    for summary in cases {
      sum.add(summary.hash, with: summary.checks)
    }
    let columns = targets.map { target in
      ContentHash(
        of: ["name": .string(target.name), "hash": .string(target.hash.hex), "arms": arms(of: target)],
        kind: "column")
    }
    var object: JSONObject = [
      "cases": sum.json, "targets": UnorderedHash(columns).json, "repeats": .integer(Int64(repeats)),
    ]
    object["judging"] = judging.map { .string($0.hex) }
    return ContentHash(of: .object(object), kind: "plan")
  }

  /// A route's trials depend on the profiles that it may call, which only its policy knows: all of them count.
  private func arms(of target: Target) -> JSONValue {
    guard case .route = target else { return .null }
    return .object(JSONObject(profiles.map { (key: $0.name, value: .string($0.hash.hex)) }))
  }
}
