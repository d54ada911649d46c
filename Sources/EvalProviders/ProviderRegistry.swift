package import EvalCore

/// Every provider, one line each.
package enum ProviderRegistry {
  static let entries: [ProviderEntry] = [
    .http(OpenAIChat())
  ]

  /// What the suite reader, the schema and the docs know of each provider.
  package static let all: [ProviderDescriptor] = entries.map(\.descriptor)
}

/// A provider's descriptor with the way to make one.
struct ProviderEntry: Sendable {
  var descriptor: ProviderDescriptor
  var make: @Sendable (Profile, ProviderParts) throws(Problem) -> any Provider

  /// A service that speaks a dialect over HTTP.
  static func http(_ dialect: any Dialect) -> ProviderEntry {
    let setup = HTTPSetup(dialect: dialect)
    var descriptor = dialect.descriptor
    let own = descriptor.validate
    descriptor.validate = { profile in setup.problems(with: profile) + own(profile) }
    return ProviderEntry(descriptor: descriptor) { (profile, parts) throws(Problem) in
      try setup.provider(for: profile, parts)
    }
  }
}

/// What providers are made from.
struct ProviderParts: Sendable {
  var exchange: any Exchange
  var resolver: SecretResolver
}
