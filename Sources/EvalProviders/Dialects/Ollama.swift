import EvalCore

/// Ollama's own `/api/chat` (ollama, api/types.go). Its compatible `/v1` is a server of `openai-chat`.
struct Ollama: Dialect {
  var framing: StreamFraming { .ndjson }

  private static let windowsBesideCalls: [WindowRecipe] = [
    .member(["options", "num_ctx"]), .get(.besideCall("/ps")), .post(.besideCall("/show"), model: "model"),
  ]

  let servers: [ServerTraits] = [
    ServerTraits("ollama", "Ollama on this machine") {
      $0.defaultEndpoint = "http://127.0.0.1:11434"
      $0.localPorts = [11434]
      $0.basePath = ""
      $0.zeroInputIsAbsent = true
      $0.windows = Self.windowsBesideCalls
    },
    ServerTraits("cloud", "Ollama's cloud") {
      $0.hosts = ["ollama.com"]
      $0.defaultEndpoint = "https://ollama.com"
      $0.basePath = ""
      $0.keyVariable = "OLLAMA_API_KEY"
      $0.zeroInputIsAbsent = true
      $0.windows = Self.windowsBesideCalls
    },
    ServerTraits("generic", "Ollama elsewhere") {
      $0.basePath = ""
      $0.zeroInputIsAbsent = true
      $0.windows = Self.windowsBesideCalls
    },
  ]

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      name: "ollama", summary: "Ollama's own chat API",
      defaultEndpoint: "http://127.0.0.1:11434",
      capabilities: Set(Capability.allCases).subtracting([.tokenCount, .toolChoice]),
      servers: servers.map(\.name), validate: Self.problems)
  }

  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest {
    let profile = call.profile
    var request = EncodedRequest(path: Self.path(below: profile.endpoint), body: [:])
    var messages = OllamaMessages()
    if let instructions = call.instructions { messages.add(Message(.system, instructions)) }
    for message in call.messages { messages.add(message) }
    request.body["model"] = .string(profile.model)
    request.body["messages"] = .array(messages.encoded)
    request.notes = messages.notes
    // Streaming is the default, so both answers must be given.
    request.body["stream"] = .bool(profile.stream)
    if !profile.tools.isEmpty { request.body["tools"] = .array(profile.tools.map(Self.tool)) }
    request.body["format"] = profile.responseSchema
    request.body["think"] = profile.parameters.reasoning.map(Self.think)
    let options = Self.options(profile)
    if !options.isEmpty { request.body["options"] = .object(options) }
    // Else the server drops the beginning of a prompt that is too long, and answers as if nothing had been.
    request.body["truncate"] = false
    return request
  }

  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder { OllamaDecoder() }
}

// MARK: - Request

extension Ollama {
  /// Ollama's documents give the base URL with and without `/api`.
  private static func path(below endpoint: String?) -> String {
    guard let endpoint, let url = try? Endpoint(endpoint), url.path.hasSuffix("/api") else {
      return "/api/chat"
    }
    return "/chat"
  }

  private static func options(_ profile: Profile) -> JSONObject {
    let parameters = profile.parameters
    var options: JSONObject = [:]
    options["temperature"] = parameters.temperature.map { .number($0) }
    options["top_p"] = parameters.topP.map { .number($0) }
    options["num_predict"] = parameters.maxOutputTokens.map { .integer(Int64($0)) }
    options["seed"] = parameters.seed.map { .integer($0) }
    if !parameters.stop.isEmpty { options["stop"] = .array(parameters.stop.map { .string($0) }) }
    if case .tokens(let size)? = profile.contextSize { options["num_ctx"] = .integer(Int64(size)) }
    return options
  }

  private static func tool(_ tool: ToolDefinition) -> JSONValue {
    var function: JSONObject = ["name": .string(tool.name)]
    function["description"] = tool.summary.map { .string($0) }
    function["parameters"] = tool.parameters
    return ["type": "function", "function": .object(function)]
  }

  /// On, off, or a level as it stands.
  private static func think(_ level: String) -> JSONValue {
    switch level.lowercased() {
    case "none", "off", "false": false
    case "on", "true": true
    case let level: .string(level)
    }
  }
}

// MARK: - Problems

extension Ollama {
  private static let levels = ["none", "off", "on", "low", "medium", "high", "max"]

  @Sendable
  private static func problems(with profile: Profile) -> [Problem] {
    var problems: [Problem] = []
    if let text = profile.endpoint, let endpoint = try? Endpoint(text), endpoint.path.hasSuffix("/v1") {
      problems.append(
        Problem(
          .error, "the endpoint is Ollama's Chat Completions endpoint", path: "endpoint",
          advice: "take the provider openai-chat, or remove /v1"))
    }
    if let level = profile.parameters.reasoning, !(levels + ["true", "false"]).contains(level.lowercased()) {
      problems.append(
        Problem(
          .warning, "most models of Ollama know no reasoning level '\(level)' and refuse it",
          path: "reasoning",
          advice: suggestion(for: level, among: levels) ?? levels.joined(separator: ", ")))
    }
    if let strict = profile.tools.firstIndex(where: { $0.strict == true }) {
      problems.append(
        Problem(
          .warning, "Ollama does not hold a call to its schema, so 'strict' is not sent",
          path: "tools[\(strict)].strict"))
    }
    return problems
  }
}

/// A conversation in Ollama's words.
struct OllamaMessages {
  private(set) var encoded: [JSONValue] = []
  private(set) var notes: [String] = []
  private var open = OpenCalls()

  mutating func add(_ message: Message) {
    var object: JSONObject = ["role": .string(message.role.rawValue), "content": .string(message.text)]
    let images = images(of: message)
    if !images.isEmpty { object["images"] = .array(images) }
    switch message.role {
    case .assistant:
      open.begin(message.toolCalls)
      object["thinking"] = message.providerState.lazy.compactMap { $0["thinking"] }.first
      if !message.toolCalls.isEmpty { object["tool_calls"] = .array(message.toolCalls.map { call($0) }) }
    case .tool:
      let call = open.call(answeredBy: message)
      object["tool_name"] = (message.toolName ?? call?.name).map { .string($0) }
      object["tool_call_id"] = (call?.id ?? message.toolCallID).map { .string($0) }
    case .system, .user: break
    }
    encoded.append(.object(object))
  }

  private mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// Base64 without a media type: the server looks at the bytes.
  private mutating func images(of message: Message) -> [JSONValue] {
    message.parts.compactMap { part -> JSONValue? in
      guard case .image(let image) = part else { return nil }
      if image.detail != nil { note("Ollama takes no detail with an image; it was not sent") }
      return .string(image.base64)
    }
  }

  private mutating func call(_ call: ToolCall) -> JSONValue {
    let arguments = call.objectArguments
    if arguments == nil {
      note("Ollama takes the arguments of a call as an object only; those of '\(call.name)' were not sent")
    }
    var object: JSONObject = [
      "function": ["name": .string(call.name), "arguments": .object(arguments ?? [:])]
    ]
    object["id"] = call.id.map { .string($0) }
    return .object(object)
  }
}
