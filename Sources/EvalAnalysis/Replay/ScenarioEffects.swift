import EvalCore

extension Scenario {
  /// The table as it would be: with other signals and other prices. Errors and outages strike call by call.
  func applied(to table: ReplayTable) -> ReplayTable {
    guard !signals.isEmpty || !prices.isEmpty else { return table }
    let arms = table.arms.map { arm in
      var arm = arm
      arm.price = prices[arm.name] ?? arm.price
      return arm
    }
    return table.changing(
      cases: { one in
        var one = one
        for (name, value) in signals.members { one.signals[name] = value }
        return one
      }, arms: arms,
      cells: { arm, cell in
        guard let price = prices[arms[arm].name] else { return cell }
        return Scenario.recosted(cell, from: table.arms[arm].price, to: price)
      })
  }

  private static func recosted(_ cell: ReplayCell, from old: Price?, to new: Price) -> ReplayCell {
    var cell = cell
    for turn in cell.turns.indices {
      for index in cell.turns[turn].attempts.indices {
        cell.turns[turn].attempts[index].cost = cost(of: cell.turns[turn].attempts[index], from: old, to: new)
      }
    }
    return cell
  }

  /// A call without token counts costs nothing where it never left, or was turned away for nothing at a price before.
  private static func cost(of attempt: ReplayAttempt, from old: Price?, to new: Price) -> Cost {
    let isLowerBound = attempt.cost.isLowerBound
    if let dollars = new.cost(of: attempt.usage) { return Cost(dollars: dollars, isLowerBound: isLowerBound) }
    if attempt.bytesSent == 0 { return Cost(dollars: 0) }
    if case .failed = attempt.end, attempt.cost.dollars == 0, let old, !old.isFree { return Cost(dollars: 0) }
    return Cost(dollars: nil, isLowerBound: isLowerBound)
  }

  /// The error that strikes a call, if one does.
  ///
  /// One draw for each case, repeat, turn, arm and call of that arm in the turn decides, whatever the policy: all
  /// policies meet the same bad luck.
  /// - Parameter call: calls of this arm in this turn before.
  func strike(
    _ arm: ReplayArm, of subject: ReplayCase, repeatIndex: Int, turn: Int, call: Int
  ) -> ErrorClass? {
    if outages.contains(arm.name) || (!arm.provider.isEmpty && outages.contains(arm.provider)) {
      return .network
    }
    guard let injection else { return nil }
    var seed = SeededRandom(seed: injection.seed ^ subject.hash.firstWord)
    var mixed = seed.next()
    for byte in arm.name.utf8 { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01B3 }
    mixed ^= UInt64(repeatIndex) << 40 ^ UInt64(turn) << 20 ^ UInt64(call)
    var random = SeededRandom(seed: mixed)
    let draw = random.unit()
    var above = 0.0
    for (kind, rate) in injection.rates.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      above += rate
      if draw < above { return arm.reach == .device && Scenario.needsNetwork.contains(kind) ? nil : kind }
    }
    return nil
  }

  /// What cannot happen to a model on the device.
  private static let needsNetwork: Set<ErrorClass> = [.network, .connectTimeout, .serverTimeout]
}

extension ErrorClass {
  /// Whether the same call meets it again, so that a recording of one stands for every further one.
  var repeatsItself: Bool {
    switch self {
    case .unavailable, .quotaExceeded: true
    default: isDeterministic
    }
  }

  /// Whether the request alone decides it, with the same build of the model.
  var isDeterministic: Bool {
    switch self {
    case .authentication, .permission, .notFound, .invalidRequest, .contextSizeExceeded, .requestTooLarge,
      .contentFiltered, .refusal, .redirect, .unsupportedCapability:
      true
    case .rateLimited, .quotaExceeded, .overloaded, .serverError, .serverTimeout, .network, .connectTimeout,
      .firstTokenTimeout, .stallTimeout, .totalTimeout, .malformedResponse, .truncated, .cancelled,
      .unavailable, .notRecorded, .unknown:
      false
    }
  }
}

extension ReplayAttempt {
  /// A call that never left a device without a network: it took no time and cost nothing.
  static var offline: ReplayAttempt {
    var attempt = struck(by: OfflineWorld.error.kind)
    attempt.isRetryable = OfflineWorld.error.retryable
    return attempt
  }

  /// A call that a what-if ends: in no time, and as far as is known at no cost. Only where no connection came about was
  /// nothing sent.
  static func struck(by kind: ErrorClass) -> ReplayAttempt {
    let isUnsent = kind == .network || kind == .connectTimeout || kind == .unavailable
    let mayBeCharged =
      switch kind {
      case .firstTokenTimeout, .stallTimeout, .totalTimeout, .serverTimeout, .truncated, .malformedResponse,
        .contentFiltered, .refusal, .unknown:
        true
      default: false
      }
    return ReplayAttempt(
      end: .failed(kind), isRetryable: kind.isRetryable, hasVisibleOutput: false,
      cost: Cost(dollars: 0, isLowerBound: mayBeCharged), latency: 0, bytesSent: isUnsent ? 0 : nil)
  }
}
