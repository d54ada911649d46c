import EvalCore
import Synchronization
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

  /// Keeps what it is given.
  private final class Looker: Grader {
    let seen = Mutex<[Subject]>([])
    func grade(_ subject: Subject) async -> Verdict {
      seen.withLock { $0.append(subject) }
      return Verdict(.verdict(true))
    }
  }

  @Test func `A check sees every call of a turn, and every turn before it`() async throws {
    var bench = Bench()
    let looker = Looker()
    bench.makeGrader = { _ in looker }
    let tool = ToolDefinition(name: "find", summary: nil, parameters: ["type": "object"])
    bench.profiles[0].tools = [tool]
    let results = [
      ScriptedToolResult(tool: "find", result: "found"), ScriptedToolResult(tool: "send", result: "ok"),
    ]
    bench.cases = [
      Case(
        id: "rounds",
        turns: [
          Turn(content: [.text("go")], toolResults: results), Turn(content: [.text("thanks")]),
        ],
        checks: [CheckSpec(kind: "look", argument: true)])
    ]
    bench.providers = [
      "local": ScriptedProvider { call, number in
        if number == 2 { return .failure(.serverError) }
        var reply = ProviderReply.text(number > 3 ? "answer \(number)" : "")
        if number == 1 { reply.toolCalls = [ToolCall(id: "a", name: "find", arguments: ["q": 1])] }
        if number == 3 {
          reply.toolCalls = [
            ToolCall(id: "b", name: "send", arguments: ["to": "x"]),
            ToolCall(id: "c", name: "find", arguments: [:]),
          ]
        }
        return reply
      }
    ]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    // The second step is tried again after a failure.
    #expect(trial.attempts.map(\.step) == [0, 1, 1, 2, 0])
    let seen = try #require(looker.seen.withLock { $0 }.first)
    #expect(seen.answer.text == "answer 5" && seen.answer.toolCalls.isEmpty && seen.tools == [tool])
    let first = try #require(seen.earlier.first)
    #expect(first.answer.toolCalls.map(\.id) == ["a", "b", "c"] && first.answer.text == "answer 4")
    #expect(first.turn == 0 && first.input == "go" && first.earlier.isEmpty && seen.earlier.count == 1)
    #expect(seen.turns.map(\.toolCalls.count) == [3, 0])
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
