import EvalCore

/// Finds the size of a model's window in what its server says of it.
enum WindowBody {
  /// Reads llama.cpp's `/props`, an entry of any server's list of models, Google's and Anthropic's description of a model
  /// and Ollama's `/api/show` and `/api/ps`.
  ///
  /// - Parameter model: looked for in a list; another model's window is nobody's.
  /// - Returns: `nil` when the value does not say.
  static func read(_ value: JSONValue, model: String) -> ContextWindow? {
    if let list = value["data"]?.arrayValue ?? value["models"]?.arrayValue {
      return list.first { names($0, model) }.flatMap(entry)
    }
    return entry(value)
  }

  private static func names(_ entry: JSONValue, _ model: String) -> Bool {
    let names = ["id", "name", "model"].compactMap { entry[$0]?.stringValue }
    let aliases = entry["aliases"]?.arrayValue?.compactMap(\.stringValue) ?? []
    return (names + aliases).contains { [model, "\(model):latest", "models/\(model)"].contains($0) }
  }

  /// The window that is in force stands before the largest that the model could have.
  private static let paths: [[String]] = [
    ["default_generation_settings", "n_ctx"], ["meta", "n_ctx"], ["loaded_context_length"],
    ["top_provider", "context_length"], ["max_model_len"], ["context_length"], ["context_window"],
    ["max_context_length"], ["max_input_tokens"],
  ]

  private static func entry(_ value: JSONValue) -> ContextWindow? {
    if let limit = size(value["inputTokenLimit"]) { return ContextWindow(tokens: limit, holdsOutput: false) }
    for path in paths {
      if let tokens = size(path.reduce(Optional(value)) { $0?[$1] }) { return ContextWindow(tokens: tokens) }
    }
    return value["parameters"]?.stringValue.flatMap(modelfile)
  }

  private static func size(_ value: JSONValue?) -> Int? {
    guard let count = value?.intValue, (1...1_000_000_000).contains(count) else { return nil }
    return Int(count)
  }

  /// The line `num_ctx 8192` among the parameters of Ollama's Modelfile.
  private static func modelfile(_ text: String) -> ContextWindow? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "num_ctx", let tokens = Int(words[1]), tokens > 0 {
        return ContextWindow(tokens: tokens)
      }
    }
    return nil
  }
}
