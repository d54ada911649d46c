import EvalCore

extension ObjectTable where Into == ProfileDraft {
  /// Every key of a profile.
  static let profile = ObjectTable(
    "profile", "a profile",
    [
      Key("extends", \.extends, .name, "Another profile whose keys count where this one has none."),
      Key("provider", \.profile.provider, .provider, "Who is asked: a provider's name."),
      Key("server", \.profile.server, .name, "The server software behind the endpoint, where it matters."),
      Key("endpoint", \.profile.endpoint, .endpoint, "The base URL; the provider's own unless given."),
      Key("model", \.profile.model, .name, "The model's name as the provider knows it."),
      Key("boundary", \.profile.boundary, .word, "How far a request travels from the person who wrote it."),
      Key(
        "contextSize", \.profile.contextSize, .contextSize,
        "The window in tokens, or \"auto\" to ask the server."),
      Key(
        "trimHistory", \.profile.trimHistory, .word,
        "What of a conversation that does not fit in the window is left out; none unless given."),
      Key(
        "instructions", \.instructions, .instructions,
        "The system text, a template over the case's variables."),
    ] + generation + request + running)

  /// What `defaults.profile` takes.
  static let profileDefaults = profile.without(
    ["extends"], name: "profileDefaults", summary: "the profile defaults")

  private static let generation: [Key<Into>] = [
    Key("temperature", \.profile.parameters.temperature, .number(0...2), "The sampling temperature."),
    Key("topP", \.profile.parameters.topP, .number(0...1), "The nucleus of the sampling."),
    Key("seed", \.profile.parameters.seed, .anyInteger, "The seed of the sampling."),
    Key("stop", \.profile.parameters.stop, .strings, "Texts that end an answer."),
    Key(
      "maxOutputTokens", \.profile.parameters.maxOutputTokens, .integer(1...1_000_000_000),
      "The most tokens of an answer, reasoning included."),
    Key(
      "reasoning", \.profile.parameters.reasoning, .name,
      "The reasoning level in the provider's words, such as low."),
    Key("stream", \.stream, .bool, "Whether the answer is streamed; true unless given."),
  ]

  private static let request: [Key<Into>] = [
    Key("key", \.profile.key, .secret, "Where the key is found; never the key itself."),
    Key.headers.merged(),
    Key("extraBody", merging: \.profile.extraBody, "Members that are added to the request's body last.")
      .merged(),
    Key("tools", \.profile.tools, .tools, "The tools that the model may call."),
    Key("toolChoice", \.profile.toolChoice, .toolChoice, "Whether the model must call a tool, or which."),
    Key(
      "responseSchema", \.profile.responseSchema, .responseSchema,
      "A JSON Schema that the provider holds the answer to."),
    Key("options", merging: \.profile.options, "Settings that only this provider has.").merged(),
  ]

  private static let running: [Key<Into>] = [
    Key(
      "target", \.profile.isTarget, .bool,
      "Whether it is a column of the report; false for one that only judges or is only a route's arm; true unless given."
    ),
    Key.price.merged(),
    Key(
      "concurrency", \.profile.concurrency, .integer(1...65_535), "The most calls of this profile in flight."),
    Key.rateLimit.merged(),
  ]
}

extension Key where Into == ProfileDraft {
  /// A key whose object is added, deeply, to the inherited one.
  init(
    _ name: StaticString, merging path: any WritableKeyPath<ProfileDraft, JSONObject> & Sendable,
    _ summary: String
  ) {
    self.init(name, schema: ["type": "object"], summary) { draft, view, reader in
      guard let object = Shape.jsonObject.read(view, reader) else { return }
      reader.noteKeys(in: view)
      draft[keyPath: path].merge(object)
    }
  }

  static var price: Key {
    let words: JSONValue = ["anyOf": [["const": "free"], Shape<PriceDraft>.reference("price")]]
    return Key(
      "price", schema: words, "What a million tokens cost in US dollars, or \"free\"; unknown unless given."
    ) {
      draft, view, reader in
      let inherited = draft.profile.price.flatMap { $0.isFree ? nil : PriceDraft($0) }
      if let price = PriceDraft.readPrice(view, over: inherited ?? PriceDraft(), reader) {
        draft.profile.price = price
      } else if view.kind == .object {
        draft.profile.price = nil
      }
    }
  }

  static var rateLimit: Key {
    Key("rateLimit", schema: Shape<RateLimit>.reference("rateLimit"), "What the endpoint takes a minute.") {
      draft, view, reader in
      guard let layer = ObjectTable.rateLimit.scan(view, reader) else { return }
      var limit = draft.profile.rateLimit ?? RateLimit()
      ObjectTable.rateLimit.read([layer], reader, into: &limit)
      draft.profile.rateLimit = limit
    }
  }
}

extension ObjectTable where Into == RateLimit {
  static let rateLimit = ObjectTable(
    "rateLimit", "a rate limit",
    [
      Key("requestsPerMinute", \.requestsPerMinute, .above(0), "Requests a minute."),
      Key("tokensPerMinute", \.tokensPerMinute, .above(0), "Tokens a minute, input and output together."),
    ])
}

extension ObjectTable where Into == PriceDraft {
  static let price = ObjectTable(
    "price", "a price",
    [
      Key("input", \.input, .atLeast(0), "Dollars for a million input tokens."),
      Key(
        "cachedInput", \.cachedInput, .atLeast(0),
        "Dollars for a million input tokens read from a cache; as input unless given."),
      Key(
        "cacheWrite", \.cacheWrite, .atLeast(0),
        "Dollars for a million input tokens written to a cache; as input unless given."),
      Key("output", \.output, .atLeast(0), "Dollars for a million output tokens."),
      Key("asOf", \.asOf, .date, "The day the price was read."),
    ])
}

extension PriceDraft {
  /// A price or the word `"free"`.
  static func readPrice(_ view: JSONView, over inherited: PriceDraft, _ reader: Reader) -> Price? {
    if view.stringEquals("free") { return .free }
    guard view.kind == .object else {
      reader.wrong(view, expected: "\"free\" or an object of prices")
      return nil
    }
    return read(view, over: inherited, reader)
  }

  static func read(_ view: JSONView, over inherited: PriceDraft, _ reader: Reader) -> Price? {
    guard let layer = ObjectTable.price.scan(view, reader) else { return nil }
    var draft = inherited
    ObjectTable.price.read([layer], reader, into: &draft)
    if let input = draft.input, let output = draft.output {
      return Price(
        input: input, cachedInput: draft.cachedInput, cacheWrite: draft.cacheWrite, output: output,
        asOf: draft.asOf)
    }
    for (name, value) in [("input", draft.input), ("output", draft.output)]
    where value == nil && view[name] == nil {
      reader.error(
        "a price needs '\(name)'", at: view, advice: "dollars for a million \(name) tokens; 0 must be said")
    }
    return nil
  }
}

extension JSONObject {
  /// Adds another object's members: objects are merged, everything else is replaced, `null` takes a member away.
  mutating func merge(_ other: JSONObject) {
    for (key, value) in other.members {
      if case .object(var mine) = self[key], case .object(let theirs) = value {
        mine.merge(theirs)
        self[key] = .object(mine)
      } else {
        self[key] = value
      }
    }
  }
}
