import EvalCore
import Testing

@testable import EvalProviders

struct TokenCountingTests {
  private func make(
    _ responses: [ScriptedExchange.Response], _ profile: Profile
  ) throws -> (provider: any TokenCounting, exchange: ScriptedExchange) {
    let exchange = ScriptedExchange(responses)
    let provider = try ProviderFactory(exchange: exchange, environment: ["KEY": "sk-1"]).make(profile)
    return (try #require(provider as? any TokenCounting), exchange)
  }

  private func llama(_ endpoint: String = "http://127.0.0.1:9/v1") -> Profile {
    chatProfile(endpoint) {
      $0.server = "llama.cpp"
      $0.key = .environment("KEY")
      $0.tools = [ToolDefinition(name: "find", summary: nil, parameters: ["type": "object"])]
      $0.parameters.maxOutputTokens = 9
      $0.parameters.reasoning = "none"
    }
  }

  private static let counted = ScriptedExchange.Response.json(200, #"{"input_tokens":17}"#)

  @Test func theServerCountsWhatTheCallWouldSend() async throws {
    let (provider, exchange) = try make([Self.counted], llama())
    let count = await provider.countInput(call(llama(), instructions: "Be brief."))
    #expect(count == .counted(17))
    let request = try #require(exchange.requests.first)
    #expect(request.http.url == "http://127.0.0.1:9/v1/chat/completions/input_tokens")
    #expect(request.http.headers.contains { $0 == ("Authorization", "Bearer sk-1") })
    #expect(request.http.timeouts.total == .seconds(10))
    let body = try #require(request.body.objectValue)
    #expect(body.members.map(\.key).sorted() == ["chat_template_kwargs", "messages", "model", "tools"])
    #expect(body["messages"]?.arrayValue?.count == 2)
  }

  @Test(arguments: [
    ("http://h:9", "http://h:9/v1/chat/completions/input_tokens", "http://h:9/props"),
    ("http://h:9/v1/chat/completions", "http://h:9/v1/chat/completions/input_tokens", "http://h:9/props"),
    (
      "http://h/llama/v1?x=1", "http://h/llama/v1/chat/completions/input_tokens?x=1",
      "http://h/llama/props?x=1"
    ),
    ("http://h/other", "http://h/other/chat/completions/input_tokens", "http://h/other/props"),
  ])
  func placesBesideTheCalls(endpoint: String, count: String, props: String) async throws {
    let (provider, exchange) = try make([Self.counted, .json(200, "{}")], llama(endpoint))
    _ = await provider.countInput(call(llama(endpoint)))
    _ = await provider.contextWindow(of: llama(endpoint), timeouts: CallTimeouts())
    #expect(exchange.requests[0].http.url == count)
    #expect(exchange.requests[1].http.url == props)
    #expect(exchange.requests[1].http.method == "GET" && exchange.requests[1].http.body == nil)
  }

  @Test func anOlderServerRendersAndCountsInTwoSteps() async throws {
    let (provider, exchange) = try make(
      [
        .json(404, #"{"error":{"code":404}}"#), .json(200, #"{"prompt":"<|user|>Hi"}"#),
        .json(200, #"{"tokens":[1,2,3]}"#), .json(200, #"{"prompt":"x"}"#), .json(200, #"{"tokens":[1]}"#),
      ], llama())
    #expect(await provider.countInput(call(llama())) == .counted(3))
    #expect(
      exchange.requests.map(\.http.url).suffix(2) == [
        "http://127.0.0.1:9/apply-template", "http://127.0.0.1:9/tokenize",
      ])
    #expect(
      exchange.requests[2].body == ["content": "<|user|>Hi", "add_special": true, "parse_special": true])
    // The way that does not exist is not tried again.
    #expect(await provider.countInput(call(llama())) == .counted(1))
    #expect(exchange.requests.count == 5)
  }

  @Test func aBusyServerIsAskedAgainAndASilentOneNotForEver() async throws {
    let (busy, exchange) = try make([.json(503, ""), Self.counted], llama())
    #expect(await busy.countInput(call(llama())) == nil)
    #expect(await busy.countInput(call(llama())) == .counted(17))
    #expect(exchange.requests.count == 2)
    let gone = ScriptedExchange.Response(end: .failed(code: 7, message: "refused"))
    let (silent, calls) = try make([gone, gone, gone, Self.counted], llama())
    for _ in 0..<4 { #expect(await silent.countInput(call(llama())) == nil) }
    #expect(calls.requests.count == CountingState.patience)
  }

  private struct Way: Sendable, CustomTestStringConvertible {
    var provider: String
    var server: String
    var endpoint: String?
    var url: String
    var members: [String]
    var testDescription: String { "\(provider) \(server)" }
  }

  private static let ways = [
    Way(
      provider: "openai-chat", server: "openai", url: "https://api.openai.com/v1/responses/input_tokens",
      members: ["input", "instructions", "model", "text", "tools"]),
    Way(
      provider: "openai-responses", server: "openai", endpoint: "https://api.openai.com/v1/responses",
      url: "https://api.openai.com/v1/responses/input_tokens",
      members: ["input", "instructions", "model", "text", "tools"]),
    Way(
      provider: "openai-responses", server: "llama.cpp",
      url: "http://127.0.0.1:8080/v1/responses/input_tokens",
      members: ["input", "instructions", "model", "tools"]),
    Way(
      provider: "anthropic", server: "anthropic", url: "https://api.anthropic.com/v1/messages/count_tokens",
      members: ["messages", "model", "output_config", "system", "tools"]),
    Way(
      provider: "anthropic", server: "vllm", endpoint: "http://h:8000/v1", url: "http://h:8000/tokenize",
      members: ["add_generation_prompt", "messages", "model", "tools"]),
    Way(
      provider: "gemini", server: "google",
      url: "https://generativelanguage.googleapis.com/v1beta/models/m:countTokens",
      members: ["generateContentRequest"]),
    Way(
      provider: "gemini", server: "vertex", endpoint: "https://h/v1/projects/p/publishers/google",
      url: "https://h/v1/projects/p/publishers/google/models/m:countTokens",
      members: ["contents", "generationConfig", "systemInstruction", "tools"]),
  ]

  @Test(arguments: ways)
  private func eachDialectsWay(way: Way) async throws {
    var profile = Profile(name: "p", provider: way.provider, model: "m")
    profile.server = way.server
    profile.endpoint = way.endpoint
    profile.key = .environment("KEY")
    profile.tools = [ToolDefinition(name: "find", summary: nil, parameters: ["type": "object"])]
    profile.parameters.maxOutputTokens = 4096
    profile.parameters.temperature = 1
    if !["llama.cpp", "vllm"].contains(way.server) { profile.responseSchema = ["type": "object"] }
    let (provider, exchange) = try make([.json(200, #"{"input_tokens":7,"totalTokens":7}"#)], profile)
    #expect(await provider.countInput(call(profile, instructions: "Be brief.")) == .counted(7))
    let request = try #require(exchange.requests.first)
    #expect(request.http.url == way.url)
    let body = try #require(request.body.objectValue)
    #expect(body.members.map(\.key).sorted() == way.members)
    if let whole = body["generateContentRequest"]?.objectValue {
      #expect(whole["model"] == "models/m")
      #expect(
        whole.members.map(\.key).sorted()
          == ["contents", "generationConfig", "model", "systemInstruction", "tools"])
    }
  }

  @Test func aServerWithoutAWayIsNotAsked() async throws {
    let (provider, exchange) = try make([Self.counted], chatProfile())
    #expect(await provider.countInput(call(chatProfile())) == nil)
    #expect(exchange.requests.isEmpty)
  }

  @Test func vLLM() async throws {
    let profile = chatProfile { $0.server = "vllm" }
    let (provider, exchange) = try make(
      [.json(200, #"{"count":4,"max_model_len":8192,"tokens":[]}"#)], profile)
    #expect(await provider.countInput(call(profile)) == .counted(4))
    #expect(exchange.requests[0].http.url == "http://127.0.0.1:9/tokenize")
    #expect(
      exchange.requests[0].body == [
        "model": "m", "messages": [["role": "user", "content": "Hi"]], "add_generation_prompt": true,
      ])
  }

  @Test func aRecordingHoldsTheCountsToo() async throws {
    let bench = try RecordingBench()
    let json = [("Content-Type", "application/json")]
    let answers = CannedAnswers([
      .init(headers: json, reads: [#"{"default_generation_settings":{"n_ctx":4096}}"#]),
      .init(headers: json, reads: [#"{"input_tokens":17}"#]),
    ])
    func ask(_ exchange: any Exchange, _ text: String) async throws -> (ContextWindowAnswer?, InputCount?) {
      let made = try ProviderFactory(exchange: exchange, environment: ["KEY": "sk-1"]).make(llama())
      let provider = made as? any TokenCounting
      let window = await provider?.contextWindow(of: llama(), timeouts: CallTimeouts())
      return (window, await provider?.countInput(call(llama(), [Message(.user, text)])))
    }
    let recorder = try StreamRecorder(answers, to: bench.path, header: RecordingBench.header) { ["sk-1"] }
    let live = try await ask(recorder, "Hi")
    #expect(live.0 == .window(ContextWindow(tokens: 4096)) && live.1 == .counted(17))
    let replay = ReplayExchange(try Recording(path: bench.path), pace: .instant)
    let replayed = try await ask(replay, "Hi")
    #expect(replayed.0 == live.0 && replayed.1 == live.1)
    // Another input was not counted.
    #expect(try await ask(replay, "Ho").1 == nil)
  }

  @Test func theStateMovesOnlyForTheWayThatWasTried() {
    var state = CountingState(recipes: 2)
    state.learn(.refused(status: 404), from: 0)
    state.learn(.refused(status: 404), from: 0)
    #expect(state.recipe == 1)
    state.learn(.refused(status: 429), from: 1)
    state.learn(.failed, from: 1)
    state.learn(.value(.null), from: 1)
    state.learn(.failed, from: 1)
    state.learn(.failed, from: 1)
    #expect(state.recipe == 1)
    state.learn(.refused(status: 500), from: 1)
    #expect(state.recipe == nil)
    #expect(CountingState(recipes: 0).recipe == nil)
  }
}

struct ContextWindowTests {
  private func window(
    _ server: String, _ responses: [ScriptedExchange.Response], _ change: (inout Profile) -> Void = { _ in }
  ) async throws -> (ContextWindowAnswer, [String]) {
    let profile = chatProfile {
      $0.server = server
      change(&$0)
    }
    let exchange = ScriptedExchange(responses)
    let provider = try ProviderFactory(exchange: exchange, environment: [:]).make(profile)
    let counting = try #require(provider as? any TokenCounting)
    return (
      await counting.contextWindow(of: profile, timeouts: CallTimeouts()), exchange.requests.map(\.http.url)
    )
  }

  @Test func llamaCpp() async throws {
    let props = #"{"default_generation_settings":{"id":0,"n_ctx":4096},"total_slots":2}"#
    #expect(
      try await window("llama.cpp", [.json(200, props)]).0 == .window(ContextWindow(tokens: 4096)))
    let models = #"{"data":[{"id":"x","aliases":["m"],"meta":{"n_ctx":2048,"n_ctx_train":8192}}]}"#
    let (answer, urls) = try await window("llama.cpp", [.json(501, "{}"), .json(200, models)])
    #expect(answer == .window(ContextWindow(tokens: 2048)))
    #expect(urls == ["http://127.0.0.1:9/props", "http://127.0.0.1:9/v1/models"])
  }

  @Test(arguments: [
    #"{"data":[{"id":"n","max_model_len":1},{"id":"m","max_model_len":8192}]}"#,
    #"{"data":[{"id":"m","context_length":9000,"top_provider":{"context_length":8192}}]}"#,
    #"{"data":[{"id":"m","context_window":8192}]}"#, #"{"data":[{"id":"m","max_context_length":8192}]}"#,
    #"{"id":"m","loaded_context_length":8192,"max_context_length":32768}"#,
    #"{"id":"m","max_input_tokens":8192,"max_tokens":64}"#,
    #"{"models":[{"name":"m:latest","context_length":8192}]}"#,
    #"{"parameters":"stop \"<|end|>\"\nnum_ctx                        8192\ntemperature 1"}"#,
  ])
  func formsOfTheSameAnswer(body: String) async throws {
    #expect(try await window("generic", [.json(200, body)]).0 == .window(ContextWindow(tokens: 8192)))
  }

  @Test func geminisLimitIsTheInputs() throws {
    let body = try JSONValue.parse(#"{"name":"models/m","inputTokenLimit":1048576,"outputTokenLimit":65536}"#)
    #expect(WindowBody.read(body, model: "m") == ContextWindow(tokens: 1_048_576, holdsOutput: false))
  }

  @Test(arguments: [
    #"{"data":[{"id":"other","max_model_len":8192}]}"#, #"{"data":[{"id":"m"}]}"#, #"{"data":[]}"#, "[]",
    #"{"context_length":0}"#, #"{"context_length":-5}"#, #"{"context_length":"8192"}"#,
    #"{"context_length":1e30}"#, #"{"parameters":"num_ctx many"}"#,
    #"{"model_info":{"llama.context_length":131072}}"#,
  ])
  func whatDoesNotSay(body: String) async throws {
    #expect(try await window("generic", [.json(200, body)]).0 == .unknown("generic does not say"))
  }

  @Test func whyItIsNotKnown() async throws {
    #expect(try await window("generic", [.json(401, "{}")]).0 == .unknown("the server answered 401"))
    let gone = ScriptedExchange.Response(end: .failed(code: 7, message: "refused"))
    #expect(try await window("generic", [gone]).0 == .unknown("the server could not be asked"))
    let (answer, urls) = try await window("openai", [])
    #expect(answer == .unknown("openai does not say") && urls.isEmpty)
  }

  @Test func applesWindowsNeedNoQuestion() async throws {
    let (answer, urls) = try await window("fm-serve", []) { $0.model = "system" }
    #expect(answer == .window(ContextWindow(tokens: 4096)) && urls.isEmpty)
  }

  @Test(arguments: [
    ("anthropic", nil, "https://api.anthropic.com/v1/models/m"),
    ("gemini", nil, "https://generativelanguage.googleapis.com/v1beta/models/m"),
    ("ollama", nil, "http://127.0.0.1:11434/api/ps"),
    ("ollama", "http://127.0.0.1:9/api", "http://127.0.0.1:9/api/ps"),
  ])
  func whereOtherDialectsAsk(provider: String, endpoint: String?, url: String) async throws {
    var profile = Profile(name: "p", provider: provider, model: "m")
    profile.endpoint = endpoint
    profile.key = .environment("KEY")
    let exchange = ScriptedExchange([.json(200, #"{"max_input_tokens":200000}"#)])
    let made = try ProviderFactory(exchange: exchange, environment: ["KEY": "k"]).make(profile)
    let answer = await (made as? any TokenCounting)?.contextWindow(of: profile, timeouts: CallTimeouts())
    #expect(answer == .window(ContextWindow(tokens: 200_000)))
    #expect(exchange.requests.map(\.http.url) == [url])
  }

  @Test func ollamaRunsWithWhatTheRequestOrTheModelfileSays() async throws {
    let (stated, none) = try await window("ollama", []) { $0.extraBody = ["options": ["num_ctx": 16384]] }
    #expect(stated == .window(ContextWindow(tokens: 16384)) && none.isEmpty)
    let (answer, urls) = try await window(
      "ollama", [.json(200, #"{"models":[]}"#), .json(200, #"{"parameters":"num_ctx 2048"}"#)])
    #expect(answer == .window(ContextWindow(tokens: 2048)))
    #expect(urls == ["http://127.0.0.1:9/api/ps", "http://127.0.0.1:9/api/show"])
  }
}
