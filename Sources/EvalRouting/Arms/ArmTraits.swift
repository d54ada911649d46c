package import EvalCore

/// What is known of an arm before any call, as far as policies look at it.
package struct ArmTraits: Sendable, Hashable {
  package var name: String
  /// `nil` when nobody says; protection then takes the farthest.
  package var boundary: Boundary?
  /// The window in tokens; `nil` when nobody says.
  package var window: ContextSize?
  /// The most tokens of an answer; `nil` leaves it to the provider.
  package var maxOutputTokens: Int?
  /// What it can be asked for; `nil` is unknown, and then it can nothing that a case needs.
  package var capabilities: Set<Capability>?
  /// `nil` is unknown: such an arm fits no budget.
  package var price: Price?
  /// Whether its endpoint is on this machine, so that nothing leaves it whatever the boundary says.
  package var isLocalEndpoint: Bool

  package init(
    name: String, boundary: Boundary? = nil, window: ContextSize? = nil, maxOutputTokens: Int? = nil,
    capabilities: Set<Capability>? = nil, price: Price? = nil, isLocalEndpoint: Bool = false
  ) {
    self.name = name
    self.boundary = boundary
    self.window = window
    self.maxOutputTokens = maxOutputTokens
    self.capabilities = capabilities
    self.price = price
    self.isLocalEndpoint = isLocalEndpoint
  }

  /// - Parameter provider: the registry's line for the profile's provider; without it capabilities are unknown.
  package init(_ profile: Profile, provider: ProviderDescriptor?) {
    let endpoint = profile.endpoint ?? provider?.defaultEndpoint
    self.init(
      name: profile.name, boundary: profile.boundary, window: profile.contextSize,
      maxOutputTokens: profile.parameters.maxOutputTokens, capabilities: provider?.capabilities,
      price: profile.price, isLocalEndpoint: endpoint.map { LoopbackHost.isHost(ofURL: $0) } ?? false)
  }

  /// The boundary that protection reckons with.
  var farthestBoundary: Boundary { boundary ?? .thirdParty }

  /// The window where it is stated in tokens.
  var statedWindow: Int? {
    if case .tokens(let tokens) = window { return tokens }
    return nil
  }

  /// Everything a decision may depend on, for identities.
  var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    object["boundary"] = boundary.map { .string($0.rawValue) }
    object["window"] =
      switch window {
      case .tokens(let tokens): .integer(Int64(tokens))
      case .auto: "auto"
      case nil: nil
      }
    object["maxOutputTokens"] = maxOutputTokens.map { .integer(Int64($0)) }
    object["capabilities"] = capabilities.map { .array($0.map(\.rawValue).sorted().map { .string($0) }) }
    object["price"] = price.map { [.number($0.input), .number($0.output)] }
    return .object(object)
  }
}
