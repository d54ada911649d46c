extension Profile {
  /// Reads back what `contentObject` wrote, as a run stores it: the profile that answered, whatever has become of the
  /// suite. Where its key lies, its headers and its width are not read; it is not for calling.
  ///
  /// The instructions of a private run are not stored and are `nil` here.
  package init?(name: String, stored: JSONValue) {
    guard let provider = stored["provider"]?.stringValue, let model = stored["model"]?.stringValue else {
      return nil
    }
    self.init(name: name, provider: provider, model: model)
    endpoint = stored["endpoint"]?.stringValue
    server = stored["server"]?.stringValue
    boundary = stored["boundary"]?.stringValue.flatMap(Boundary.init)
    contextSize = stored["contextSize"].flatMap(ContextSize.init(stored:))
    trimHistory = stored["trimHistory"]?.stringValue.flatMap(HistoryTrimming.init) ?? .none
    instructions = stored["instructions"]?.stringValue
    parameters = stored["parameters"].map(GenerationParameters.init(stored:)) ?? GenerationParameters()
    tools = stored["tools"]?.arrayValue?.compactMap(ToolDefinition.init(stored:)) ?? []
    toolChoice = stored["toolChoice"].flatMap(ToolChoice.init(stored:))
    responseSchema = stored["responseSchema"]
    stream = stored["stream"]?.boolValue ?? true
    extraBody = stored["extraBody"]?.objectValue ?? [:]
    price = stored["price"].flatMap(Price.init(stored:))
    options = stored["options"]?.objectValue ?? [:]
  }
}

extension ContextSize {
  fileprivate init?(stored: JSONValue) {
    if stored.stringValue == "auto" {
      self = .auto
    } else if let tokens = stored.intValue {
      self = .tokens(Int(tokens))
    } else {
      return nil
    }
  }
}

extension GenerationParameters {
  fileprivate init(stored: JSONValue) {
    self.init(
      temperature: stored["temperature"]?.doubleValue, topP: stored["topP"]?.doubleValue,
      seed: stored["seed"]?.intValue, stop: stored["stop"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      maxOutputTokens: stored["maxOutputTokens"]?.intValue.map { Int($0) },
      reasoning: stored["reasoning"]?.stringValue)
  }
}

extension ToolDefinition {
  fileprivate init?(stored: JSONValue) {
    guard let name = stored["name"]?.stringValue, let parameters = stored["parameters"] else { return nil }
    self.init(
      name: name, summary: stored["description"]?.stringValue, parameters: parameters,
      strict: stored["strict"]?.boolValue)
  }
}

extension ToolChoice {
  fileprivate init?(stored: JSONValue) {
    switch stored.stringValue {
    case "auto": self = .auto
    case "none": self = .none
    case "required": self = .required
    default:
      guard let name = stored["tool"]?.stringValue else { return nil }
      self = .tool(name)
    }
  }
}

extension Price {
  fileprivate init?(stored: JSONValue) {
    if stored.stringValue == "free" {
      self = .free
      return
    }
    guard let input = stored["input"]?.doubleValue, let output = stored["output"]?.doubleValue else {
      return nil
    }
    self.init(
      input: input, cachedInput: stored["cachedInput"]?.doubleValue,
      cacheWrite: stored["cacheWrite"]?.doubleValue, output: output, asOf: stored["asOf"]?.stringValue)
  }
}
