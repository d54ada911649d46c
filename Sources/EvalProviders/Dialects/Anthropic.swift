import EvalCore

/// Anthropic Messages, and the servers that speak it (anthropic-sdk-python, `MessageCreateParams`).
struct Anthropic: Dialect {
  /// The API wants a limit with every request. This one every model takes; an answer that it cuts ends as `length`.
  static let defaultLimit = 4096

  var servers: [ServerTraits] { Self.knownServers }
  var framing: StreamFraming { .sse }

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      name: "anthropic", summary: "Anthropic Messages and servers compatible with it",
      defaultEndpoint: "https://api.anthropic.com", defaultKeyVariable: "ANTHROPIC_API_KEY",
      capabilities: Set(Capability.allCases).subtracting([.seed, .tokenCount]),
      servers: servers.map(\.name),
      validate: { profile in
        guard let server = try? HTTPSetup(dialect: Anthropic()).server(of: profile) else { return [] }
        return server.traits.problems(with: profile) + AnthropicRules(server.traits).problems(with: profile)
      })
  }

  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest {
    let profile = call.profile
    var request = EncodedRequest(
      path: "/v1/messages", headers: [("anthropic-version", "2023-06-01")], body: [:])
    request.body["model"] = .string(profile.model)
    request.body["max_tokens"] = .integer(Int64(limit(of: profile, &request)))
    var conversation = AnthropicConversation(instructions: call.instructions)
    for message in call.messages { conversation.add(message) }
    request.body["system"] = conversation.system.map { .string($0) }
    request.body["messages"] = .array(conversation.messages)
    request.notes += conversation.notes
    encodeParameters(profile.parameters, traits, &request)
    encodeTools(profile, &request)
    if let schema = profile.responseSchema {
      request.addOutput("format", ["type": "json_schema", "schema": schema])
    }
    request.body["stream"] = .bool(profile.stream)
    return request
  }

  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder { AnthropicDecoder() }
}

// MARK: - Request

extension Anthropic {
  private func limit(of profile: Profile, _ request: inout EncodedRequest) -> Int {
    if let limit = profile.parameters.maxOutputTokens { return limit }
    // The limit counts the thinking too, and must be above its budget.
    let (limit, isTooLarge) = Self.defaultLimit.addingReportingOverflow(
      profile.parameters.reasoning.flatMap { Int($0) } ?? 0)
    let chosen = isTooLarge ? Self.defaultLimit : limit
    if profile.extraBody["max_tokens"] == nil {
      request.notes.append(
        "Anthropic Messages needs an output limit and the profile has none; \(chosen) tokens were asked for")
    }
    return chosen
  }

  private func encodeParameters(
    _ parameters: GenerationParameters, _ traits: ServerTraits, _ request: inout EncodedRequest
  ) {
    request.body["temperature"] = parameters.temperature.map { .number($0) }
    request.body["top_p"] = parameters.topP.map { .number($0) }
    if !parameters.stop.isEmpty {
      request.body["stop_sequences"] = .array(parameters.stop.map { .string($0) })
    }
    if parameters.seed != nil { request.notes.append("Anthropic Messages takes no seed; it was not sent") }
    if let level = parameters.reasoning { encodeReasoning(level, traits, &request) }
  }

  private func encodeReasoning(_ level: String, _ traits: ServerTraits, _ request: inout EncodedRequest) {
    if level == "none" {
      if traits.thinking == .adaptive {
        request.body["thinking"] = ["type": "disabled"]
      } else {
        request.body["chat_template_kwargs"] = ["enable_thinking": false]
      }
      return
    }
    switch traits.thinking {
    case .adaptive:
      if let budget = Int64(level) {
        request.body["thinking"] = ["type": "enabled", "budget_tokens": .integer(budget)]
      } else {
        request.body["thinking"] = ["type": "adaptive"]
        request.addOutput("effort", .string(level))
      }
    case .effort: request.addOutput("effort", .string(level))
    case .budget:
      if let budget = Int64(level) ?? Self.budgets[level] {
        request.body["thinking"] = ["type": "enabled", "budget_tokens": .integer(budget)]
        if Int64(level) == nil {
          request.notes.append(
            "\(traits.name) takes a thinking budget; '\(level)' was sent as \(budget) tokens")
        }
      } else {
        request.notes.append("\(traits.name) takes a thinking budget; '\(level)' is none and was not sent")
      }
    }
  }

