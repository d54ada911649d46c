import EvalCore
import Testing

@testable import EvalEngine

@Suite struct ConversationTests {
  @Test func `Later turns carry the model's real answers, and each turn is an attempt of its own`()
    async throws
  {
    var bench = Bench()
    bench.cases = [
      Case(
        id: "chat", history: [Message(.user, "hello"), Message(.assistant, "hi")],
        turns: [
          Turn(content: [.text("one")], checks: [CheckSpec(kind: "contains", argument: "first")]),
          Turn(content: [.text("two")]),
        ], checks: [CheckSpec(kind: "contains", argument: "second")])
    ]
    let provider = ScriptedProvider { _, number in .text(number == 1 ? "first" : "second") }
    bench.providers = ["local": provider]
    _ = await bench.run()
    #expect(provider.calls[1].messages.map(\.text) == ["hello", "hi", "one", "first", "two"])
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.attempts.map(\.turn) == [0, 1])
    #expect(trial.scores.map(\.turn) == [0, nil])
    #expect(trial.score.passed == true)
  }

  @Test func `A turn that fails ends the conversation and the later checks are unscored`() async throws {
    var bench = Bench()
    bench.settings.retries.limit = 0
    bench.cases = [
      Case(
        id: "chat",
        turns: [
          Turn(content: [.text("one")], checks: [CheckSpec(kind: "contains", argument: "first")]),
          Turn(content: [.text("two")], checks: [CheckSpec(kind: "contains", argument: "x")]),
        ])
    ]
    bench.providers = [
      "local": ScriptedProvider { _, number in number == 1 ? .text("first") : .failure(.network) }
    ]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.status == .failed)
    #expect(trial.scores[0].judgement == .verdict(true))
    guard case .unscored(.noAnswer, _) = trial.scores[1].judgement else {
      Issue.record("\(trial.scores[1].judgement)")
      return
    }
  }

  @Test func `Tools are answered from the script until the model stops asking`() async throws {
    var bench = Bench()
    let results = [
      ScriptedToolResult(tool: "weather", arguments: ["city": "Oslo"], result: "snow"),
      ScriptedToolResult(tool: "weather", result: "sun"),
    ]
    bench.cases = [
      Case(
        id: "tools", turns: [Turn(content: [.text("weather?")], toolResults: results)],
        checks: [CheckSpec(kind: "contains", argument: "snow and sun")])
    ]
    let provider = ScriptedProvider { call, number in
      guard number == 1 else {
        return .text(call.messages.suffix(2).map(\.text).joined(separator: " and "))
      }
      var reply = ProviderReply.text("")
      reply.toolCalls = [
        ToolCall(id: "a", name: "weather", arguments: ["city": "Oslo", "unit": "C"]),
        ToolCall(id: "b", name: "weather", arguments: ["city": "Rome"]),
      ]
      reply.finish = .toolCalls
      return reply
    }
    bench.providers = ["local": provider]
    _ = await bench.run()
    #expect(provider.calls[1].messages.map(\.role) == [.user, .assistant, .tool, .tool])
    #expect(provider.calls[1].messages.last?.toolCallID == "b")
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.attempts.map(\.step) == [0, 1])
    #expect(trial.score.passed == true)
  }

  @Test func `A model that never stops calling tools is stopped`() async throws {
    var bench = Bench()
    bench.cases = [
      Case(
        id: "loop",
        turns: [
          Turn(content: [.text("go")], toolResults: [ScriptedToolResult(tool: "t", result: "again")])
        ])
    ]
    let provider = ScriptedProvider { _, _ in
      var reply = ProviderReply.text("")
      reply.toolCalls = [ToolCall(id: nil, name: "t", arguments: [:])]
      return reply
    }
    bench.providers = ["local": provider]
    _ = await bench.run()
    #expect(provider.calls.count == ArmCall.maxSteps)
  }
}
