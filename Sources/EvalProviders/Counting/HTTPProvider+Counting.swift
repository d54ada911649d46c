import EvalCore
import Synchronization

extension HTTPProvider: TokenCounting {
  /// The longest that a count or a question for the window may take.
  private static let patience = Duration.seconds(10)

  func countInput(_ call: ProviderCall) async -> InputCount? {
    while let tried = counting.withLock({ $0.recipe }) {
      let reply = await count(call, traits.counts[tried])
      var body: TokenCountBody?
      if case .value(let value) = reply { body = TokenCountBody.read(value) }
      // An answer that holds no count is none.
      let lesson: SideReply
      if case .value = reply, body == nil { lesson = .refused(status: 200) } else { lesson = reply }
      counting.withLock { $0.learn(lesson, from: tried) }
      if let body { return .counted(body.tokens) }
      // Only a server that said no is asked in another way.
      guard case .refused = lesson, counting.withLock({ $0.recipe }) != tried else { return nil }
    }
    return nil
  }

  func contextWindow(of profile: Profile, timeouts: CallTimeouts) async -> ContextWindowAnswer {
    let call = ProviderCall(
      profile: profile, instructions: nil, messages: [], timeouts: timeouts, scheduled: Monotonic.now())
    var reason = "\(traits.name) does not say"
    for recipe in traits.windows {
      switch await ask(recipe, call) {
      case .value(let value):
        if let window = WindowBody.read(value, model: profile.model) { return .window(window) }
      case .refused(let status): reason = "the server answered \(status)"
      case .failed: reason = "the server could not be asked"
      }
    }
    if let tokens = traits.contextSizes[profile.model] { return .window(ContextWindow(tokens: tokens)) }
    return .unknown(reason)
  }

  private func count(_ call: ProviderCall, _ recipe: CountRecipe) async -> SideReply {
    let encoded = dialect.encode(call, traits)
    var body = (recipe.dialect?.encode(call, traits) ?? encoded).body
    // What a profile adds is in the words of its own dialect.
    if recipe.dialect.map({ type(of: $0) == type(of: dialect) }) ?? true {
      body = body.merging(call.profile.extraBody)
    }
    switch recipe.body {
    case .members(let names, let more):
      var kept = JSONObject()
      for name in names { kept[name] = body[name] }
      return await ask(recipe.path, .object(kept.merging(more)), encoded, call)
    case .wrapped(let name):
      body["model"] = .string(
        call.profile.model.contains("/") ? call.profile.model : "models/\(call.profile.model)")
      return await ask(recipe.path, .object([name: .object(body)]), encoded, call)
    case .template(let counter):
      let reply = await ask(recipe.path, .object(body), encoded, call)
      guard case .value(let value) = reply else { return reply }
      guard let prompt = value["prompt"] else { return .refused(status: 200) }
      // As the server reads a prompt: with its first token, and the template's marks as the tokens that they are.
      return await ask(
        counter, ["content": prompt, "add_special": true, "parse_special": true], encoded, call)
    }
  }

  private func ask(_ recipe: WindowRecipe, _ call: ProviderCall) async -> SideReply {
    let encoded = dialect.encode(call, traits)
    switch recipe {
    case .member(let path):
      let body = JSONValue.object(encoded.body.merging(call.profile.extraBody))
      let value = path.reduce(Optional(body)) { $0?[$1] }
      return .value(value.map { ["context_length": $0] } ?? .null)
    case .get(let path): return await ask(path, .null, encoded, call)
    case .post(let path, let member):
      return await ask(path, .object([member: .string(call.profile.model)]), encoded, call)
    }
  }

  /// - Parameter body: `null` asks by GET.
  private func ask(
    _ path: SidePath, _ body: JSONValue, _ encoded: EncodedRequest, _ call: ProviderCall
  ) async -> SideReply {
    let url = endpoint.url(of: path, beside: encoded, basePath: traits.basePath, model: call.profile.model)
    let total = min(call.timeouts.total ?? Self.patience, Self.patience)
    let http = HTTPRequest(
      method: body.isNull ? "GET" : "POST", url: url, headers: fields(encoded.headers),
      body: body.isNull ? nil : body.bytes(.compact),
      timeouts: TransferTimeouts(connect: call.timeouts.connect, total: total))
    let identity: JSONValue = ["endpoint": .string(url), "body": body]
    let request = ExchangeRequest(
      carrier: .http(http), hash: ContentHash(of: identity, kind: "request").hex, endpoint: url,
      model: call.profile.model, body: body, profile: call.profile.name, repeatIndex: call.repeatIndex,
      attemptIndex: call.attemptIndex)
    let sink = BodySink()
    let result = await exchange.perform(request, sink: sink)
    guard result.error == nil, result.transfer.end == .complete, let status = sink.status else {
      return .failed
    }
    guard (200..<300).contains(status), let value = try? JSONValue.parse(sink.body) else {
      return .refused(status: status)
    }
    return .value(value)
  }
}
