import EvalCore

/// The cases that a policy can tell apart: every combination of the values that its conditions and its protection
/// distinguish, or a seeded sample where there are too many.
struct LintSamples {
  /// How many cases are looked at.
  static let limit = 32_768
  static let seed: UInt64 = 1

  /// One signal with the values it takes in the table; `nil` is missing.
  private struct Axis {
    var name: String
    var values: [SignalValue?]
    var place: (inout RoutingFacts, SignalValue) -> Void
  }

  private let axes: [Axis]
  /// The number of all combinations; more than `Int.max` counts as that.
  let combinations: Int
  var isExhaustive: Bool { combinations <= LintSamples.limit }
  var count: Int { min(combinations, LintSamples.limit) }
  var signals: [String] { axes.map(\.name) }

  init(_ policy: RoutePolicy) {
    axes = LintSamples.axes(policy)
    combinations = axes.reduce(1) { product, axis in
      let (value, overflow) = product.multipliedReportingOverflow(by: axis.values.count)
      return overflow ? .max : value
    }
  }

  /// Every combination, or the drawn ones, in an order that is always the same; `places` are the values by axis.
  func visit(_ body: (_ facts: RoutingFacts, _ places: [Int]) -> Void) {
    var random = SeededRandom(seed: LintSamples.seed)
    var places = [Int](repeating: 0, count: axes.count)
    for index in 0..<count {
      var facts = RoutingFacts(caseID: "", signals: [:])
      var rest = index
      for (number, axis) in axes.enumerated() {
        places[number] = isExhaustive ? rest % axis.values.count : random.below(axis.values.count)
        rest /= axis.values.count
        if let value = axis.values[places[number]] { axis.place(&facts, value) }
      }
      body(facts, places)
    }
  }

  /// What a set of values has in common, by signal: those that are not all there, in words.
  func common(_ places: [Set<Int>]) -> [(signal: String, values: String)] {
    zip(axes, places).compactMap { axis, found in
      guard found.count < axis.values.count else { return nil }
      let values = found.sorted().map { axis.values[$0] }
      let numbers = values.compactMap { $0?.number }
      if numbers.count == values.count, numbers.count > 2, let first = numbers.first, let last = numbers.last
      {
        return (axis.name, "\(SignalValue.number(first).plain)…\(SignalValue.number(last).plain)")
      }
      return (axis.name, values.map { $0?.plain ?? "?" }.joined(separator: "|"))
    }
  }

  // MARK: Axes

  private static func axes(_ policy: RoutePolicy) -> [Axis] {
    let groups = Dictionary(
      grouping: policy.rules.compactMap(\.when).flatMap(\.atoms),
      by: { $0.use.signal.isPerArm ? $0.use.signal.name : $0.key })
    var axes: [Axis] = [sensitivity(groups["sensitivity"] ?? []), consent(policy)].compactMap { $0 }
    for (name, atoms) in groups.sorted(by: { $0.key < $1.key })
    where !["sensitivity", "consent", "tokensIn", "fits"].contains(name) {
      if let axis = axis(name, atoms, policy) { axes.append(axis) }
    }
    if let tokens = tokens(groups["tokensIn"] ?? [], policy) { axes.append(tokens) }
    return axes
  }

  private static func axis(_ name: String, _ atoms: [Atom], _ policy: RoutePolicy) -> Axis? {
    guard let use = atoms.first?.use, let place = use.signal.place else { return nil }
    var values = ValueSamples.values(of: atoms) ?? atoms.flatMap(\.test.values)
    if use.signal.domain == .arm { values = policy.arms.map { .word($0) } }
    // The turn is always known.
    let missing: [SignalValue?] = use.signal.name == "turn" ? [] : [nil]
    return Axis(name: name, values: missing + values.map { $0 }) { facts, value in
      place(&facts, use.member, value)
    }
  }

  /// Protection reads it, whether a rule does or not.
  private static func sensitivity(_ atoms: [Atom]) -> Axis {
    Axis(name: "sensitivity", values: [nil] + Sensitivity.classified.map { .word($0.rawValue) }) {
      facts, value in
      facts.signals["sensitivity"] = value.json
    }
  }

  /// To nothing, and to the boundaries of the policy's arms, from near to far.
  private static func consent(_ policy: RoutePolicy) -> Axis {
    let reached = Set(policy.arms.compactMap { policy.terms.arms[$0]?.farthestBoundary }).subtracting([
      .device
    ])
    var lists: [[Boundary]] = [[]]
    for boundary in reached.sorted() { lists.append((lists.last ?? []) + [boundary]) }
    return Axis(name: "consent", values: lists.map { SignalDomain.consent($0) }) { facts, value in
      facts.signals["consent"] = value.json
    }
  }

  /// One count for every arm: thresholds of the rules, what windows hold and budgets allow, with their neighbours.
  private static func tokens(_ atoms: [Atom], _ policy: RoutePolicy) -> Axis? {
    let bounds = atoms.flatMap(\.test.values).compactMap(\.number)
    let most = policy.arms.flatMap { [policy.terms.capacity.most($0), policy.terms.budgets.most($0)] }
    let rooms = most.compactMap { $0 }.flatMap { [Double($0), Double($0 + 1)] }
    let values = Set(bounds.flatMap { [$0 - 1, $0, $0 + 1] } + rooms).filter { $0 >= 0 }
    guard !values.isEmpty else { return nil }
    // Tokens are always known, if by an estimate alone.
    return Axis(name: "tokensIn", values: values.union([1]).sorted().map { .number($0) }) { facts, value in
      for arm in policy.arms { facts.arms[arm] = ArmFacts(tokensIn: .counted(Int(value.number ?? 0))) }
    }
  }
}

extension SignalValue {
  /// Without quotes; boundaries without the device, which is always among them.
  fileprivate var plain: String {
    switch self {
    case .word(let word): word
    case .words(let words):
      words.count == 1 && words[0] == Boundary.device.rawValue
        ? "none" : words.filter { $0 != Boundary.device.rawValue }.joined(separator: "+")
    default: json.serialized()
    }
  }
}
