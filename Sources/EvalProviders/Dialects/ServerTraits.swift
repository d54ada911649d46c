import EvalCore

/// How a key travels.
package enum KeyStyle: Sendable, Hashable {
  /// `Authorization: Bearer KEY`
  case bearer
  /// A header of its own, such as `api-key`.
  case header(String)
}

/// Where a reasoning level goes in a request.
package enum ReasoningField: Sendable, Hashable {
  /// `"reasoning_effort": level`
  case effort
  /// `"reasoning": {"effort": level}`
  case object
  /// `"thinking": {"type": "enabled" | "disabled"}`, with the level beside it where it is one.
  case thinkingType
  /// `effort`, and `none` also turns thinking off in the chat template.
  case templateSwitch
  /// The server has no such field.
  case none
}

/// What one server of a dialect does in its own way. Data, not branches: a dialect reads these and nothing else.
package struct ServerTraits: Sendable {
  /// The name under which a profile's `server` finds it.
  package var name: String
  /// One line for a person.
  package var summary: String
  /// Hosts by which an endpoint is known to be this server; a leading dot matches every host below it.
  package var hosts: [String] = []
  /// The base URL for a profile that names the server and no endpoint.
  package var defaultEndpoint: String?
  /// Ports by which an endpoint on this machine is taken for this server.
  package var localPorts: [Int] = []
  /// The path put before the dialect's own when an endpoint gives none.
  package var basePath = "/v1"
  package var keyStyle = KeyStyle.bearer
  /// The environment variable for a key that a profile does not name; only sent to one of `hosts`.
  package var keyVariable: String?
  /// The field for the output limit.
  package var limitField = "max_tokens"
  /// The field for the seed; `nil` where there is none.
  package var seedField: String? = "seed"
  package var reasoning = ReasoningField.effort
  /// The role of the instructions.
  package var instructionsRole = "system"
  /// Ask for usage in a stream by `stream_options.include_usage`.
  package var asksForUsage = true
  /// Ask the server not to pad its deltas with random text.
  package var turnsObfuscationOff = false
  /// Holds answers to a JSON Schema; otherwise only to JSON.
  package var hasJSONSchema = true
  /// A prompt count of 0 means that the server does not count.
  package var zeroInputIsAbsent = false
  /// Calls that the server can run at once; `nil` when it does not say.
  package var parallelCalls: Int?
  /// The window of models that the server names itself, in tokens.
  package var contextSizes: [String: Int] = [:]
  /// Settings of the dialect that the server passes over without a word, so that a profile with one is refused.
  var ignores: Set<Capability> = []
  /// Which wishes about tools the server obeys.
  package var toolChoices = Set(ToolChoiceKind.allCases)
  /// The lowest output limit that the server takes; `nil` when it takes any.
  package var leastOutputTokens: Int?
  /// The highest temperature that the server takes; `nil` when it takes any.
  package var highestTemperature: Double?
  /// Anthropic Messages: where a reasoning level goes.
  package var thinking = ThinkingField.adaptive
  /// Anthropic Messages: what Anthropic itself refuses beside thinking, and as a stop sequence, is refused here.
  package var hasAnthropicRules = false
  /// Responses: hidden reasoning can be had encrypted, for the next turn to bring back.
  package var encryptsReasoning = false
  /// Responses: a schema goes where Chat Completions has it, since `text.format` is passed over.
  package var takesChatSchema = false
  /// The ways to have the server count a request's tokens, in the order to try them; empty where it cannot.
  var counts: [CountRecipe] = []
  /// The ways to learn a model's window, in the order to try them.
  var windows: [WindowRecipe] = []

  package init(_ name: String, _ summary: String, _ change: (inout ServerTraits) -> Void = { _ in }) {
    self.name = name
    self.summary = summary
    change(&self)
  }

  /// Whether the endpoint's host is one of this server's own.
  func owns(host: String) -> Bool {
    hosts.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 }
  }
}

extension [ServerTraits] {
  /// The server of an endpoint: the one named, else the one whose host or local port it has, else `generic`, else the
  /// first. Without an endpoint it is the first.
  func find(named name: String?, for endpoint: Endpoint?) -> ServerTraits {
    if let name, let named = first(where: { $0.name == name }) { return named }
    guard let endpoint else { return self[0] }
    if let known = first(where: { $0.owns(host: endpoint.host) }) { return known }
    if endpoint.isLocal, let known = first(where: { $0.localPorts.contains(endpoint.port) }) { return known }
    return first { $0.name == "generic" } ?? self[0]
  }
}
