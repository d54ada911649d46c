import EvalCore

/// Google's `generateContent` and `streamGenerateContent` (googleapis, generative_service.proto and content.proto).
struct Gemini: Dialect {
  /// Reads both forms of a stream: events are known by their content type, and what begins with a bracket is the array.
  var framing: StreamFraming { .jsonArray }

  let servers: [ServerTraits] = [
    ServerTraits("google", "the Gemini API of Google AI Studio") {
      $0.hosts = ["generativelanguage.googleapis.com"]
      $0.defaultEndpoint = "https://generativelanguage.googleapis.com"
      $0.basePath = "/v1beta"
      $0.keyStyle = .header("x-goog-api-key")
      $0.keyVariable = "GEMINI_API_KEY"
      $0.counts = [CountRecipe(.method("countTokens"), .wrapped(in: "generateContentRequest"))]
      $0.windows = [.get(.method(nil))]
    },
    ServerTraits("vertex", "Vertex AI, with the path up to publishers/google in the endpoint") {
      $0.hosts = ["aiplatform.googleapis.com"]
      $0.basePath = "/v1/publishers/google"
      $0.counts = [
        CountRecipe(
          .method("countTokens"), .members(["contents", "systemInstruction", "tools", "generationConfig"]))
      ]
    },
    ServerTraits("generic", "any other server that speaks it") {
      $0.basePath = "/v1beta"
      $0.keyStyle = .header("x-goog-api-key")
      $0.counts = [CountRecipe(.method("countTokens"), .wrapped(in: "generateContentRequest"))]
      $0.windows = [.get(.method(nil))]
    },
  ]

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      name: "gemini", summary: "Google Gemini, generateContent",
      defaultEndpoint: "https://generativelanguage.googleapis.com", defaultKeyVariable: "GEMINI_API_KEY",
      capabilities: Set(Capability.allCases).subtracting([.tokenCount]),
      options: [
        OptionSpec(
          "streamFormat", ["enum": ["sse", "array"]],
          "How a stream is asked for: sse, which is the default, or one JSON array"),
        OptionSpec(
          "includeThoughts", ["type": "boolean"],
          "Ask for summaries of the thoughts; they are then the first tokens"),
      ],
      servers: servers.map(\.name), validate: Self.problems)
  }

  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest {
    let profile = call.profile
    let method = profile.stream ? "streamGenerateContent" : "generateContent"
    var request = EncodedRequest(path: "\(Self.path(of: profile.model)):\(method)", body: [:])
    if profile.stream, profile.options["streamFormat"]?.stringValue != "array" {
      request.query.append(("alt", "sse"))
    }
    var contents = GeminiContents(generation: Self.generation(of: profile.model))
    contents.add(instructions: call.instructions)
    for message in call.messages { contents.add(message) }
    request.body["systemInstruction"] = contents.systemInstruction
    request.body["contents"] = .array(contents.contents)
    request.notes = contents.notes
    encodeTools(profile, &request)
    let config = generationConfig(profile)
    if !config.isEmpty { request.body["generationConfig"] = .object(config) }
    return request
  }

  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder { GeminiDecoder() }
}

// MARK: - Model names

extension Gemini {
  /// `models/NAME`; a name with a collection of its own, such as `tunedModels/NAME`, keeps it.
  private static func path(of model: String) -> String {
    let name = model.utf8.map { byte -> String in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-._~/@".utf8.contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + hex(byte >> 4) + hex(byte & 15)
    }.joined()
    return name.contains("/") ? "/\(name)" : "/models/\(name)"
  }

  private static func hex(_ digit: UInt8) -> String { String(digit, radix: 16, uppercase: true) }

