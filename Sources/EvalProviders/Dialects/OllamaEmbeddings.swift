import EvalCore

/// Ollama's own `/api/embed`, and `/api/embeddings` before it (ollama, api/types.go). Each message is one input.
struct OllamaEmbeddings: Dialect {
  let servers: [ServerTraits] = Ollama().servers.map { traits in
    var traits = traits
    traits.windows = []
    return traits
  }
  var framing: StreamFraming { .sse }

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      name: "ollama-embeddings", summary: "Ollama's own embeddings API",
      defaultEndpoint: "http://127.0.0.1:11434", embeds: true, capabilities: [.extraBody, .headers],
      options: [.dimensions], servers: servers.map(\.name), validate: Self.problems)
  }

  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest {
    var body: JSONObject = ["model": .string(call.profile.model)]
    let path = call.profile.endpoint.flatMap { try? Endpoint($0) }?.path ?? ""
    if path.hasSuffix(Self.older) {
      // It takes one text, and cuts one that is too long without a word.
      body["prompt"] = .string(call.messages.first?.text ?? "")
      return EncodedRequest(path: Self.older, body: body)
    }
    body["input"] = .array(call.messages.map { .string($0.text) })
    body["dimensions"] = call.profile.options["dimensions"]
    // Else the server drops the end of a text that is too long, and embeds another text than it was given.
    body["truncate"] = false
    return EncodedRequest(path: path.hasSuffix("/api") ? "/embed" : "/api/embed", body: body)
  }

  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder { EmbeddingsDecoder() }

  private static let older = "/api/embeddings"

  @Sendable
  private static func problems(with profile: Profile) -> [Problem] {
    guard let text = profile.endpoint, let endpoint = try? Endpoint(text) else { return [] }
    if endpoint.path.hasSuffix("/v1") {
      return [
        Problem(
          .error, "the endpoint is Ollama's compatible endpoint", path: "endpoint",
          advice: "take the provider openai-embeddings, or remove /v1")
      ]
    }
    guard endpoint.path.hasSuffix(older) else { return [] }
    return [
      Problem(
        .warning, "Ollama's older \(older) cuts a text that is too long without a word", path: "endpoint",
        advice: "take the base URL: /api/embed refuses such a text")
    ]
  }
}
