import EvalCore

/// Checks a profile of an HTTP provider and makes its provider.
struct HTTPSetup: Sendable {
  var dialect: any Dialect

  /// What is wrong with a profile before anything is resolved or sent.
  func problems(with profile: Profile) -> [Problem] {
    var problems: [Problem] = []
    if let server = profile.server, !dialect.servers.contains(where: { $0.name == server }) {
      problems.append(
        Problem(
          .error, "there is no server '\(server)' for \(profile.provider)", path: "server",
          advice: suggestion(for: server, among: dialect.servers.map(\.name))))
    }
    do {
      let endpoint = try endpoint(of: profile)
      problems += queryProblems(endpoint)
    } catch {
      problems.append(error)
    }
    if case .literal? = profile.key {
      problems.append(
        Problem(
          .error, "the key stands in the suite", path: "key",
          advice: "name an environment variable: {\"env\": \"NAME\"}"))
    }
    return problems
  }

  private func queryProblems(_ endpoint: Endpoint) -> [Problem] {
    let names = (endpoint.query ?? "").split(separator: "&").compactMap { pair -> String? in
      let name = String(pair.prefix { $0 != "=" })
      let value = String(pair.dropFirst(name.count + 1))
      return SecretLook.isSecretParameter(name, value) ? name : nil
    }
    guard let secret = names.first else { return [] }
    return [
      Problem(
        .error, "the endpoint holds a key in its query ('\(secret)')", path: "endpoint",
        advice: "name the key's environment variable under 'key'")
    ]
  }

  func provider(for profile: Profile, _ parts: ProviderParts) throws(Problem) -> any Provider {
    if let problem = problems(with: profile).first(where: { $0.severity == .error }) { throw problem }
    let (endpoint, traits) = try server(of: profile)
    var headers: [(String, String)] = []
    let key = try key(of: profile, traits, endpoint, parts.resolver)
    if let key { headers.append(field(key.value, traits.keyStyle)) }
    for (index, header) in profile.headers.enumerated() {
      let value = try parts.resolver.resolve(header.value, path: "headers[\(index)]")
      try check(header.name, index)
      headers.append((header.name, value))
    }
    return HTTPProvider(
      dialect: dialect, traits: traits, endpoint: endpoint, headers: headers, keyName: key?.name,
      exchange: parts.exchange)
  }

  func server(of profile: Profile) throws(Problem) -> (endpoint: Endpoint, traits: ServerTraits) {
    let endpoint = try endpoint(of: profile)
    return (endpoint, dialect.servers.find(named: profile.server, for: endpoint))
  }

  /// The profile's endpoint, else its server's, else the dialect's.
  private func endpoint(of profile: Profile) throws(Problem) -> Endpoint {
    if let text = profile.endpoint { return try Endpoint(text) }
    let named = dialect.servers.first { $0.name == profile.server }
    guard let text = named == nil ? dialect.descriptor.defaultEndpoint : named?.defaultEndpoint else {
      throw Problem(
        .error, "the profile has no endpoint", path: "endpoint", advice: "write the server's base URL")
    }
    return try Endpoint(text)
  }

  /// The key of the profile, else the one that belongs to the endpoint's host: a provider's key never goes to anybody
  /// else, nor in clear text.
  private func key(
    of profile: Profile, _ traits: ServerTraits, _ endpoint: Endpoint, _ resolver: SecretResolver
  ) throws(Problem) -> (value: String, name: String)? {
    if let source = profile.key {
      let value = try resolver.resolve(source, path: "key")
      switch source {
      case .environment(let name): return (value, "env:\(name)")
      case .file(let name): return (value, "file:\(name)")
      case .literal: return (value, "suite")
      }
    }
    guard let variable = traits.keyVariable, traits.owns(host: endpoint.host), endpoint.scheme == "https"
    else {
      return nil
    }
    return (try resolver.resolve(.environment(variable), path: "key"), "env:\(variable)")
  }

  private func field(_ key: String, _ style: KeyStyle) -> (String, String) {
    switch style {
    case .bearer: ("Authorization", "Bearer \(key)")
    case .header(let name): (name, key)
    }
  }

  private func check(_ name: String, _ index: Int) throws(Problem) {
    let isToken = name.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
    }
    guard isToken, !name.isEmpty else {
      throw Problem(.error, "'\(name)' is no header name", path: "headers[\(index)]")
    }
  }
}
