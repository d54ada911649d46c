import EvalCore

/// How a judge is asked: held to the form of its verdict as well as its endpoint can, and as repeatable as it can be.
struct JudgeManner: Sendable, Equatable {
  /// What an endpoint may say that it does not take, in the order in which it is then left out.
  enum Wish: String, Sendable, CaseIterable { case temperature, seed, schema, tool }

  var force: VerdictForce
  /// `nil` leaves it to the provider.
  var temperature: Double?
  /// `nil` leaves it to the provider.
  var seed: Int64?

  /// - Parameters:
  ///   - capabilities: what the profile's endpoint can be asked for.
  ///   - refused: what it has refused already.
  ///   - seed: the run's.
  ///   - draw: 0-based; each draw has a seed of its own.
  init(_ profile: Profile, _ capabilities: Set<Capability>, refused: Set<Wish>, seed: UInt64, draw: Int) {
    let canSchema = capabilities.contains(.responseSchema) && !refused.contains(.schema)
    let canTool = capabilities.isSuperset(of: [.tools, .toolChoice]) && !refused.contains(.tool)
    force = canSchema ? .schema : canTool ? .tool : .none
    temperature = profile.parameters.temperature
    // A model that reasons takes no temperature.
    if temperature == nil, profile.parameters.reasoning == nil, capabilities.contains(.temperature),
      !refused.contains(.temperature)
    {
      temperature = 0
    }
    // Servers take 31 bits everywhere.
    let own = Int64(seed & 0x7FFF_FFFF)
    self.seed = profile.parameters.seed.map { $0 &+ Int64(draw) }
    if self.seed == nil, capabilities.contains(.seed), !refused.contains(.seed) {
      self.seed = (own + Int64(draw)) & 0x7FFF_FFFF
    }
  }

  /// The profile as it is asked: without the tools, schema and instructions of its other work.
  func applied(to profile: Profile, schema: JSONValue) -> Profile {
    var judge = profile
    judge.instructions = nil
    judge.tools = []
    judge.toolChoice = nil
    judge.responseSchema = nil
    judge.parameters.stop = []
    judge.parameters.temperature = temperature
    judge.parameters.seed = seed
    switch force {
    case .schema: judge.responseSchema = schema
    case .tool:
      judge.tools = [ToolDefinition(name: verdictTool, summary: "Gives the verdict.", parameters: schema)]
      judge.toolChoice = .tool(verdictTool)
    case .none: break
    }
    return judge
  }

  /// Words by which servers name what they do not take.
  private static let words: [(wish: Wish, words: [String])] = [
    (.temperature, ["temperature"]), (.seed, ["seed"]),
    (.schema, ["response_format", "schema", "output_config", "grammar", "format"]), (.tool, ["tool"]),
  ]

  /// What to leave out after an error; `nil` when the error speaks of nothing that was added for judging.
  func concession(after error: ProviderError, profile: Profile) -> Wish? {
    guard [.invalidRequest, .unsupportedCapability].contains(error.kind), !error.inBand else { return nil }
    let message = error.message.lowercased()
    return Self.words.first { entry in
      isWished(entry.wish, profile) && entry.words.contains { message.contains($0) }
    }?.wish
  }

  private func isWished(_ wish: Wish, _ profile: Profile) -> Bool {
    switch wish {
    case .temperature: temperature != nil && profile.parameters.temperature == nil
    case .seed: seed != nil && profile.parameters.seed == nil
    case .schema: force == .schema
    case .tool: force == .tool
    }
  }
}
