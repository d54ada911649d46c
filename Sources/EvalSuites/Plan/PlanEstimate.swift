package import EvalCore

/// A number of tokens between two bounds; `high` is `nil` where nothing bounds it.
package struct TokenRange: Sendable, Hashable {
  package var low: Int
  package var high: Int?

  package init(_ low: Int, _ high: Int?) {
    self.low = low
    self.high = high
  }

  static func + (left: TokenRange, right: TokenRange) -> TokenRange {
    TokenRange(left.low + right.low, left.high.flatMap { high in right.high.map { high + $0 } })
  }
}

/// What a plan will take, found without a call.
package struct PlanEstimate: Sendable {
  /// What one target will take.
  package struct Column: Sendable {
    package var target: String
    /// `profile` or `route`.
    package var kind: String
    package var trials: Int
    /// Calls, without retries and warm-up; a route may call every arm it has for a turn.
    package var calls: TokenRange
    /// Estimated input tokens; what a conversation's answers add is between nothing and the output limit.
    package var input: TokenRange
    /// Output tokens, from none to the output limit; `high` is `nil` where a profile states no limit.
    package var output: TokenRange
    /// US dollars; `nil` where a price is unknown.
    package var cost: CostRange?
  }

  /// US dollars between two bounds; `high` is `nil` where nothing bounds it.
  package struct CostRange: Sendable, Hashable {
    package var low: Double
    package var high: Double?
  }

  package var columns: [Column]

  /// Adds up a plan; reads every planned case.
  /// - Parameter arms: the profiles that a route may call, by the routing room.
  /// - Throws: `Problems` when a case file changed.
  package init(
    _ plan: Plan, _ suite: Suite, arms: (RouteSpec) -> [Profile] = { _ in [] }
  ) throws {
    let rows = plan.targets.map { target in
      switch target {
      case .profile(let profile): [ProfileLoad(profile)]
      case .route(let route): arms(route).map(ProfileLoad.init)
      }
    }
    var counts: [Int: [Int]] = [:]
    for trial in plan.trials {
      counts[Int(trial.caseIndex), default: [Int](repeating: 0, count: plan.targets.count)][
        Int(trial.targetIndex)] += 1
    }
    var columns = plan.targets.map(ColumnSum.init)
    for index in counts.keys.sorted() {
      let subject = CaseLoad(try suite.cases.load(index))
      for (target, count) in (counts[index] ?? []).enumerated() where count > 0 {
        columns[target].add(subject, rows[target], count)
      }
    }
    self.columns = columns.map(\.column)
  }
}

/// The tokens of a case that do not depend on the profile.
private struct CaseLoad {
  /// Of each turn, with what stands before the first.
  var turns: [TokenRange]
  var variables: JSONObject

  init(_ subject: Case) {
    variables = subject.templateVariables
    var history = TokenRange(0, 0)
    for message in subject.history {
      history = history + Self.tokens(in: message.parts)
      for call in message.toolCalls { history = history + Self.exactly(TokenEstimate.tokens(in: call.json)) }
    }
    turns = subject.turns.map { Self.tokens(in: $0.content) }
    turns[0] = turns[0] + history
  }

  /// What an image takes, from the most modest provider's count to the most lavish one's.
  private static let image = TokenRange(85, 1_600)

  static func exactly(_ count: Int) -> TokenRange { TokenRange(count, count) }

  private static func tokens(in parts: [ContentPart]) -> TokenRange {
    parts.reduce(exactly(TokenEstimate.perMessage)) { sum, part in
      switch part {
      case .text(let text): sum + exactly(TokenEstimate.tokens(in: text))
      case .image: sum + image
      }
    }
  }
}

/// The tokens that a profile adds to every call.
private struct ProfileLoad {
  let profile: Profile
  private let fixed: Int
  private let isTemplate: Bool

