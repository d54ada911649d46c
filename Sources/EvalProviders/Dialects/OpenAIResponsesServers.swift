import EvalCore

extension OpenAIResponses {
  /// The servers that speak Responses, and what each does in its own way (`Docs/Providers.md`).
  static let knownServers: [ServerTraits] = [
    ServerTraits("openai", "OpenAI") {
      $0.hosts = ["api.openai.com", ".api.openai.com"]
      $0.defaultEndpoint = "https://api.openai.com/v1"
      $0.keyVariable = "OPENAI_API_KEY"
      $0.turnsObfuscationOff = true
      $0.encryptsReasoning = true
      $0.leastOutputTokens = 16
      $0.highestTemperature = 2
      $0.counts = .responses
    },
    ServerTraits("generic", "any other compatible server") {
      $0.windows = .list
    },
    ServerTraits("azure", "Azure OpenAI") {
      $0.hosts = [".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"]
      $0.basePath = "/openai/v1"
      $0.keyStyle = .header("api-key")
      $0.keyVariable = "AZURE_OPENAI_API_KEY"
      $0.encryptsReasoning = true
      $0.leastOutputTokens = 16
      $0.highestTemperature = 2
    },
    ServerTraits("llama.cpp", "llama-server of llama.cpp") {
      $0.defaultEndpoint = "http://127.0.0.1:8080/v1"
      $0.localPorts = [8080]
      // Its converter to Chat Completions leaves `text` where nobody reads it, and passes `response_format` on.
      $0.takesChatSchema = true
      // It reads `tool_choice` only as a word; an object counts as `auto`.
      $0.toolChoices = [.auto, .none, .required]
      $0.counts = .llama(
        .belowCall("/input_tokens"),
        ["model", "input", "instructions", "tools", "tool_choice", "reasoning", "chat_template_kwargs"])
      $0.windows = .llama + .list
    },
    ServerTraits("vllm", "vLLM") {
      $0.defaultEndpoint = "http://127.0.0.1:8000/v1"
      $0.localPorts = [8000]
      $0.counts = .vLLM
      $0.windows = .list
    },
    ServerTraits("ollama", "Ollama's /v1") {
      $0.defaultEndpoint = "http://127.0.0.1:11434/v1"
      $0.localPorts = [11434]
      $0.toolChoices = [.auto]
      $0.windows = .ollama
    },
    ServerTraits("lmstudio", "LM Studio") {
      $0.defaultEndpoint = "http://127.0.0.1:1234/v1"
      $0.localPorts = [1234]
      $0.windows = .lmStudio + .list
    },
    ServerTraits("openrouter", "OpenRouter") {
      $0.hosts = ["openrouter.ai"]
      $0.defaultEndpoint = "https://openrouter.ai/api/v1"
      $0.basePath = "/api/v1"
      $0.keyVariable = "OPENROUTER_API_KEY"
      $0.windows = .list
    },
    ServerTraits("xai", "xAI") {
      $0.hosts = ["api.x.ai"]
      $0.defaultEndpoint = "https://api.x.ai/v1"
      $0.keyVariable = "XAI_API_KEY"
      $0.encryptsReasoning = true
    },
    ServerTraits("litellm", "a LiteLLM proxy") {
      $0.defaultEndpoint = "http://127.0.0.1:4000/v1"
      $0.localPorts = [4000]
      $0.windows = .list
    },
  ]
}
