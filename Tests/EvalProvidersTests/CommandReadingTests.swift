import EvalCore
import Testing

@testable import EvalProviders

/// The reading without a process: reads and stamps by hand.
@Suite struct CommandReadingTests {
  private func read(
    _ reads: [String], output: CommandOptions.Output = .events, end: TransferEnd = .complete
  ) -> ProviderReply {
    var reading = CommandReading(output: output, isStream: true)
    for (place, read) in reads.enumerated() {
      Array(read.utf8).withUnsafeBytes {
        _ = reading.body($0, at: Int64(place + 1) * 1000, readSequence: place)
      }
    }
    return CommandReply(end: end).reply(from: reading)
  }

  @Test func byteByByteIsTheSame() {
    let lines =
      #"{"reasoning": "h\u00e9"}"# + "\r\n\n" + #"{"text": "\ud83c"}"# + "\n" + #"{"text": "\udf89!"}"# + "\n"
      + #"{"usage": {"input": 1, "output": 2}, "finish": "length"}"# + "\n"
    for reads in [[lines], lines.unicodeScalars.map { String($0) }] {
      let reply = read(reads)
      #expect(reply.outcome == .ok)
      #expect(reply.text == "🎉!" && reply.reasoning == "hé")
      #expect(reply.usage == Usage(input: 1, output: 2))
      #expect(reply.finish == .length)
    }
  }

  @Test func anEventHasTheStampOfTheReadInWhichItEnds() {
    let reply = read([
      #"{"te"#, #"xt": "a"}"#, "\n", #"{"text": "b"}"# + "\n" + #"{"text": "c"}"# + "\n", "{}\n",
    ])
    #expect(reply.timeline.firstToken == 3000 && reply.timeline.lastToken == 4000)
    #expect(reply.timeline.tokenReads == [TokenRead(at: 3000, events: 1), TokenRead(at: 4000, events: 2)])
    #expect(reply.timeline.firstEvent == 3000)
  }

  @Test func aSnapshotThatDoesNotGoOnTakesThePlace() {
    var pieces: [StreamPiece] = []
    var reading = CommandReading(output: .events, isStream: true)
    reading.onPiece = { pieces.append($0) }
    for snapshot in ["The cat", "The c", "The dog barks", "The dog barks."] {
      let line = JSONValue.object(["snapshot": .string(snapshot)]).serialized(.compact) + "\n"
      Array(line.utf8).withUnsafeBytes { _ = reading.body($0, at: 1, readSequence: 0) }
    }
    let reply = CommandReply(end: .complete).reply(from: reading)
    #expect(reply.text == "The dog barks.")
    #expect(reply.notes == ["a snapshot of the text does not go on from the one before; the last one counts"])
    #expect(reading.deltaCount == 0)
    #expect(pieces.last == .text("."))
  }

  @Test func aSnapshotMayEndWithinACharacter() {
    let reply = read([
      #"{"snapshot": "a\ud83c"}"# + "\n", #"{"snapshot": "a\ud83c\udf89"}"# + "\n",
      #"{"reasoningSnapshot": "x"}"# + "\n" + #"{"reasoningSnapshot": "xy", "text": "!"}"# + "\n",
      #"{"finish": "stop"}"# + "\n",
    ])
    #expect(reply.text == "a🎉!" && reply.reasoning == "xy")
    #expect(reply.notes.isEmpty)
  }

  @Test func toolCallsInPieces() {
    let reply = read([
      #"{"toolCall": {"index": 0, "id": "1", "name": "f", "arguments": "{\"x\""}}"# + "\n",
      #"{"toolCall": {"index": 0, "arguments": ": 1}"}}"# + "\n" + #"{"toolCall": {"name": "g"}}"# + "\n",
      #"{"finish": "tool_calls"}"# + "\n",
    ])
    #expect(
      reply.toolCalls == [
        ToolCall(id: "1", name: "f", arguments: ["x": 1]), ToolCall(id: nil, name: "g", arguments: [:]),
      ])
    #expect(reply.finish == .toolCalls)
  }

  @Test func whatComesAfterTheFinish() {
    let reply = read([
      #"{"text": "a", "finish": "stop"}"# + "\n" + #"{"text": "b"}"# + "\n",
      #"{"usage": {"input": -1, "output": 5}}"# + "\n",
    ])
    #expect(reply.text == "a" && reply.outcome == .ok)
    #expect(reply.usage == Usage(output: 5))
    #expect(reply.notes == ["the program writes 'text' after its finish; it is left out"])
  }

  @Test func aLimitAfterTheFinishTakesNothingBack() {
    let reply = read([#"{"text": "a", "finish": "stop"}"# + "\n"], end: .timeout(.total))
    #expect(reply.outcome == .ok)
    #expect(reply.notes == ["after the end of the answer: not finished within the total time limit"])
  }

  @Test func aCutTextIsKeptAsItIs() {
    let cut = read(["half\n"], output: .text, end: .timeout(.stall))
    #expect(cut.failure == .stallTimeout && cut.text == "half" && cut.finish == nil)
    #expect(read(["a\r\n"], output: .text).text == "a")
    #expect(read(["a\n", "\n", "b\n"], output: .text).text == "a\n\nb")
    #expect(read(["a\n", "\n", "b\n"], output: .text).timeline.tokenReads.map(\.at) == [1000, 3000])
  }
}
