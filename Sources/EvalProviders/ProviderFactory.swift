package import EvalCore

/// Makes the provider of a profile.
package struct ProviderFactory: Sendable {
  /// Holds every secret that `make` has resolved, for the `Redactor`.
  package let resolver: SecretResolver
  let exchange: any Exchange
  let allowsCommands: Bool

  /// - Parameters:
  ///   - exchange: the network, or a recording.
  ///   - environment: where keys are looked up.
  ///   - allowsCommands: whether profiles may start programs; one that would is refused otherwise.
  package init(exchange: any Exchange, environment: [String: String], allowsCommands: Bool = false) {
    self.init(
      exchange: exchange, resolver: SecretResolver(environment: environment), allowsCommands: allowsCommands)
  }

  init(exchange: any Exchange, resolver: SecretResolver, allowsCommands: Bool) {
    self.exchange = exchange
    self.resolver = resolver
    // A replay starts nothing, whatever the profile says.
    self.allowsCommands = allowsCommands || exchange is ReplayExchange
  }

  /// A factory for live calls.
  package init(transport: HTTPTransport, environment: [String: String], allowsCommands: Bool = false) {
    self.init(
      exchange: LiveExchange(transport), environment: environment, allowsCommands: allowsCommands)
  }

  /// Resolves the profile's secrets and makes its provider. Nothing is sent.
  ///
  /// - Throws: a `Problem` with a path within the profile: an unknown provider, an endpoint that is no URL, a key that
  ///   is not there, a program where none may be started.
  package func make(_ profile: Profile) throws(Problem) -> any Provider {
    guard let entry = ProviderRegistry.entries.first(where: { $0.descriptor.name == profile.provider }) else {
      throw Problem(
        .error, "there is no provider '\(profile.provider)'", at: profile.location, path: "provider",
        advice: suggestion(for: profile.provider, among: ProviderRegistry.all.map(\.name)))
    }
    do {
      return try entry.make(
        profile, ProviderParts(exchange: exchange, resolver: resolver, allowsCommands: allowsCommands))
    } catch {
      var problem = error
      problem.location = problem.location ?? profile.location
      throw problem
    }
  }
}
