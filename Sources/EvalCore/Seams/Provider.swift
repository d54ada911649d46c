import Synchronization

/// Counts that a progress line reads while calls stream.
package final class LiveCounters: Sendable {
  private let tokens = Atomic<Int>(0)

  package init() {}

  /// Token-bearing events seen so far, over all calls.
  package var tokenEvents: Int { tokens.load(ordering: .relaxed) }

  package func add(tokenEvents count: Int) { tokens.add(count, ordering: .relaxed) }
}

/// A piece of an answer as it comes, for a terminal that shows it.
package enum StreamPiece: Sendable, Hashable {
  case text(String)
  case reasoning(String)
}

/// One call that the engine asks of a provider.
package struct ProviderCall: Sendable {
  package var profile: Profile
  /// The profile's instructions with the case's variables filled in.
  package var instructions: String?
  /// The whole conversation, the new user message last.
  package var messages: [Message]
  package var timeouts: CallTimeouts
  /// Which repeat of the trial this is: a recording keeps them apart.
  package var repeatIndex: Int
  /// 0-based attempt within the trial, so that a recording can tell a retry.
  package var attemptIndex: Int
  /// When the call was due, monotonic nanoseconds.
  package var scheduled: Int64
  package var counters: LiveCounters?
  /// Called on the transport's thread for each piece; must return at once.
  package var onPiece: (@Sendable (StreamPiece) -> Void)?

  package init(
    profile: Profile, instructions: String?, messages: [Message], timeouts: CallTimeouts,
    repeatIndex: Int = 0,
    attemptIndex: Int = 0, scheduled: Int64, counters: LiveCounters? = nil,
    onPiece: (@Sendable (StreamPiece) -> Void)? = nil
  ) {
    self.profile = profile
    self.instructions = instructions
    self.messages = messages
    self.timeouts = timeouts
    self.repeatIndex = repeatIndex
    self.attemptIndex = attemptIndex
    self.scheduled = scheduled
    self.counters = counters
    self.onPiece = onPiece
  }
}

/// Answers calls for one profile. It does not throw: a failure is a reply with an outcome.
package protocol Provider: Sendable {
  /// Sends one call and waits for its end. Cancelling the task ends the call as `cancelled`.
  func send(_ call: ProviderCall) async -> ProviderReply
  /// Trials that share one of these share a limit: scheme, host and port, or the program's name.
  var limitKey: String { get }
}

/// What a provider can be asked for; asking another is a finding before the run.
package enum Capability: String, Sendable, Hashable, CaseIterable {
  case streaming, instructions, history, images, tools, toolChoice, responseSchema, reasoning, temperature,
    topP,
    seed, stop, maxOutputTokens, extraBody, headers, tokenCount
}

/// A setting under a profile's `options`, or a check's option, for the decoder, the schema and the docs.
package struct OptionSpec: Sendable, Hashable {
  package var key: String
  /// A JSON Schema fragment for its value.
  package var schema: JSONValue
  package var summary: String
  package var isRequired: Bool

  package init(_ key: String, _ schema: JSONValue, _ summary: String, isRequired: Bool = false) {
    self.key = key
    self.schema = schema
    self.summary = summary
    self.isRequired = isRequired
  }
}

/// A line in the registry of providers: everything the suite reader must know of one without importing it.
package struct ProviderDescriptor: Sendable {
  package var name: String
  package var summary: String
  /// `nil` means that a profile must give its endpoint.
  package var defaultEndpoint: String?
  /// The environment variable that holds the key when a profile names none; `nil` sends no key.
  package var defaultKeyVariable: String?
  package var needsModel: Bool
  /// False for a provider that is no HTTP service.
  package var usesEndpoint: Bool
  /// True when it answers with vectors, so that its profiles serve checks and are nobody's target, arm or judge.
  package var embeds: Bool
  package var capabilities: Set<Capability>
  package var options: [OptionSpec]
  /// Names that `server` may take; empty when the provider has no such table.
  package var servers: [String]
  /// Problems with a profile that only this provider knows; paths are relative to the profile.
  package var validate: @Sendable (Profile) -> [Problem]

  package init(
    name: String, summary: String, defaultEndpoint: String? = nil, defaultKeyVariable: String? = nil,
    needsModel: Bool = true, usesEndpoint: Bool = true, embeds: Bool = false, capabilities: Set<Capability>,
    options: [OptionSpec] = [], servers: [String] = [],
    validate: @escaping @Sendable (Profile) -> [Problem] = { _ in [] }
  ) {
    self.name = name
    self.summary = summary
    self.defaultEndpoint = defaultEndpoint
    self.defaultKeyVariable = defaultKeyVariable
    self.needsModel = needsModel
    self.usesEndpoint = usesEndpoint
    self.embeds = embeds
    self.capabilities = capabilities
    self.options = options
    self.servers = servers
    self.validate = validate
  }
}
