import EvalTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct PromptTests {
  @Test func `One prompt streams to standard output and ends with one line of figures`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sseHead()
      for word in ["Swift", " is", " swift"] {
        reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(word)\"}}]}\n\n")
        reply.sleep(ms: 30)
      }
      reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
      reply.chunk(
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3,\"total_tokens\":10}}\n\n"
      )
      reply.chunk("data: [DONE]\n\n")
      reply.finish()
    }
    defer { server.stop() }
    let result = try await tool.run([
      "prompt", "What is Swift?", "--endpoint", server.url + "/v1", "--model", "m", "--instructions",
      "Be brief.",
      "--temperature", "0", "--max-tokens", "9",
    ])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output == "Swift is swift\n")
    #expect(result.errors.contains("first token") && result.errors.contains("tokens 7 in, 3 out"))
    #expect(result.errors.contains("cost unknown"), "nobody gave a price")
    let body = try #require(server.requests.first?.bodyText)
    for part in ["What is Swift?", "Be brief.", "\"temperature\":0", "9"] { #expect(body.contains(part)) }
    #expect(tool.files().keys.allSatisfy { !$0.hasSuffix(".sqlite") }, "nothing is stored")
  }

  @Test func `Several profiles answer side by side`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { request, reply in
      reply.answer(request.bodyText.contains("\"two\"") ? "from two" : "from one")
    }
    defer { server.stop() }
    try tool.write(
      "s.json",
      """
      {"version": 1, "name": "s",
       "profiles": {"a": {"endpoint": "\(server.url)/v1", "model": "one", "price": "free"},
                    "b": {"extends": "a", "model": "two"}},
       "cases": [{"id": "x", "input": "hi", "checks": [{"contains": "x"}]}]}
      """)
    let result = try await tool.run(["prompt", "hi", "--suite", "s.json", "--profile", "a", "--profile", "b"])
    #expect(result.code == 0, "\(result.errors)")
    let row = result.output.split(separator: "\n").first { $0.contains("from one") }
    #expect(row?.contains("from two") == true, "\(result.output)")
    #expect(result.errors.components(separatedBy: "cost $0").count == 3)
  }

  @Test func `A failed call is said with its class and exits with 4`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.json(429, #"{"error": {"message": "slow down", "code": "rate_limit_exceeded"}}"#)
    }
    defer { server.stop() }
    let result = try await tool.run(["prompt", "hi", "--endpoint", server.url + "/v1", "--model", "m"])
    #expect(result.code == 4)
    #expect(result.errors.contains("rateLimited: slow down"))
  }

  @Test(arguments: [
    ["prompt", "hi"], ["prompt"], ["prompt", "hi", "--profile", "a"], ["prompt", "-", "--model", "m"],
  ])
  func `Wrong prompts are refused`(arguments: [String]) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try await tool.run(arguments).code == 2)
  }
}
