import EvalCore

/// A profile while it is read, with the places of its values.
struct ProfileDraft: Draft {
  var profile = Profile(name: "", provider: SuiteVocabulary.defaultProvider, model: "")
  var extends: String?
  var instructions: InstructionsText?
  /// Said in the suite, not only the default.
  var stream: Bool?
  /// By key: the value that counts and the text it stands in.
  var places: [String: (view: JSONView, origin: Origin)] = [:]

  mutating func note(_ key: String, at view: JSONView, in origin: Origin) { places[key] = (view, origin) }
}

/// Instructions and where their text stands.
struct InstructionsText {
  var text: String
  /// The file they were read from; `nil` when the suite holds them.
  var file: String?
}

/// A price while it is read: members may come from several layers.
struct PriceDraft: Draft {
  var input: Double?
  var cachedInput: Double?
  var cacheWrite: Double?
  var output: Double?
  var asOf: String?

  init() {}

  init(_ price: Price) {
    (input, cachedInput, cacheWrite) = (price.input, price.cachedInput, price.cacheWrite)
    (output, asOf) = (price.output, price.asOf)
  }
}

extension RateLimit: Draft {
  init() { self.init(requestsPerMinute: nil) }
}
