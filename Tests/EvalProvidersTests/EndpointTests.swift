import EvalCore
import Testing

@testable import EvalProviders

struct EndpointTests {
  @Test(arguments: [
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions"),
    ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/chat/completions"),
    ("https://API.example.com/v1/", "https://api.example.com/v1/chat/completions"),
    ("https://h:443/base", "https://h/base/chat/completions"),
    ("https://h/x/chat/completions", "https://h/x/chat/completions"),
    ("http://[::1]:9/v1", "http://[::1]:9/v1/chat/completions"),
    ("https://h/v1?api-version=2", "https://h/v1/chat/completions?api-version=2"),
    ("https://h?a=b", "https://h/v1/chat/completions?a=b"),
  ])
  func url(endpoint: String, expected: String) throws {
    #expect(try Endpoint(endpoint).url(basePath: "/v1", path: "/chat/completions") == expected)
  }

  @Test(arguments: [
    "", "localhost:8080", "ftp://h/v1", "http://", "http:///v1", "https://h:0/v1", "https://h:70000",
    "https://h:x",
    "https://user:pass@h/v1", "https://h/v 1", "https://h/\n", "https://[::1/v1", "https://h/v1#x",
    "not a url",
    "https://h:-1",
  ])
  func notAURL(endpoint: String) {
    #expect(throws: Problem.self) { try Endpoint(endpoint) }
  }

  @Test func problemsNameTheirPlace() {
    var profile = chatProfile("localhost:80")
    profile.server = "lama.cpp"
    profile.key = .literal("sk-1")
    let problems = ProviderRegistry.all.first { $0.name == "openai-chat" }!.validate(profile)
    #expect(problems.map(\.path) == ["server", "endpoint", "key"])
    #expect(problems.first?.advice == "did you mean 'llama.cpp'?")
  }

  /// Not only a suite names endpoints: `evalrun prompt --endpoint` comes here alone.
  @Test(arguments: ["API_KEY=abc", "sig=abc", "code=abc", "x=sk-abcabcabcabcabcabc", "X-Amz-Signature=abc"])
  func aKeyInTheQueryIsRefused(parameter: String) {
    let problems = ProviderRegistry.all.first!.validate(chatProfile("https://h/v1?y=1&\(parameter)"))
    #expect(problems.map(\.path) == ["endpoint"])
    #expect(!problems[0].message.contains("abc"))
  }
}
