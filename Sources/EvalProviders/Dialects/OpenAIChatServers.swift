import EvalCore

extension OpenAIChat {
  /// The servers that speak Chat Completions, and what each does in its own way (`Docs/Providers.md`).
  static let knownServers: [ServerTraits] = [
    ServerTraits("openai", "OpenAI") {
      $0.hosts = ["api.openai.com", ".api.openai.com"]
      $0.defaultEndpoint = "https://api.openai.com/v1"
      $0.keyVariable = "OPENAI_API_KEY"
      $0.limitField = "max_completion_tokens"
      $0.turnsObfuscationOff = true
      $0.counts = .responses
    },
    ServerTraits("generic", "any other compatible server") { $0.windows = .list },
    ServerTraits("azure", "Azure OpenAI") {
      $0.hosts = [".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"]
      $0.basePath = "/openai/v1"
      $0.keyStyle = .header("api-key")
      $0.keyVariable = "AZURE_OPENAI_API_KEY"
      $0.limitField = "max_completion_tokens"
    },
    ServerTraits("llama.cpp", "llama-server of llama.cpp") {
      $0.defaultEndpoint = "http://127.0.0.1:8080/v1"
      $0.localPorts = [8080]
      $0.reasoning = .templateSwitch
      $0.counts = .llama(
        .belowCall("/input_tokens"),
        ["model", "messages", "tools", "tool_choice", "reasoning_effort", "chat_template_kwargs"])
      $0.windows = .llama + .list
    },
    ServerTraits("vllm", "vLLM") {
      $0.defaultEndpoint = "http://127.0.0.1:8000/v1"
      $0.localPorts = [8000]
      $0.reasoning = .templateSwitch
      $0.counts = .vLLM
      $0.windows = .list
    },
    ServerTraits("ollama", "Ollama's /v1") {
      $0.defaultEndpoint = "http://127.0.0.1:11434/v1"
      $0.localPorts = [11434]
      // It left the prompt out when it was cached (ollama/ollama#5370).
      $0.zeroInputIsAbsent = true
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
      $0.reasoning = .object
      // Usage always comes; the field is deprecated there.
      $0.asksForUsage = false
      $0.windows = .list
    },
    ServerTraits("deepseek", "DeepSeek") {
      $0.hosts = ["api.deepseek.com"]
      $0.defaultEndpoint = "https://api.deepseek.com/v1"
      $0.keyVariable = "DEEPSEEK_API_KEY"
      $0.reasoning = .thinkingType
      $0.seedField = nil
      $0.hasJSONSchema = false
    },
    ServerTraits("mistral", "Mistral") {
      $0.hosts = ["api.mistral.ai"]
      $0.defaultEndpoint = "https://api.mistral.ai/v1"
      $0.keyVariable = "MISTRAL_API_KEY"
      $0.seedField = "random_seed"
      // Usage comes unasked, and unknown fields are refused.
      $0.asksForUsage = false
      $0.windows = .list
    },
    ServerTraits("groq", "Groq") {
      $0.hosts = ["api.groq.com"]
      $0.defaultEndpoint = "https://api.groq.com/openai/v1"
      $0.basePath = "/openai/v1"
      $0.keyVariable = "GROQ_API_KEY"
      $0.limitField = "max_completion_tokens"
      $0.windows = .list
    },
    ServerTraits("xai", "xAI") {
      $0.hosts = ["api.x.ai"]
      $0.defaultEndpoint = "https://api.x.ai/v1"
      $0.keyVariable = "XAI_API_KEY"
      $0.asksForUsage = false
    },
    ServerTraits("moonshot", "Moonshot (Kimi)") {
      $0.hosts = ["api.moonshot.ai", "api.moonshot.cn"]
      $0.defaultEndpoint = "https://api.moonshot.ai/v1"
      $0.keyVariable = "MOONSHOT_API_KEY"
      $0.reasoning = .thinkingType
      $0.seedField = nil
      $0.asksForUsage = false
      $0.windows = .list
    },
    ServerTraits("gemini", "Gemini's compatible endpoint") {
      $0.hosts = ["generativelanguage.googleapis.com"]
      $0.defaultEndpoint = "https://generativelanguage.googleapis.com/v1beta/openai"
      $0.basePath = "/v1beta/openai"
      $0.keyVariable = "GEMINI_API_KEY"
      $0.seedField = nil
    },
    ServerTraits("litellm", "a LiteLLM proxy") {
      $0.defaultEndpoint = "http://127.0.0.1:4000/v1"
      $0.localPorts = [4000]
      $0.windows = .list
    },
    ServerTraits("fm-serve", "Apple's `fm serve` of macOS 27") {
      $0.defaultEndpoint = "http://127.0.0.1:1976/v1"
      $0.localPorts = [1976]
      $0.seedField = nil
      $0.reasoning = .none
      // The Neural Engine runs one request at a time, and prompts are reported as 0 tokens.
      $0.parallelCalls = 1
      $0.zeroInputIsAbsent = true
      $0.contextSizes = ["system": 4096, "pcc": 32768]
    },
  ]
}
