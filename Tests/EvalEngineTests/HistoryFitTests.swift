import EvalCore
import Testing

@testable import EvalEngine

@Suite struct HistoryFitTests {
  /// A word of four letters: about a token, five bytes.
  private func words(_ count: Int) -> String { String(repeating: "word ", count: count) }

  private func fit(
    _ messages: [Message], window: Int, output: Int? = nil, trims: Bool = true, holdsOutput: Bool = true
  ) -> HistoryFit {
    let profile = Profile(name: "p", provider: "x", model: "m")
    return HistoryFit(
      messages: messages,
      estimate: TokenEstimate.Input(profile: profile, instructions: nil, messages: messages),
      window: ContextWindow(tokens: window, holdsOutput: holdsOutput), outputLimit: output, trims: trims)
  }

  private func sent(_ step: HistoryFit.Step) throws -> HistoryFit.Fitted {
    guard case .send(let fitted) = step else { throw Wrong(step: "\(step)") }
    return fitted
  }

  private func asked(_ step: HistoryFit.Step) throws -> [Message] {
    guard case .count(let messages) = step else { throw Wrong(step: "\(step)") }
    return messages
  }

  private struct Wrong: Error { var step: String }

  private var chat: [Message] {
    [
      Message(.user, "first " + words(100)), Message(.assistant, words(100)),
      Message(.user, "second " + words(100)), Message(.assistant, words(100)),
      Message(.user, "third " + words(100)),
    ]
  }

  @Test func `What fits by its bytes is sent without a count`() throws {
    let fitted = try sent(fit([Message(.user, "Hi")], window: 4096, output: 512).begin())
    #expect(fitted == HistoryFit.Fitted(messages: [Message(.user, "Hi")]))
  }

  @Test func `The server's count decides, and what fits is sent whole`() throws {
    var fit = fit(chat, window: 1000, output: 100)
    #expect(try asked(fit.begin()) == chat)
    let fitted = try sent(fit.counted(.counted(900)))
    #expect(fitted.messages == chat && fitted.notes.isEmpty && !fitted.exceeds)
  }

  @Test func `One token too many drops the oldest turn, which is counted again`() throws {
    var fit = fit(chat, window: 1000, output: 100)
    let rest = try asked(fit.counted(.counted(901)))
    #expect(rest == Array(chat.dropFirst(2)))
    let fitted = try sent(fit.counted(.counted(560)))
    #expect(fitted.messages == rest && fitted.droppedTurns == 1 && !fitted.exceeds)
    #expect(
      fitted.notes == [
        "left out of the history: the oldest turn (2 messages); 560 input tokens by the server's count are sent"
      ])
  }

  @Test func `A count of the whole tells how many turns to drop at once`() throws {
    // The server counts ten tokens for each of the estimate's: two turns must go.
    var fit = fit(chat, window: 2000)
    let rest = try asked(fit.counted(.counted(5300)))
    #expect(rest == [chat[4]])
    // Nothing is left to drop: it is sent, and said.
    let fitted = try sent(fit.counted(.counted(2500)))
    #expect(fitted.messages == [chat[4]] && fitted.droppedTurns == 2 && fitted.exceeds)
    #expect(fitted.notes.count == 2)
    #expect(
      fitted.notes[1]
        == "2500 input tokens by the server's count and an answer of 1 exceed the window of 2000")
  }

  @Test func `Without a server the estimate's upper bound has to fit`() throws {
    let whole = TokenEstimate.Input(
      profile: Profile(name: "p", provider: "x", model: "m"), instructions: nil, messages: chat
    ).total
    // Between the estimate and its upper bound: it may not fit, so the oldest turn goes.
    var doubtful = fit(chat, window: whole.tokens + 2)
    let fitted = try sent(doubtful.counted(nil))
    #expect(fitted.droppedTurns == 1 && !fitted.exceeds)
    #expect(fitted.notes[0].contains("(estimate, "))
    var wide = fit(chat, window: whole.high + 1)
    #expect(try sent(wide.counted(nil)).droppedTurns == 0)
  }

  @Test func `Without trimming everything is sent, with a note when it surely exceeds`() throws {
    let estimate = TokenEstimate.Input(
      profile: Profile(name: "p", provider: "x", model: "m"), instructions: nil, messages: chat
    ).total
    var sure = fit(chat, window: estimate.low, trims: false)
    let fitted = try sent(sure.counted(nil))
    #expect(fitted.messages == chat && fitted.exceeds && fitted.droppedTurns == 0)
    #expect(fitted.notes.count == 1)
    // In doubt nothing is claimed.
    var unsure = fit(chat, window: estimate.low + 1, trims: false)
    #expect(try sent(unsure.counted(nil)).notes.isEmpty)
    var counted = fit(chat, window: 500, output: 100, trims: false)
    #expect(
      try sent(counted.counted(.counted(401))).notes
        == ["401 input tokens by the server's count and an answer of 100 exceed the window of 500"])
  }

  @Test func `A window of the input alone leaves the answer out`() throws {
    var apart = fit(chat, window: 500, output: 400, holdsOutput: false)
    #expect(try sent(apart.counted(.counted(500))).droppedTurns == 0)
    var together = fit(chat, window: 500, output: 400)
    #expect(try asked(together.counted(.counted(500))).count < chat.count)
  }

  @Test func `Tool calls go with their results; system messages and the last turn stay`() throws {
    let call = ToolCall(id: "1", name: "find", arguments: [:])
    let messages = [
      Message(.assistant, "Welcome. " + words(50)),
      Message(.system, "Be brief."),
      Message(.user, words(50)),
      Message(role: .assistant, parts: [], toolCalls: [call]),
      Message(role: .tool, parts: [.text(words(50))], toolCallID: "1", toolName: "find"),
      Message(.assistant, "Found."),
      Message(.user, "And now?"),
      Message(role: .assistant, parts: [], toolCalls: [call]),
      Message(role: .tool, parts: [.text(words(50))], toolCallID: "1", toolName: "find"),
    ]
    #expect(HistoryFit.oldTurns(of: messages) == [[0], [2, 3, 4, 5]])
    #expect(HistoryFit.oldTurns(of: [Message(.user, "one")]) == [])
    #expect(HistoryFit.oldTurns(of: []) == [])
    var fit = fit(messages, window: 10)
    let rest = try asked(fit.counted(.counted(1000)))
    #expect(rest == [messages[1]] + messages[6...])
    #expect(try sent(fit.counted(.counted(100))).exceeds)
  }

  @Test func `An answer as long as the window leaves no room`() throws {
    var fit = fit([Message(.user, "Hi")], window: 100, output: 100, trims: false)
    #expect(try asked(fit.begin()) == [Message(.user, "Hi")])
    #expect(try sent(fit.counted(nil)).exceeds)
  }
}