  init(_ profile: Profile) {
    self.profile = profile
    isTemplate = profile.instructions.map(Template.isTemplate) ?? false
    var fixed = profile.tools.reduce(0) { $0 + TokenEstimate.tokens(in: $1.json) }
    if let schema = profile.responseSchema { fixed += TokenEstimate.tokens(in: schema) }
    if let text = profile.instructions, !isTemplate {
      fixed += TokenEstimate.tokens(in: text) + TokenEstimate.perMessage
    }
    self.fixed = fixed
  }

  /// Input and output tokens of one trial.
  func load(_ subject: CaseLoad) -> (input: TokenRange, output: TokenRange) {
    let base = fixed + (isTemplate ? instructions(subject.variables) : 0)
    var input = TokenRange(0, 0)
    var output = TokenRange(0, 0)
    var conversation = TokenRange(base, base)
    for turn in subject.turns {
      // Each call carries everything that was said before, answers included.
      conversation = conversation + turn
      input = input + conversation
      let answer = TokenRange(0, profile.parameters.maxOutputTokens)
      output = output + answer
      conversation = conversation + answer
    }
    return (input, output)
  }

  private func instructions(_ variables: JSONObject) -> Int {
    guard let text = profile.instructions else { return 0 }
    return TokenEstimate.tokens(in: (try? Template.render(text, variables)) ?? text)
      + TokenEstimate.perMessage
  }

  func cost(input: TokenRange, output: TokenRange) -> PlanEstimate.CostRange? {
    guard let price = profile.price else { return nil }
    if price.isFree { return PlanEstimate.CostRange(low: 0, high: 0) }
    // The least is paid where every input token comes from the cache.
    let least = min(price.input, price.cachedInput ?? price.input)
    let most = max(price.input, price.cacheWrite ?? price.input)
    let low = (Double(input.low) * least + Double(output.low) * price.output) / 1_000_000
    let high = input.high.flatMap { input in
      output.high.map { (Double(input) * most + Double($0) * price.output) / 1_000_000 }
    }
    return PlanEstimate.CostRange(low: low, high: high)
  }
}

/// Adds up a column.
private struct ColumnSum {
  private(set) var column: PlanEstimate.Column

  init(_ target: Target) {
    column = PlanEstimate.Column(
      target: target.name, kind: target.kind, trials: 0, calls: TokenRange(0, 0), input: TokenRange(0, 0),
      output: TokenRange(0, 0), cost: PlanEstimate.CostRange(low: 0, high: 0))
  }

  /// - Parameter arms: the profile, or the arms of a route, of which at least one and at most all are called.
  mutating func add(_ subject: CaseLoad, _ arms: [ProfileLoad], _ count: Int) {
    let loads = arms.map { arm in
      let (input, output) = arm.load(subject)
      return (input: input, output: output, cost: arm.cost(input: input, output: output))
    }
    let turns = subject.turns.count
    column.trials += count
    column.calls = column.calls + TokenRange(turns, turns * max(arms.count, 1)).times(count)
    column.input = column.input + Self.anyOrAll(loads.map(\.input)).times(count)
    column.output = column.output + Self.anyOrAll(loads.map(\.output)).times(count)
    let costs = loads.compactMap(\.cost)
    guard let sum = column.cost, let least = costs.map(\.low).min(), costs.count == loads.count else {
      column.cost = nil
      return
    }
    let highs = costs.compactMap(\.high)
    let most = highs.count == costs.count ? highs.reduce(0, +) : nil
    column.cost = PlanEstimate.CostRange(
      low: sum.low + least * Double(count),
      high: sum.high.flatMap { high in most.map { high + $0 * Double(count) } })
  }

  private static func anyOrAll(_ ranges: [TokenRange]) -> TokenRange {
    let highs = ranges.compactMap(\.high)
    if ranges.isEmpty { return TokenRange(0, nil) }
    return TokenRange(ranges.map(\.low).min() ?? 0, highs.count == ranges.count ? highs.reduce(0, +) : nil)
  }
}

extension TokenRange {
  fileprivate func times(_ count: Int) -> TokenRange { TokenRange(low * count, high.map { $0 * count }) }
}
