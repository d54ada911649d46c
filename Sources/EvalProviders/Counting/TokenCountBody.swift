import EvalCore

/// The answer of a server that was asked to count tokens without generating.
struct TokenCountBody: Equatable {
  var tokens: Int
  /// The model's window, where the server says it beside the count.
  var contextSize: Int?

  /// Reads the forms of vLLM (`count`, `max_model_len`), llama.cpp (`tokens` as a list), OpenAI and Anthropic
  /// (`input_tokens`) and Gemini (`totalTokens`).
  ///
  /// - Returns: `nil` when the value is none of them.
  static func read(_ value: JSONValue) -> TokenCountBody? {
    let named = ["count", "input_tokens", "totalTokens"].lazy.compactMap { value[$0]?.intValue }.first
    guard let count = named ?? value["tokens"]?.arrayValue.map({ Int64($0.count) }), count >= 0 else {
      return nil
    }
    return TokenCountBody(tokens: Int(count), contextSize: value["max_model_len"]?.intValue.map { Int($0) })
  }
}
