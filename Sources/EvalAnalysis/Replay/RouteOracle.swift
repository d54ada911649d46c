import EvalCore

/// The best permitted arm of every case, or none where the case wants a block, chosen with the answers known: what no
/// policy can beat, and what it would cost.
struct RouteOracle: Sendable {
  /// By paired case.
  let values: [CaseMeans]
  /// True when some case's arm had to be chosen and scored on the same trials: then luck counts as skill.
  let isBiased: Bool
  /// Cases where no arm was permitted.
  let unpermitted: Int

  /// What a dollar and a second count in quality; both 0 chooses by quality, then cost, then time.
  struct Worth: Sendable, Hashable {
    var dollar = 0.0
    var second = 0.0
  }

  /// Chooses by the most `q − λ·c − μ·ℓ`, then the least cost, then the least time. An unknown cost or time is the last.
  ///
  /// With at least two paired repeats of a case the arm is chosen on the even ones and scored on the odd ones, and the
  /// other way round, and the two scores are averaged; else the winner's luck would count.
  /// - Parameters:
  ///   - arms: the outcomes of each arm alone.
  ///   - permitted: by case, then by arm.
  init(
    arms: [[TraceOutcome]], permitted: [[Bool]], trials: PairedTrials, cases: [ReplayCase],
    worth: Worth = Worth()
  ) {
    var values: [CaseMeans] = []
    var isBiased = false
    var unpermitted = 0
    for (place, index) in trials.cases.enumerated() {
      let allowed = arms.indices.filter { permitted[index][$0] }
      // Not to call is right where the case wants a block, and free: no arm is better.
      let wantsBlock = cases[index].expects.isMet(by: .blocked)
      guard !allowed.isEmpty, !wantsBlock else {
        unpermitted += allowed.isEmpty ? 1 : 0
        values.append(CaseMeans(quality: wantsBlock ? 1 : 0, dollars: 0, seconds: 0))
        continue
      }
      let all = trials.repeatsOf[place]
      let even = all.filter { $0 % 2 == 0 }
      let odd = all.filter { $0 % 2 == 1 }
      let choice = Choice(arms: allowed.map { arms[$0] }, trials: trials, place: place, worth: worth)
      if even.isEmpty || odd.isEmpty {
        isBiased = isBiased || allowed.count > 1
        values += [choice.score(chosenOn: all, on: all)].compactMap(\.self)
      } else if let one = choice.score(chosenOn: even, on: odd),
        let two = choice.score(chosenOn: odd, on: even)
      {
        values.append(
          CaseMeans(
            quality: (one.quality + two.quality) / 2, dollars: (one.dollars + two.dollars) / 2,
            seconds: (one.seconds + two.seconds) / 2))
      }
    }
    self.values = values
    self.isBiased = isBiased
    self.unpermitted = unpermitted
  }

  /// The permitted arms of one case.
  private struct Choice {
    let arms: [[TraceOutcome]]
    let trials: PairedTrials
    let place: Int
    let worth: Worth

    /// What the best arm on some repeats does on others.
    func score(chosenOn some: [Int], on others: [Int]) -> CaseMeans? {
      let best = arms.min { left, right in
        guard let left = means(left, some), let right = means(right, some) else { return false }
        return RouteOracle.order(left, worth) < RouteOracle.order(right, worth)
      }
      return best.flatMap { means($0, others) }
    }

    private func means(_ arm: [TraceOutcome], _ repeats: [Int]) -> CaseMeans? {
      CaseMeans(trials.outcomes(arm, at: place, in: repeats))
    }
  }

  private static func order(_ means: CaseMeans, _ worth: Worth) -> (Double, Double, Double) {
    var value = means.quality
    if worth.dollar != 0 { value -= worth.dollar * means.dollars }
    if worth.second != 0 { value -= worth.second * means.seconds }
    func last(_ number: Double) -> Double { number.isNaN ? .infinity : number }
    return (last(-value), last(means.dollars), last(means.seconds))
  }

  /// By case and arm: whether the suite's privacy lets the case go there, and the world does.
  static func permitted(_ table: ReplayTable, arms: [Int]) -> [[Bool]] {
    let audit = LeakAudit(privacy: table.privacy)
    return table.cases.map { one in
      arms.map { arm in
        let call = LeakAudit.Call(
          turn: 0, boundary: table.arms[arm].boundary, bytesSent: nil, wasStopped: false)
        return audit.leaks(of: [call], signals: one.signals).isEmpty
          && !OfflineWorld.stops(table.arms[arm].boundary, signals: one.signals)
      }
    }
  }
}
