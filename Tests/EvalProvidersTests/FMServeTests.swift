import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

/// Apple's `fm serve`, as its documentation describes it.
@Suite(.timeLimit(.minutes(1))) struct FMServeTests {
  private func ask(_ script: @escaping StubServer.Script) async throws -> (ProviderReply, StubServer) {
    let server = try StubServer(script)
    let transport = HTTPTransport.forTests(1)
    defer {
      transport.shutdown()
      server.stop()
    }
    let profile = chatProfile(server.url + "/v1") {
      $0.server = "fm-serve"
      $0.model = "system"
      $0.parameters.seed = 7
    }
    let reply = try await ProviderFactory(transport: transport, environment: [:]).make(profile).send(
      call(profile))
    return (reply, server)
  }

  @Test func aPromptOfNoTokensIsNotCounted() async throws {
    let (reply, server) = try await ask { _, reply in
      reply.sseHead()
      for text in chatStream(
        ["Hel", "lo"], usage: #"{"prompt_tokens":0,"completion_tokens":2,"total_tokens":2}"#)
      {
        reply.chunk(text)
      }
    }
    #expect(reply.outcome == .ok && reply.text == "Hello")
    #expect(reply.usage == Usage(output: 2))
    #expect(reply.notes == ["fm-serve takes no seed; it was not sent"])
    let body = try JSONValue.parse(server.requests[0].body)
    #expect(body["model"] == "system" && body["seed"] == nil)
    #expect(server.requests[0].header("authorization") == nil)
  }

  @Test func aGuardrailStopsInTheMiddle() async throws {
    let (reply, _) = try await ask { _, reply in
      reply.sseHead()
      reply.chunk(chatStream(["I would"])[0])
      reply.sleep(ms: 20)
      reply.chunk(#"data: {"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}"# + "\n\n")
      reply.chunk("data: [DONE]\n\n")
    }
    #expect(reply.outcome == .refused)
    #expect(reply.finish == .contentFilter && reply.rawFinish == "content_filter")
    #expect(reply.text == "I would")
    #expect(reply.usage == nil)
  }

  @Test func whatIsKnownOfIt() throws {
    let profile = chatProfile("http://127.0.0.1:1976/v1")
    let traits = try #require(ProviderRegistry.server(of: profile))
    #expect(traits.name == "fm-serve" && traits.parallelCalls == 1)
    #expect(traits.contextSizes == ["system": 4096, "pcc": 32768])
  }
}
