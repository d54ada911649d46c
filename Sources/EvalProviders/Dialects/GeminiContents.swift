import EvalCore

/// A conversation in Gemini's words: `contents` of the roles user and model, and the system text beside them.
struct GeminiContents {
  private(set) var contents: [JSONValue] = []
  private(set) var notes: [String] = []
  private var systemParts: [JSONValue] = []
  private var open = OpenCalls()
  /// `nil` is the newest.
  private let generation: Int?

  init(generation: Int?) { self.generation = generation }

  var systemInstruction: JSONValue? {
    systemParts.isEmpty ? nil : ["parts": .array(systemParts)]
  }

  mutating func add(instructions: String?) {
    if let instructions { systemParts.append(["text": .string(instructions)]) }
  }

  mutating func add(_ message: Message) {
    switch message.role {
    case .system:
      systemParts.append(["text": .string(message.text)])
      if !contents.isEmpty { note("a system message inside the conversation was put before it") }
    case .user: append("user", message.parts.map { part($0) })
    case .assistant:
      open.begin(message.toolCalls)
      append("model", modelParts(message))
    case .tool: addResult(message)
    }
  }

  private mutating func append(_ role: String, _ parts: [JSONValue]) {
    contents.append(["role": .string(role), "parts": .array(parts)])
  }

  private mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }

  private mutating func part(_ part: ContentPart) -> JSONValue {
    switch part {
    case .text(let text): return ["text": .string(text)]
    case .image(let image):
      if image.detail != nil { note("Gemini takes no detail with an image; it was not sent") }
      return ["inlineData": ["mimeType": .string(image.mediaType), "data": .string(image.base64)]]
    }
  }
}

// MARK: - The model's turns

extension GeminiContents {
  /// The parts as the model sent them where it signed one, since a signature holds for its part alone; else made anew.
  private mutating func modelParts(_ message: Message) -> [JSONValue] {
    if !message.providerState.isEmpty, isState(message.providerState, of: message) {
      return message.providerState
    }
    let text = message.text
    var parts: [JSONValue] = text.isEmpty ? [] : [["text": .string(text)]]
    for (index, call) in message.toolCalls.enumerated() {
      var part: JSONObject = ["functionCall": .object(functionCall(call))]
      // Generation 3 refuses a call without a signature; this one stands for "not from this model", and the first of
      // a turn's calls bears it (ai.google.dev/gemini-api/docs/thought-signatures, FAQ).
      if index == 0, generation ?? 3 >= 3 { part["thoughtSignature"] = "skip_thought_signature_validator" }
      parts.append(.object(part))
    }
    return parts.isEmpty ? [["text": ""]] : parts
  }

  /// Whether the kept parts still say what the message says.
  private func isState(_ parts: [JSONValue], of message: Message) -> Bool {
    var text = ""
    for part in parts where part["thought"]?.boolValue != true { text += part["text"]?.stringValue ?? "" }
    let names = parts.compactMap { $0["functionCall"]?["name"]?.stringValue }
    return text == message.text && names == message.toolCalls.map(\.name)
  }

  private mutating func functionCall(_ call: ToolCall) -> JSONObject {
    var object: JSONObject = ["name": .string(call.name)]
    object["id"] = call.id.map { .string($0) }
    if let arguments = call.objectArguments {
      object["args"] = .object(arguments)
    } else {
      note("Gemini takes the arguments of a call as an object only; those of '\(call.name)' were not sent")
    }
    return object
  }
}

// MARK: - Tool results

extension GeminiContents {
  private mutating func addResult(_ message: Message) {
    let call = open.call(answeredBy: message)
    var response: JSONObject = ["name": .string(message.toolName ?? call?.name ?? "")]
    response["id"] = (call?.id ?? message.toolCallID).map { .string($0) }
    response["response"] = Self.response(message.text)
    let part: JSONValue = ["functionResponse": .object(response)]
    let images = message.parts.compactMap { part -> JSONValue? in
      if case .image = part { self.part(part) } else { nil }
    }
    // The results of one turn go into one content, as many as there were calls, and images behind all of them.
    if let last = contents.last, last["parts"]?[0]?["functionResponse"] != nil, var object = last.objectValue
    {
      var parts = object["parts"]?.arrayValue ?? []
      let firstImage = parts.firstIndex { $0["functionResponse"] == nil } ?? parts.count
      parts.insert(part, at: firstImage)
      object["parts"] = .array(parts + images)
      contents[contents.count - 1] = .object(object)
    } else {
      append("user", [part] + images)
    }
  }

  /// A result must be an object; anything else stands under `output`, as the API suggests.
  private static func response(_ text: String) -> JSONValue {
    guard let value = try? JSONValue.parse(text) else { return ["output": .string(text)] }
    switch value {
    case .object: return value
    case .array: return ["output": value]
    default: return ["output": .string(text)]
    }
  }
}
