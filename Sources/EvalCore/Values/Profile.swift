/// What a profile asks of the model besides the words. `nil` leaves a value to the provider.
package struct GenerationParameters: Sendable, Hashable {
  package var temperature: Double?
  package var topP: Double?
  package var seed: Int64?
  package var stop: [String]
  /// The most tokens to generate, reasoning included.
  package var maxOutputTokens: Int?
  /// A reasoning level in the provider's words: `none`, `minimal`, `low`, `medium`, `high`, …
  package var reasoning: String?

  package init(
    temperature: Double? = nil, topP: Double? = nil, seed: Int64? = nil, stop: [String] = [],
    maxOutputTokens: Int? = nil, reasoning: String? = nil
  ) {
    self.temperature = temperature
    self.topP = topP
    self.seed = seed
    self.stop = stop
    self.maxOutputTokens = maxOutputTokens
    self.reasoning = reasoning
  }
}

/// What a profile's tokens cost, in US dollars for a million tokens.
package struct Price: Sendable, Hashable {
  package var input: Double
  /// For input tokens read from the provider's cache; `nil` charges them as `input`.
  package var cachedInput: Double?
  /// For input tokens written to the provider's cache; `nil` charges them as `input`.
  package var cacheWrite: Double?
  package var output: Double
  /// The day the price was read, as the suite states it.
  package var asOf: String?

  package init(
    input: Double, cachedInput: Double? = nil, cacheWrite: Double? = nil, output: Double,
    asOf: String? = nil
  ) {
    self.input = input
    self.cachedInput = cachedInput
    self.cacheWrite = cacheWrite
    self.output = output
    self.asOf = asOf
  }

  /// Said in the suite with the word `"free"`: every token costs nothing.
  package static let free = Price(input: 0, cachedInput: 0, cacheWrite: 0, output: 0)

  /// True when no token costs anything.
  package var isFree: Bool {
    input == 0 && output == 0 && (cachedInput ?? 0) == 0 && (cacheWrite ?? 0) == 0
  }
}

/// A value that a suite writes down or has read from the environment when the run starts.
///
/// Secrets are only ever `environment` or `file`: the suite holds the name, never the value.
package enum ConfiguredValue: Sendable, Hashable {
  case literal(String)
  /// The name of an environment variable.
  case environment(String)
  /// A path to a file that only its owner can read.
  case file(String)
}

/// One extra HTTP header of a profile.
package struct HeaderField: Sendable, Hashable {
  package var name: String
  package var value: ConfiguredValue

  package init(name: String, value: ConfiguredValue) {
    self.name = name
    self.value = value
  }
}

/// How many tokens fit in a model's window.
package enum ContextSize: Sendable, Hashable {
  case tokens(Int)
  /// Ask the server.
  case auto
}

/// What is left out of a conversation that does not fit in the window.
package enum HistoryTrimming: String, Sendable, Hashable, CaseIterable {
  /// Nothing: it is sent as it is, and the provider says what it makes of it.
  case none
  /// Whole turns, the oldest first; never the instructions and never the last turn.
  case oldestTurns
}

/// How many requests and tokens a minute an endpoint takes; `nil` means no stated limit.
package struct RateLimit: Sendable, Hashable {
  package var requestsPerMinute: Double?
  package var tokensPerMinute: Double?

  package init(requestsPerMinute: Double? = nil, tokensPerMinute: Double? = nil) {
    self.requestsPerMinute = requestsPerMinute
    self.tokensPerMinute = tokensPerMinute
  }
}

/// A model with its instructions and parameters, as a suite names it.
package struct Profile: Sendable, Hashable {
  package var name: String
  /// A name in the registry of providers, for instance `openai-chat`.
  package var provider: String
  /// The base URL; `nil` takes the provider's own.
  package var endpoint: String?
  /// A name in the table of server traits (`openai`, `llama.cpp`, `vllm`, …); `nil` lets the provider guess from
  /// the endpoint.
  package var server: String?
  package var model: String
  /// `nil` when the suite does not say; routing then takes the farthest.
  package var boundary: Boundary?
  package var contextSize: ContextSize?
  package var trimHistory: HistoryTrimming
  /// The system text, a template over a case's variables.
  package var instructions: String?
  package var parameters: GenerationParameters
  package var tools: [ToolDefinition]
  package var toolChoice: ToolChoice?
  /// A JSON Schema that the answer is held to by the provider; `nil` for free text.
  package var responseSchema: JSONValue?
  /// False asks for the answer in one piece: then there is no first-token time.
  package var stream: Bool
  /// Where the key comes from; `nil` sends none.
  package var key: ConfiguredValue?
  package var headers: [HeaderField]
  /// Members merged into the request body last.
  package var extraBody: JSONObject
  /// `nil` is unknown: a cost is then unknown too, never zero.
  package var price: Price?
  /// The most trials of this profile in flight; `nil` takes the run's.
  package var concurrency: Int?
  package var rateLimit: RateLimit?
  /// Settings only this provider knows (a command's arguments, an API version), checked by its descriptor.
  package var options: JSONObject
  /// Whether it is a column of the report; false for one that only judges, or is only called by routes.
  package var isTarget: Bool
  /// Where the suite says it, for findings.
  package var location: SourceLocation?

  package init(name: String, provider: String, model: String) {
    self.name = name
    self.provider = provider
    self.model = model
    trimHistory = .none
    parameters = GenerationParameters()
    tools = []
    stream = true
    headers = []
    extraBody = [:]
    options = [:]
    isTarget = true
  }

  /// Equality of content; where it stands in a file does not count.
  package static func == (left: Profile, right: Profile) -> Bool { left.hash == right.hash }
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
