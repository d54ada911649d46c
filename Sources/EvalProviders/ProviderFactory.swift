package import EvalCore

/// Makes the provider of a profile.
package struct ProviderFactory: Sendable {
  /// Holds every secret that `make` has resolved, for the `Redactor`.
  package let resolver: SecretResolver
  let exchange: any Exchange

  /// - Parameters:
  ///   - exchange: the network, or a recording.
  ///   - environment: where keys are looked up.
  package init(exchange: any Exchange, environment: [String: String]) {
    self.init(exchange: exchange, resolver: SecretResolver(environment: environment))
  }

  init(exchange: any Exchange, resolver: SecretResolver) {
    self.exchange = exchange
    self.resolver = resolver
  }

  /// A factory for live calls.
  package init(transport: HTTPTransport, environment: [String: String]) {
    self.init(exchange: LiveExchange(transport), environment: environment)
  }

  /// Resolves the profile's secrets and makes its provider. Nothing is sent.
  ///
  /// - Throws: a `Problem` with a path within the profile: an unknown provider, an endpoint that is no URL, a key that
  ///   is not there.
  package func make(_ profile: Profile) throws(Problem) -> any Provider {
    guard let entry = ProviderRegistry.entries.first(where: { $0.descriptor.name == profile.provider }) else {
      throw Problem(
        .error, "there is no provider '\(profile.provider)'", at: profile.location, path: "provider",
        advice: suggestion(for: profile.provider, among: ProviderRegistry.all.map(\.name)))
    }
    do {
      return try entry.make(profile, ProviderParts(exchange: exchange, resolver: resolver))
    } catch {
      var problem = error
      problem.location = problem.location ?? profile.location
      throw problem
    }
  }
}
