extension TokenEstimate {
  /// What a request's input takes: `fixed` for every call of the profile, and each message of the conversation.
  package struct Input: Sendable, Hashable {
    /// Instructions, tools, schema and the marks around the answer.
    package var fixed: InputCount
    /// In the order of the messages.
    package var messages: [InputCount]

    package init(profile: Profile, instructions: String?, messages: [Message]) {
      fixed = TokenEstimate.fixed(profile, instructions)
      self.messages = messages.map(TokenEstimate.count(of:))
    }

    package var total: InputCount { messages.reduce(fixed, +) }
  }

  /// The marks that begin the answer, and a default system text where the request has none. Measured with llama.cpp: 3,
  /// and 16 with the templates of Qwen 2.5 and SmolLM2.
  private static let answerMarks = InputCount(tokens: 3, low: 0, high: 80, most: 1_000, source: .estimate)
  /// The marks of a message's role, beginning and end: 3 or 4 at OpenAI, 5 in ChatML.
  private static let messageMarks = InputCount(
    tokens: perMessage, low: 3, high: 6, most: 16, source: .estimate)
  /// What tells a model how to call tools: a line at OpenAI, 140 tokens in Hermes' form, some 350 at Anthropic.
  private static let toolPreamble = InputCount(
    tokens: 150, low: 10, high: 360, most: 1_500, source: .estimate)
  /// The names and braces around a tool's schema or a call, in the provider's own words.
  private static let jsonMarks = InputCount(tokens: 10, low: 0, high: 25, most: 60, source: .estimate)
  /// From the most modest provider's count for a small image to the most lavish one's for a large one.
  private static let image = InputCount(tokens: 800, low: 64, high: 1_600, most: nil, source: .estimate)

  private static func fixed(_ profile: Profile, _ instructions: String?) -> InputCount {
    var sum = answerMarks
    if let instructions { sum += messageMarks + count(in: instructions) }
    if !profile.tools.isEmpty { sum += toolPreamble }
    for tool in profile.tools { sum += jsonMarks + rewritten(tool.json) }
    if let schema = profile.responseSchema {
      // A server that holds the answer to a grammar shows the model no schema.
      var shown = jsonMarks + rewritten(schema)
      shown.low = 0
      sum += shown
    }
    return sum
  }

  /// The estimate for one message with its marks.
  package static func count(of message: Message) -> InputCount {
    var sum = messageMarks
    for part in message.parts {
      switch part {
      case .text(let text): sum += count(in: text)
      case .image: sum += image
      }
    }
    for call in message.toolCalls { sum += jsonMarks + rewritten(call.json) }
    return sum
  }

  /// JSON that a server's template writes in its own way: denser as a type of TypeScript, wider with blanks and escapes.
  private static func rewritten(_ value: JSONValue) -> InputCount {
    var count = count(in: value.serialized(.compact))
    count.low = count.low * 6 / 10
    count.high = count.high * 13 / 10
    count.most = count.most.map { $0 * 3 }
    return count
  }
}
