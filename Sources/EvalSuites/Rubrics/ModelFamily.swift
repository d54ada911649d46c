/// Whose model a name stands for. Judges favour answers of their own kind (Panickssery et al., "LLM Evaluators Recognize
/// and Favor Their Own Generations", 2024).
enum ModelFamily {
  /// Beginnings of model names, and of a part after `/`, by family. Longer ones first where one begins another.
  private static let beginnings: [(name: String, family: String)] = [
    ("gpt", "OpenAI"), ("chatgpt", "OpenAI"), ("o1", "OpenAI"), ("o3", "OpenAI"), ("o4", "OpenAI"),
    ("claude", "Anthropic"), ("gemini", "Google"), ("gemma", "Google"), ("llama", "Meta"),
    ("meta-llama", "Meta"), ("codellama", "Meta"), ("qwen", "Qwen"), ("qwq", "Qwen"), ("mistral", "Mistral"),
    ("mixtral", "Mistral"), ("ministral", "Mistral"), ("codestral", "Mistral"), ("magistral", "Mistral"),
    ("deepseek", "DeepSeek"), ("phi", "Microsoft"), ("smollm", "SmolLM"), ("grok", "xAI"),
    ("command", "Cohere"), ("granite", "IBM"), ("nova", "Amazon"), ("kimi", "Moonshot"), ("glm", "Zhipu"),
  ]

  /// `nil` for a name that is not known.
  static func of(_ model: String) -> String? {
    let parts = model.lowercased().split { "/:@".contains($0) }
    // The vendor may stand first: `openai/gpt-4o`, `us.anthropic.claude-…`.
    for part in parts.reversed() {
      let words = part.split(separator: ".")
      for start in words.indices {
        let name = words[start...].joined(separator: ".")
        if let known = beginnings.first(where: { name.hasPrefix($0.name) }) { return known.family }
      }
    }
    return nil
  }
}
