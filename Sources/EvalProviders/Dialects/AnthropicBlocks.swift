import EvalCore

/// The content blocks of one answer: its tool calls, and what goes back on the next turn.
struct AnthropicBlocks {
  private enum Kind { case text, thinking, tool, other }

  private struct Block {
    var kind: Kind
    var index: Int64?
    /// As it began, without what its deltas bring.
    var start: JSONObject
    /// The text, the thought, or the input as JSON text.
    var grown = AnswerText()
    var signature: JSONValue?
    /// The block began with its whole input; deltas could only repeat it.
    var hasInput = false
  }

  private var blocks: [Block] = []

  mutating func start(_ view: JSONView, _ index: Int64?, into answer: inout Answer) {
    guard let start = view.value.objectValue else { return }
    let kind = Self.kind(of: view)
    var block = Block(kind: kind, index: index, start: start)
    switch kind {
    case .text:
      if let text = view["text"], block.grown.append(text) { answer.addText(text) }
    case .thinking:
      if let text = view["thinking"], block.grown.append(text) { answer.addReasoning(text) }
    case .tool:
      let input = view["input"].flatMap {
        $0.kind == .object && $0.count > 0 || $0.kind == .string ? $0 : nil
      }
      block.hasInput = input.map { !$0.isEmptyString } ?? false
      answer.addTool(
        .init(index: blocks.count, id: view["id"]?.string, name: view["name"]?.string, arguments: input))
    case .other: break
    }
    blocks.append(block)
  }

  mutating func addText(_ text: JSONView, _ index: Int64?) {
    guard let place = place(index), blocks[place].kind == .text || blocks[place].kind == .thinking else {
      return
    }
    _ = blocks[place].grown.append(text)
  }

  /// The input of a tool that the server runs itself is no call.
  mutating func addInput(_ json: JSONView, _ index: Int64?, into answer: inout Answer) {
    guard let place = place(index), !blocks[place].hasInput else { return }
    guard blocks[place].grown.append(json), blocks[place].kind == .tool else { return }
    answer.addTool(.init(index: place, id: nil, name: nil, arguments: json))
  }

  mutating func sign(_ signature: JSONView, _ index: Int64?) {
    guard let place = place(index) else { return }
    blocks[place].signature = signature.value
  }

  /// The block that an event goes on with: the last of its index, since a server may number each block 0.
  private func place(_ index: Int64?) -> Int? {
    guard let index else { return blocks.indices.last }
    return blocks.lastIndex { $0.index == index }
  }

  private static func kind(of view: JSONView) -> Kind {
    guard let type = view["type"] else { return .other }
    if type.stringEquals("text") { return .text }
    if type.stringEquals("thinking") { return .thinking }
    return type.stringEquals("tool_use") ? .tool : .other
  }
}

// MARK: - What goes back

extension AnthropicBlocks {
  /// Every block in its order, when they hold more than text and calls; `nil` when text and calls are all there is, or
  /// when a call's input is no object, which the server would refuse.
  var toSendBack: [JSONValue]? {
    guard blocks.contains(where: { $0.kind == .thinking || $0.kind == .other }) else { return nil }
    var content: [JSONValue] = []
    for block in blocks {
      var object = block.start
      switch block.kind {
      case .text:
        // An empty text is refused.
        if block.grown.isEmpty { continue }
        object["text"] = .string(block.grown.text)
      case .thinking:
        object["thinking"] = .string(block.grown.text)
        object["signature"] = block.signature ?? object["signature"]
      case .tool, .other:
        guard !block.grown.isEmpty else { break }
        let input = ToolCallAssembly.parsed(block.grown.text)
        guard input.objectValue != nil else { return nil }
        object["input"] = input
      }
      content.append(.object(object))
    }
    return content
  }
}
