import EvalCore
import Testing

@Suite struct StoredContentTests {
  @Test func `A request reads back as it was sent`() throws {
    let call = ToolCall(id: "1", name: "find", arguments: ["q": "x"])
    let request = RequestSnapshot(
      instructions: "Be short.",
      messages: [
        Message(.user, "Hallo"),
        Message(
          role: .user,
          parts: [.text("What is this?"), .image(ImageContent(mediaType: "image/png", base64: "AA=="))]),
        Message(role: .assistant, parts: [.text("Let me look.")], toolCalls: [call]),
        Message(role: .tool, parts: [.text("a cat")], toolCallID: "1", toolName: "find"),
      ])
    let back = try RequestSnapshot(stored: JSONValue.parse(request.json.serialized()))
    #expect(back.instructions == request.instructions)
    #expect(back.messages == request.messages)
  }
}
