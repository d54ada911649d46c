package import EvalCore

/// Every provider, one line each.
package enum ProviderRegistry {
  static let entries: [ProviderEntry] = [
    .http(OpenAIChat()),
    .http(OpenAIResponses()),
    .http(Anthropic()),
    .http(Gemini()),
    .http(Ollama()),
    .http(OpenAIEmbeddings()),
    .http(OllamaEmbeddings()),
    .command,
  ]

  /// What the suite reader, the schema and the docs know of each provider.
  package static let all: [ProviderDescriptor] = entries.map(\.descriptor)

  /// The server that a profile talks to, with what is special about it: how many calls it runs at once, the windows
  /// of the models it names. `nil` for a provider that is no HTTP service, and for a profile with a wrong endpoint.
  package static func server(of profile: Profile) -> ServerTraits? {
    entries.first { $0.descriptor.name == profile.provider }?.server(profile)
  }
}

extension ProviderRegistry {
  /// What a profile's endpoint can be asked for: what its provider can, without what its server is known to ignore.
  package static func capabilities(of profile: Profile) -> Set<Capability> {
    guard var can = all.first(where: { $0.name == profile.provider })?.capabilities else { return [] }
    if let server = server(of: profile) {
      can.subtract(server.ignores)
      if !server.hasJSONSchema { can.remove(.responseSchema) }
      if !server.toolChoices.contains(.named) { can.remove(.toolChoice) }
    }
    return can
  }
}

/// A provider's descriptor with the way to make one.
struct ProviderEntry: Sendable {
  var descriptor: ProviderDescriptor
  /// The traits that the profile's calls follow.
  var server: @Sendable (Profile) -> ServerTraits?
  var make: @Sendable (Profile, ProviderParts) throws(Problem) -> any Provider

  /// A service that speaks a dialect over HTTP.
  static func http(_ dialect: any Dialect) -> ProviderEntry {
    let setup = HTTPSetup(dialect: dialect)
    var descriptor = dialect.descriptor
    if dialect.servers.contains(where: { !$0.counts.isEmpty }) { descriptor.capabilities.insert(.tokenCount) }
    let own = descriptor.validate
    let embeds = descriptor.embeds
    descriptor.validate = { profile in
      setup.problems(with: profile) + own(profile) + (embeds && profile.isTarget ? [noTarget(profile)] : [])
    }
    return ProviderEntry(
      descriptor: descriptor, server: { try? setup.server(of: $0).traits },
      make: { (profile, parts) throws(Problem) in try setup.provider(for: profile, parts) })
  }
}

extension ProviderEntry {
  private static func noTarget(_ profile: Profile) -> Problem {
    Problem(
      .error, "the profile '\(profile.name)' makes vectors, which answer no case", path: "target",
      advice: "write \"target\": false; the check embeddingSimilarity uses it")
  }
}

/// What providers are made from.
struct ProviderParts: Sendable {
  var exchange: any Exchange
  var resolver: SecretResolver
  var allowsCommands: Bool
}
