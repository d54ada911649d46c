import EvalCore

/// Where a reasoning level goes in an Anthropic Messages request.
package enum ThinkingField: Sendable, Hashable {
  /// `"thinking": {"type": "adaptive"}` with `output_config.effort`; `none` is `{"type": "disabled"}`, and a number is a
  /// budget of tokens for the models that take nothing else.
  case adaptive
  /// `output_config.effort`; `none` turns thinking off in the chat template.
  case effort
  /// `"thinking": {"type": "enabled", "budget_tokens": …}`; `none` turns thinking off in the chat template.
  case budget
}

extension Anthropic {
  /// The servers that speak Anthropic Messages, and what each does in its own way (`Docs/Providers.md`).
  static let knownServers: [ServerTraits] = [
    server("anthropic", "Anthropic") {
      $0.hosts = ["api.anthropic.com"]
      $0.defaultEndpoint = "https://api.anthropic.com"
      $0.keyVariable = "ANTHROPIC_API_KEY"
      $0.highestTemperature = 1
      $0.hasAnthropicRules = true
      $0.counts = .anthropic
      $0.windows = [.get(.belowBase("/v1/models/{model}"))]
    },
    server("generic", "any other compatible server") {
      $0.windows = [.get(.belowBase("/v1/models"))]
    },
    server("llama.cpp", "llama-server of llama.cpp") {
      $0.defaultEndpoint = "http://127.0.0.1:8080"
      $0.localPorts = [8080]
      $0.thinking = .budget
      // Its converter to Chat Completions knows no `output_config`, no choice `none`, and makes any tool of one tool.
      $0.ignores = [.responseSchema]
      $0.toolChoices = [.auto, .required]
      $0.counts = .llama(
        .belowCall("/count_tokens"),
        ["model", "messages", "system", "tools", "tool_choice", "thinking", "chat_template_kwargs"])
      $0.windows = .llama + [.get(.belowBase("/v1/models"))]
    },
    server("vllm", "vLLM") {
      $0.defaultEndpoint = "http://127.0.0.1:8000"
      $0.localPorts = [8000]
      $0.thinking = .effort
      $0.counts = .vLLM
      $0.windows = [.get(.belowBase("/v1/models"))]
    },
    server("ollama", "Ollama's /v1/messages") {
      $0.defaultEndpoint = "http://127.0.0.1:11434"
      $0.localPorts = [11434]
      $0.ignores = [.responseSchema]
      $0.toolChoices = [.auto]
      $0.windows = .ollama
    },
    server("lmstudio", "LM Studio") {
      $0.defaultEndpoint = "http://127.0.0.1:1234"
      $0.localPorts = [1234]
      $0.windows = .lmStudio
    },
    server("openrouter", "OpenRouter") {
      $0.hosts = ["openrouter.ai"]
      $0.defaultEndpoint = "https://openrouter.ai/api"
      $0.basePath = "/api"
      $0.keyStyle = .bearer
      $0.keyVariable = "OPENROUTER_API_KEY"
      $0.windows = [.get(.belowBase("/v1/models"))]
    },
    server("deepseek", "DeepSeek") {
      $0.hosts = ["api.deepseek.com"]
      $0.defaultEndpoint = "https://api.deepseek.com/anthropic"
      $0.basePath = "/anthropic"
      $0.keyVariable = "DEEPSEEK_API_KEY"
    },
    server("litellm", "a LiteLLM proxy") {
      $0.defaultEndpoint = "http://127.0.0.1:4000"
      $0.localPorts = [4000]
      $0.counts = .anthropic
    },
  ]

  private static func server(
    _ name: String, _ summary: String, _ change: (inout ServerTraits) -> Void = { _ in }
  ) -> ServerTraits {
    ServerTraits(name, summary) {
      $0.basePath = ""
      $0.keyStyle = .header("x-api-key")
      change(&$0)
    }
  }
}
