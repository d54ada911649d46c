import EvalCore

/// Which channels an event wrote to.
struct Channels: OptionSet {
  let rawValue: UInt8
  static let text = Channels(rawValue: 1)
  static let reasoning = Channels(rawValue: 2)
  static let tool = Channels(rawValue: 4)
  static let refusal = Channels(rawValue: 8)
}

/// What a decoder has made of a response so far.
///
/// A decoder calls the `add…` functions with what it finds; those that take a value ignore one that is empty or no
/// string, which is how role-only, `""` and null deltas never count as tokens.
struct Answer {
  private(set) var text = AnswerText()
  private(set) var reasoning = AnswerText()
  private(set) var refusal = AnswerText()
  private(set) var tools = ToolCallAssembly()
  /// An embedder's vectors, in the order of the inputs.
  var embeddings: [[Float]] = []
  var usage = UsageMerge()
  private(set) var rawFinish: String?
  private(set) var finish: Finish?
  private(set) var servedModel: String?
  private(set) var responseID: String?
  /// What the next turn must send back, in wire form.
  var providerState: [JSONValue] = []
  private(set) var notes: [String] = []
  /// The first error object that came inside the answer.
  private(set) var error: JSONValue?
  /// The answer's own sign that it is over; without one it is truncated.
  private(set) var isTerminated = false
  /// Nothing worth reading can follow.
  private(set) var isComplete = false
  /// What the event at hand wrote to.
  private(set) var written: Channels = []
  /// Without this an all-zero prompt count is a count.
  var zeroInputIsAbsent = false

  mutating func beginEvent() { written = [] }

  mutating func addText(_ value: JSONView) { if text.append(value) { written.insert(.text) } }
  mutating func addReasoning(_ value: JSONView) { if reasoning.append(value) { written.insert(.reasoning) } }
  mutating func addRefusal(_ value: JSONView) { if refusal.append(value) { written.insert(.refusal) } }

  /// Takes text as it is, from a source that has no values.
  mutating func addText(bytes: some Sequence<UInt8>) {
    if text.append(bytes: bytes) { written.insert(.text) }
  }

  /// Takes the whole text so far. What it adds to the text before is new; one that does not go on from there takes its
  /// place.
  mutating func addSnapshot(_ value: JSONView) {
    if isNew(text.grow(to: value), "text") { written.insert(.text) }
  }

  mutating func addReasoningSnapshot(_ value: JSONView) {
    if isNew(reasoning.grow(to: value), "reasoning") { written.insert(.reasoning) }
  }

  private mutating func isNew(_ growth: AnswerText.Growth, _ name: String) -> Bool {
    switch growth {
    case .same: return false
    case .longer: return true
    case .another:
      note("a snapshot of the \(name) does not go on from the one before; the last one counts")
      return true
    }
  }

  /// - Returns: the call's place among the answer's calls.
  @discardableResult
  mutating func addTool(_ fragment: ToolCallAssembly.Fragment) -> Int {
    let (place, bearsToken) = tools.add(fragment)
    if bearsToken { written.insert(.tool) }
    return place
  }

  /// Words that the server gives for its refusal without having generated them.
  mutating func setRefusalNote(_ value: JSONView) { _ = refusal.append(value) }

  /// The end of the answer as the wire names it. This is a terminal marker.
  ///
  /// - Parameter raw: `nil` where the wire has no word.
  mutating func end(raw: String?, _ finish: Finish) {
    if let raw { rawFinish = raw }
    self.finish = finish
    isTerminated = true
  }

  /// A terminal marker that gives no reason, such as `[DONE]`. Nothing is read after it.
  mutating func complete() {
    isTerminated = true
    isComplete = true
  }

  /// Notes an error inside the answer; the first one counts, since servers repeat it.
  mutating func fail(_ value: JSONView) {
    if error == nil { error = value.value }
  }

  mutating func fail(_ value: JSONValue) {
    if error == nil { error = value }
  }

  mutating func identify(model: JSONView?, id: JSONView?) {
    if servedModel == nil, let model, !model.isEmptyString { servedModel = model.string }
    if responseID == nil, let id, !id.isEmptyString { responseID = id.string }
  }

  mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  /// The finish in our words, which also looks at what was generated: a stop after calls is a wish to call, one after
  /// a refusal is a refusal.
  var finishReason: Finish? {
    guard isTerminated else { return finish }
    switch finish {
    case .stop?:
      if !tools.calls.isEmpty { return .toolCalls }
      return refusal.isEmpty ? .stop : .refusal
    case let known?: return known
    // An error before the marker means that the answer did not end.
    case nil: return error == nil ? .unknown : nil
    }
  }
}
