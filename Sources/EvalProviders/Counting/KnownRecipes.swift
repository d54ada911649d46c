import EvalCore

/// The ways of counting that several servers or dialects share.
extension [CountRecipe] {
  /// OpenAI counts in the words of Responses, also for Chat Completions (openai-python, input_token_count_params.py).
  static let responses = [
    CountRecipe(
      .belowBase("/responses/input_tokens"),
      .members([
        "model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "text", "reasoning",
        "truncation", "previous_response_id", "conversation",
      ]), as: OpenAIResponses())
  ]

  /// Anthropic refuses members that only generating needs (anthropic-sdk-python, message_count_tokens_params.py).
  static let anthropic = [
    CountRecipe(
      .belowCall("/count_tokens"),
      .members([
        "model", "messages", "system", "tools", "tool_choice", "thinking", "output_config", "cache_control",
      ]))
  ]

  /// llama.cpp's way for each of its APIs; older builds apply the template and count in two steps.
  static func llama(_ path: SidePath, _ members: [String]) -> [CountRecipe] {
    [
      CountRecipe(path, .members(members)),
      CountRecipe(.root("/apply-template"), .template(at: .root("/tokenize")), as: OpenAIChat()),
    ]
  }

  /// vLLM's one way for all of its APIs (vllm, entrypoints/serve/tokenize/protocol.py).
  static let vLLM = [
    CountRecipe(
      .root("/tokenize"),
      .members(
        ["model", "messages", "tools", "chat_template_kwargs"], adding: ["add_generation_prompt": true]),
      as: OpenAIChat())
  ]
}

/// The ways to learn a window that several dialects share.
extension [WindowRecipe] {
  /// The list of models, in which many servers state it.
  static let list: [WindowRecipe] = [.get(.belowBase("/models"))]
  /// What a slot of llama.cpp has, which is less than the model could.
  static let llama: [WindowRecipe] = [.get(.root("/props"))]
  static let lmStudio: [WindowRecipe] = [.get(.root("/api/v0/models/{model}"))]
  /// The window of the loaded model, else its Modelfile's. The largest that the model could have is not what runs.
  static let ollama: [WindowRecipe] = [
    .member(["options", "num_ctx"]), .get(.root("/api/ps")), .post(.root("/api/show"), model: "model"),
  ]
}