  /// The generation in a name such as `gemini-2.5-flash`; `nil` for an alias, which stands for the newest.
  static func generation(of model: String) -> Int? {
    guard let start = model.firstRange(of: "gemini-") else { return nil }
    return Int(model[start.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }
}

// MARK: - Parameters

extension Gemini {
  private func generationConfig(_ profile: Profile) -> JSONObject {
    let parameters = profile.parameters
    var config: JSONObject = [:]
    config["temperature"] = parameters.temperature.map { .number($0) }
    config["topP"] = parameters.topP.map { .number($0) }
    config["maxOutputTokens"] = parameters.maxOutputTokens.map { .integer(Int64($0)) }
    if !parameters.stop.isEmpty { config["stopSequences"] = .array(parameters.stop.map { .string($0) }) }
    config["seed"] = parameters.seed.map { .integer($0) }
    if let schema = profile.responseSchema {
      config["responseMimeType"] = "application/json"
      config["responseJsonSchema"] = schema
    }
    var thinking: JSONObject = [:]
    if let level = parameters.reasoning {
      switch Self.thinking(level, generation: Self.generation(of: profile.model)) {
      case .budget(let tokens)?: thinking["thinkingBudget"] = .integer(tokens)
      case .level(let word)?: thinking["thinkingLevel"] = .string(word)
      case nil: break
      }
    }
    thinking["includeThoughts"] = profile.options["includeThoughts"]
    if !thinking.isEmpty { config["thinkingConfig"] = .object(thinking) }
    return config
  }

  private enum Thinking {
    case budget(Int64)
    case level(String)
  }

  /// Up to generation 2 thinking is counted out in tokens, from 3 it has levels; both at once are a 400. The budgets for
  /// the levels are those of Google's own compatible endpoint (ai.google.dev/gemini-api/docs/openai, "Thinking").
  private static func thinking(_ level: String, generation: Int?) -> Thinking? {
    if let tokens = Int64(level) { return tokens >= -1 ? .budget(tokens) : nil }
    let word = level.lowercased()
    if word == "none" { return .budget(0) }
    guard let budget = budgets[word] else { return nil }
    return generation ?? 3 < 3 ? .budget(budget) : .level(word.uppercased())
  }

  private static let budgets: [String: Int64] = [
    "minimal": 1024, "low": 1024, "medium": 8192, "high": 24576,
  ]

  private func encodeTools(_ profile: Profile, _ request: inout EncodedRequest) {
    if !profile.tools.isEmpty {
      let declarations = profile.tools.map { tool -> JSONValue in
        var declaration: JSONObject = ["name": .string(tool.name)]
        declaration["description"] = tool.summary.map { .string($0) }
        declaration["parametersJsonSchema"] = tool.parameters
        return .object(declaration)
      }
      request.body["tools"] = [["functionDeclarations": .array(declarations)]]
    }
    if let config = callingConfig(profile) {
      request.body["toolConfig"] = ["functionCallingConfig": .object(config)]
    }
  }

  /// `VALIDATED` is the automatic choice with calls held to their schemas, for all tools or none; a forced call is held
  /// to its schema anyway.
  private func callingConfig(_ profile: Profile) -> JSONObject? {
    let isStrict = profile.tools.contains { $0.strict == true }
    switch profile.toolChoice {
    case nil: return isStrict ? ["mode": "VALIDATED"] : nil
    case .auto?: return ["mode": isStrict ? "VALIDATED" : "AUTO"]
    case Optional.some(.none): return ["mode": "NONE"]
    case .required?: return ["mode": "ANY"]
    case .tool(let name)?: return ["mode": "ANY", "allowedFunctionNames": [.string(name)]]
    }
  }
}

// MARK: - Problems

extension Gemini {
  /// What a profile asks for and the API refuses.
  @Sendable
  private static func problems(with profile: Profile) -> [Problem] {
    var problems = endpointProblems(profile)
    if profile.parameters.stop.count > 5 {
      problems.append(
        Problem(
          .error, "Gemini takes at most 5 stop texts, not \(profile.parameters.stop.count)", path: "stop"))
    }
    if let seed = profile.parameters.seed, Int32(exactly: seed) == nil {
      problems.append(
        Problem(.error, "the seed \(seed) does not fit in Gemini's 32 bits", path: "seed"))
    }
    if let level = profile.parameters.reasoning, thinking(level, generation: nil) == nil {
      problems.append(
        Problem(
          .error, "Gemini has no reasoning level '\(level)'", path: "reasoning",
          advice: suggestion(for: level, among: ["none", "minimal", "low", "medium", "high"])
            ?? "none, minimal, low, medium, high, or a number of tokens"))
    }
    if profile.responseSchema != nil, !profile.tools.isEmpty, generation(of: profile.model) ?? 3 < 3 {
      problems.append(
        Problem(
          .warning, "Gemini before generation 3 refuses tools beside a response schema",
          path: "responseSchema", advice: "drop one of the two, or take a newer model"))
    }
    return problems
  }

  private static func endpointProblems(_ profile: Profile) -> [Problem] {
    guard let text = profile.endpoint, let endpoint = try? Endpoint(text) else { return [] }
    if endpoint.path.hasSuffix("/openai") || endpoint.path.contains("/openai/") {
      return [
        Problem(
          .error, "the endpoint is Gemini's Chat Completions endpoint", path: "endpoint",
          advice: "take the provider openai-chat, or remove /openai")
      ]
    }
    if endpoint.path.contains(":") {
      return [
        Problem(
          .error, "the endpoint names a model and a method", path: "endpoint",
          advice: "write the base URL only, such as https://generativelanguage.googleapis.com/v1beta")
      ]
    }
    if profile.server == "vertex", !endpoint.path.hasSuffix("/publishers/google"), !endpoint.path.isEmpty {
      return [
        Problem(
          .warning, "a Vertex AI endpoint usually ends in /publishers/google", path: "endpoint",
          advice: "write …/v1/projects/PROJECT/locations/LOCATION/publishers/google")
      ]
    }
    return []
  }
}