  /// What LiteLLM sends for the same words.
  private static let budgets: [String: Int64] = ["low": 1024, "medium": 2048, "high": 4096]

  private func encodeTools(_ profile: Profile, _ request: inout EncodedRequest) {
    if !profile.tools.isEmpty {
      request.body["tools"] = .array(
        profile.tools.map { tool in
          var encoded: JSONObject = ["name": .string(tool.name)]
          encoded["description"] = tool.summary.map { .string($0) }
          encoded["input_schema"] = tool.parameters
          encoded["strict"] = tool.strict.map { .bool($0) }
          return .object(encoded)
        })
    }
    switch profile.toolChoice {
    case nil: break
    case .auto?: request.body["tool_choice"] = ["type": "auto"]
    case Optional.some(.none): request.body["tool_choice"] = ["type": "none"]
    case .required?: request.body["tool_choice"] = ["type": "any"]
    case .tool(let name)?: request.body["tool_choice"] = ["type": "tool", "name": .string(name)]
    }
    // A choice without tools is refused, and says nothing.
    if profile.tools.isEmpty, profile.extraBody["tools"] == nil {
      request.body.removeValue(forKey: "tool_choice")
    }
  }
}

extension EncodedRequest {
  /// Adds a member to `output_config`.
  fileprivate mutating func addOutput(_ key: String, _ value: JSONValue) {
    var config = body["output_config"]?.objectValue ?? [:]
    config[key] = value
    body["output_config"] = .object(config)
  }
}

/// What Anthropic refuses with a 400, found before the first call.
struct AnthropicRules {
  private let traits: ServerTraits

  init(_ traits: ServerTraits) { self.traits = traits }

  func problems(with profile: Profile) -> [Problem] {
    guard traits.hasAnthropicRules else { return [] }
    return thinking(profile) + sampling(profile.parameters)
  }

  private func thinking(_ profile: Profile) -> [Problem] {
    let parameters = profile.parameters
    guard let level = parameters.reasoning, level != "none" else { return [] }
    var problems: [Problem] = []
    if let budget = Int(level) {
      if budget < 1024 {
        problems.append(
          Problem(.error, "a thinking budget is at least 1024 tokens", path: "reasoning", advice: nil))
      } else if let limit = parameters.maxOutputTokens, budget >= limit {
        problems.append(
          Problem(
            .error, "the thinking budget of \(budget) tokens leaves nothing of the output limit of \(limit)",
            path: "maxOutputTokens", advice: "the limit counts the thinking: set it above the budget"))
      }
    }
    if let temperature = parameters.temperature, temperature != 1 {
      problems.append(
        Problem(
          .error, "Anthropic takes no temperature but 1 beside thinking", path: "temperature",
          advice: "remove it, or write \"reasoning\": \"none\""))
    }
    if let choice = profile.toolChoice, choice != .auto, choice != .none {
      problems.append(
        Problem(
          .error, "Anthropic takes no forced tool beside thinking", path: "toolChoice",
          advice: "write \"toolChoice\": \"auto\", or \"reasoning\": \"none\""))
    }
    return problems
  }

  private func sampling(_ parameters: GenerationParameters) -> [Problem] {
    var problems: [Problem] = []
    if parameters.stop.contains(where: { $0.trimmed.isEmpty }) {
      problems.append(
        Problem(
          .error, "Anthropic takes no stop sequence of white space alone", path: "stop",
          advice: "put a word beside it"))
    }
    if parameters.temperature != nil, parameters.topP != nil {
      problems.append(
        Problem(
          .warning, "newer Anthropic models take a temperature or a topP, not both", path: "topP",
          advice: "keep the temperature"))
    }
    return problems
  }
}
