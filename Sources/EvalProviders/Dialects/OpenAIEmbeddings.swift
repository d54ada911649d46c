import EvalCore

/// OpenAI Embeddings, and the servers that speak it (openai-openapi, CreateEmbeddingRequest). Each message is one input.
struct OpenAIEmbeddings: Dialect {
  /// Those of Chat Completions that embed, without their ways of counting.
  let servers: [ServerTraits] = OpenAIChat.knownServers.filter { names.contains($0.name) }.map { traits in
    var traits = traits
    (traits.counts, traits.windows) = ([], [])
    return traits
  }
  var framing: StreamFraming { .sse }

  private static let names = [
    "openai", "generic", "azure", "llama.cpp", "vllm", "ollama", "lmstudio", "mistral", "gemini", "litellm",
  ]

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      name: "openai-embeddings", summary: "OpenAI Embeddings and servers compatible with it",
      defaultEndpoint: "https://api.openai.com/v1", defaultKeyVariable: "OPENAI_API_KEY", embeds: true,
      capabilities: [.extraBody, .headers],
      options: [
        OptionSpec(
          "encoding", ["enum": ["float", "base64"]],
          "How vectors travel; left to the server unless given. Both are read whichever comes."),
        .dimensions,
      ], servers: servers.map(\.name))
  }

  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest {
    var body: JSONObject = [
      "model": .string(call.profile.model), "input": .array(call.messages.map { .string($0.text) }),
    ]
    body["encoding_format"] = call.profile.options["encoding"]
    body["dimensions"] = call.profile.options["dimensions"]
    return EncodedRequest(path: "/embeddings", body: body)
  }

  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder { EmbeddingsDecoder() }
}

extension OptionSpec {
  static let dimensions = OptionSpec(
    "dimensions", ["type": "integer", "minimum": 1],
    "How many numbers a vector has, for models that can shorten theirs; the model's own unless given.")
}
