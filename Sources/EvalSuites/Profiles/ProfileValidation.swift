import EvalCore

/// Holds a profile against its provider: what it needs, what it knows, what it cannot do.
struct ProfileValidation {
  let reader: Reader
  let read: ReadProfile

  private var profile: Profile { read.profile }

  /// Notes every problem and returns the profile as it will run.
  func checked() -> Profile {
    var profile = profile
    checkTools()
    checkTrimming()
    // An unknown provider is noted where it stands; nothing can be said about the rest.
    let provider = reader.vocabulary.provider(profile.provider)
    if let place = read.draft.places["provider"], place.view.string != profile.provider { return profile }
    guard let provider else {
      reader.error(
        "there is no provider '\(profile.provider)', which is meant when a profile names none",
        at: read.nameView,
        advice: "name one of \(reader.vocabulary.providers.map(\.name).joined(separator: ", "))")
      return profile
    }
    profile.stream = read.draft.stream ?? provider.capabilities.contains(.streaming)
    if read.isComplete { checkNeeds(provider) }
    checkServer(provider)
    checkCapabilities(provider)
    checkOptions(provider)
    for problem in provider.validate(profile) { note(problem) }
    if profile.price == nil, read.draft.places["price"] == nil, read.isComplete {
      reader.warning(
        "the cost of '\(profile.name)' is unknown: it has no price", at: read.nameView,
        advice: "give 'price' in dollars for a million tokens, or \"price\": \"free\"")
    }
    return profile
  }

  private func checkNeeds(_ provider: ProviderDescriptor) {
    if provider.needsModel, profile.model.isEmpty, read.draft.places["model"] == nil {
      reader.error(
        "the profile '\(profile.name)' has no model", at: read.nameView,
        advice: "give 'model', the name the provider knows it by")
    }
    let endpoint = read.draft.places["endpoint"]
    // A server may have an endpoint of its own: then the provider itself says when there is none.
    if provider.usesEndpoint, provider.defaultEndpoint == nil, endpoint == nil, profile.server == nil {
      reader.error(
        "the profile '\(profile.name)' has no endpoint", at: read.nameView,
        advice: "give 'endpoint', such as \"http://127.0.0.1:8080/v1\"")
    }
    if !provider.usesEndpoint, endpoint != nil {
      note("the provider '\(provider.name)' has no endpoint", key: "endpoint", advice: "remove it")
    }
  }

  private func checkServer(_ provider: ProviderDescriptor) {
    guard let server = profile.server, !provider.servers.contains(server) else { return }
    let advice =
      provider.servers.isEmpty
      ? "remove it"
      : suggestion(for: server, among: provider.servers)
        ?? "one of \(provider.servers.joined(separator: ", "))"
    note("the provider '\(provider.name)' knows no server '\(server)'", key: "server", advice: advice)
  }

  /// What a profile's key asks the provider for.
  private static let asked: [(key: String, capability: Capability)] = [
    ("instructions", .instructions), ("temperature", .temperature), ("topP", .topP), ("seed", .seed),
    ("stop", .stop), ("maxOutputTokens", .maxOutputTokens), ("reasoning", .reasoning), ("tools", .tools),
    ("toolChoice", .toolChoice), ("responseSchema", .responseSchema), ("extraBody", .extraBody),
    ("headers", .headers),
  ]

  private func checkCapabilities(_ provider: ProviderDescriptor) {
    for (key, capability) in Self.asked where !provider.capabilities.contains(capability) {
      guard let place = read.draft.places[key], isSet(key, place.view) else { continue }
      let isOwn = read.ownView.range.contains(place.view.range.lowerBound)
      note(
        "the provider '\(provider.name)' cannot take '\(key)', which the profile '\(profile.name)' has",
        key: key,
        advice: isOwn ? "remove it" : "write \"\(key)\": null in that profile")
    }
    if read.draft.stream == true, !provider.capabilities.contains(.streaming) {
      note("the provider '\(provider.name)' cannot stream", key: "stream", advice: "remove it")
    }
  }

  /// An empty list or object asks for nothing.
  private func isSet(_ key: String, _ view: JSONView) -> Bool {
    (view.kind == .array || view.kind == .object) ? view.count > 0 : true
  }

  private func checkTools() {
    // By what is written: a tool that is wrong in another way is there all the same.
    let names = read.draft.places["tools"].map { $0.view.elements.compactMap { $0["name"]?.string } } ?? []
    switch profile.toolChoice {
    case .tool(let name) where !names.contains(name):
      note(
        "there is no tool '\(name)' to choose", key: "toolChoice", advice: suggestion(for: name, among: names)
      )
    case .required where names.isEmpty:
      note("a tool must be called, but there is none", key: "toolChoice", advice: "give 'tools'")
    default: break
    }
  }

  private func checkTrimming() {
    guard profile.trimHistory != .none, profile.contextSize == nil else { return }
    let place = read.draft.places["trimHistory"]
    reader.with(place?.origin ?? reader.origin) {
      reader.warning(
        "nothing is left out for '\(profile.name)': it has no window to fit into",
        at: place?.view ?? read.nameView, advice: "give 'contextSize' in tokens, or \"auto\"")
    }
  }

  private func checkOptions(_ provider: ProviderDescriptor) {
    let known = provider.options.map(\.key)
    for (key, value) in profile.options.members {
      guard let option = provider.options.first(where: { $0.key == key }) else {
        let advice =
          suggestion(for: key, among: known)
          ?? (known.isEmpty ? "it has none" : "its options are \(known.joined(separator: ", "))")
        noteOption("the provider '\(provider.name)' has no option '\(key)'", key, atKey: true, advice: advice)
        continue
      }
      if let fault = SchemaFragment(option.schema).fault(of: value) {
        noteOption(
          "expected \(fault.expected)", JSONPath.join(key, fault.path) ?? key, advice: option.summary)
      }
    }
    for option in provider.options
    where option.isRequired && profile.options[option.key] == nil && read.isComplete {
      note(
        Problem(
          .error, "the provider '\(provider.name)' needs the option '\(option.key)'",
          path: "options", advice: option.summary))
    }
  }

  private func noteOption(_ message: String, _ path: String, atKey: Bool = false, advice: String?) {
    guard let place = read.draft.places["options"] else { return }
    let key = place.view.members.first { atKey && $0.key.string == path }?.key
    reader.with(place.origin) {
      reader.error(message, at: key ?? JSONPath.resolve(path, from: place.view), advice: advice)
    }
  }

  private func note(_ message: String, key: String, advice: String?) {
    let place = read.draft.places[key]
    reader.with(place?.origin ?? reader.origin) {
      reader.error(message, at: place?.view ?? read.nameView, advice: advice)
    }
  }

  /// A provider's problem, whose path is relative to the profile, at its place in the suite.
  private func note(_ problem: Problem) {
    var problem = problem
    let path = problem.path ?? ""
    guard let place = read.draft.places[JSONPath.first(path)] else {
      problem.location = reader.location(of: read.nameView)
      problem.path = JSONPath.join(reader.path(of: read.nameView), path)
      return reader.diagnostics.add(problem)
    }
    let rest = path.dropFirst(JSONPath.first(path).count).drop { $0 == "." }
    let offset = JSONPath.resolve(String(rest), from: place.view).range.lowerBound
    let location = place.origin.locate(offset)
    // What is wrong at a place already needs no second word from the provider.
    if reader.diagnostics.hasError(at: location) { return }
    problem.location = location
    problem.path = place.origin.path(to: offset)
    reader.diagnostics.add(problem)
  }
}
