extension Profile {
  /// The profile's identity: everything that can change an answer or its accounting, without its name, place,
  /// width, whether it is a target, or where its key lies, which differs from machine to machine.
  package var hash: ContentHash {
    var object = contentObject
    object["key"] = nil
    return ContentHash(of: .object(object), kind: "profile")
  }

  /// The content that `hash` covers, also stored with a run so that a report can show what was asked. Keys and
  /// secrets appear by the name of their source.
  package var contentObject: JSONObject {
    var object: JSONObject = [
      "provider": .string(provider), "model": .string(model), "stream": .bool(stream),
    ]
    object["endpoint"] = endpoint.map { .string($0) }
    object["server"] = server.map { .string($0) }
    object["boundary"] = boundary.map { .string($0.rawValue) }
    object["contextSize"] = contextSize.map(\.json)
    object["trimHistory"] = trimHistory == .none ? nil : .string(trimHistory.rawValue)
    object["instructions"] = instructions.map { .string($0) }
    object["parameters"] = parameters.isEmpty ? nil : parameters.json
    object["tools"] = tools.isEmpty ? nil : .array(tools.map(\.json))
    object["toolChoice"] = toolChoice.map(\.json)
    object["responseSchema"] = responseSchema
    object["key"] = key.map(\.json)
    object["headers"] = headers.isEmpty ? nil : .array(headers.map(\.json))
    object["extraBody"] = extraBody.isEmpty ? nil : .object(extraBody)
    object["price"] = price.map(\.json)
    object["options"] = options.isEmpty ? nil : .object(options)
    return object
  }
}

extension ContextSize {
  package var json: JSONValue {
    switch self {
    case .tokens(let count): .integer(Int64(count))
    case .auto: .string("auto")
    }
  }
}

extension GenerationParameters {
  var isEmpty: Bool { self == GenerationParameters() }

  package var json: JSONValue {
    var object: JSONObject = [:]
    object["temperature"] = temperature.map { .number($0) }
    object["topP"] = topP.map { .number($0) }
    object["seed"] = seed.map { .integer($0) }
    object["stop"] = stop.isEmpty ? nil : .array(stop.map { .string($0) })
    object["maxOutputTokens"] = maxOutputTokens.map { .integer(Int64($0)) }
    object["reasoning"] = reasoning.map { .string($0) }
    return .object(object)
  }
}

extension ToolDefinition {
  package var json: JSONValue {
    var object: JSONObject = ["name": .string(name), "parameters": parameters]
    object["description"] = summary.map { .string($0) }
    object["strict"] = strict.map { .bool($0) }
    return .object(object)
  }
}

extension ToolChoice {
  package var json: JSONValue {
    switch self {
    case .auto: .string("auto")
    case .none: .string("none")
    case .required: .string("required")
    case .tool(let name): .object(["tool": .string(name)])
    }
  }
}

extension ConfiguredValue {
  package var json: JSONValue {
    switch self {
    case .literal(let text): .string(text)
    case .environment(let name): .object(["env": .string(name)])
    case .file(let path): .object(["file": .string(path)])
    }
  }
}

extension HeaderField {
  package var json: JSONValue { .object(["name": .string(name), "value": value.json]) }
}

extension Price {
  package var json: JSONValue {
    if isFree { return .string("free") }
    var object: JSONObject = ["input": .number(input), "output": .number(output)]
    object["cachedInput"] = cachedInput.map { .number($0) }
    object["cacheWrite"] = cacheWrite.map { .number($0) }
    object["asOf"] = asOf.map { .string($0) }
    return .object(object)
  }
}
