import EvalCore

/// A case while it is read.
struct CaseDraft: Draft {
  var id: String?
  var variables: JSONObject = [:]
  var reference: JSONValue?
  var tags: [String] = []
  var cluster: String?
  var mustPass = false
  var signals: JSONObject = [:]
  var history: [Message] = []
  var turns: [Turn] = []
  /// The turns were written one by one, so results of tools belong to them.
  var isScript = false
  var toolResults: [ScriptedToolResult] = []
  var checks: [CheckSpec] = []
  var expects = Expectation.answer
}

extension ObjectTable where Into == CaseDraft {
  /// Every key of a case. What templates may name stands first: tables are read in their order.
  static let caseTable = ObjectTable("case", "a case", facts + content)

  /// The keys that templates of the other keys may name.
  static let factKeys = 0..<facts.count
  static let contentKeys = facts.count..<(facts.count + content.count)

  /// What `defaults.case` and a case file's `defaults` take.
  static let caseDefaults = caseTable.without(["id"], name: "caseDefaults", summary: "the case defaults")

  static func index(of key: String) -> Int? { caseTable.keys.firstIndex { $0.text == key } }

  private static let facts: [Key<Into>] = [
    Key(
      "id", \.id, .caseID,
      "The case's name in reports; the first 8 digits of its content's hash unless given."),
    Key("variables", mergingCase: \.variables, "What templates may name.").merged(),
    Key("reference", \.reference, .json, "What a right answer is compared with; any JSON."),
  ]

  private static let content: [Key<Into>] = [
    Key(
      "tags", \.tags, .strings,
      "Words to select and group cases by; the first one is the stratum of --sample."),
    Key("cluster", \.cluster, .name, "Cases of one cluster share a source and are not independent."),
    Key("mustPass", \.mustPass, .bool, "Whether the run fails when this case does."),
    Key("signals", schema: ["$ref": "#/$defs/signals"], "Facts that a routing policy may read.") {
      draft, view, reader in
      if let signals = reader.signals(view) { draft.signals.merge(signals) }
    }.merged(),
    Key(
      "input", schema: Shape<[ContentPart]>.content.schema,
      "What the user says: a text, or parts of text and images."
    ) {
      draft, view, reader in
      draft.turns = Shape.content.read(view, reader).map { [Turn(content: $0)] } ?? []
    }.oneOf("content"),
    Key(
      "messages", schema: Shape<[MessageDraft]>.messages.schema,
      "A conversation whose last message is the user's."
    ) {
      draft, view, reader in
      guard let messages = Shape.messages.read(view, reader) else { return }
      (draft.history, draft.turns) = Conversation.split(messages, view, reader)
    }.oneOf("content"),
    Key(
      "turns", schema: Shape<[Turn]>.turns.schema,
      "What the user says, turn by turn; the model answers in between."
    ) {
      draft, view, reader in
      draft.isScript = true
      draft.turns = Shape.turns.read(view, reader) ?? []
    }.oneOf("content"),
    Key("toolResults", \.toolResults, .toolResults, "What tools answer in a case of one turn."),
    Key(
      "checks", \.checks, .checks, "What is checked about the last answer, besides the suite's own checks."),
    Key(
      "expects", \.expects, .word,
      "How the case wants to end; answer unless given. With another word that is its one check."),
  ]
}

extension Key where Into == CaseDraft {
  fileprivate init(
    _ name: StaticString, mergingCase path: any WritableKeyPath<CaseDraft, JSONObject> & Sendable,
    _ summary: String
  ) {
    self.init(name, schema: ["type": "object"], summary) { draft, view, reader in
      guard let object = Shape.jsonObject.read(view, reader) else { return }
      draft[keyPath: path].merge(object)
    }
  }
}

extension Shape where Value == String {
  /// A name that fits on a line and a command line; a number is taken as its digits.
  static var caseID: Shape {
    Shape(["type": ["string", "integer"]]) { view, reader in
      let text = view.string ?? view.int.map(String.init)
      if let text, !text.isEmpty, text.utf8.count <= 200, HeaderRule.isValue(text), text.utf8.first != 0x20,
        text.utf8.last != 0x20
      {
        return text
      }
      reader.wrong(view, expected: "a name of at most 200 bytes without a line break")
      return nil
    }
  }
}

extension Shape where Value == [CheckSpec] {
  static var checks: Shape { .array(of: .check) }
}

extension Shape where Value == CheckSpec {
  static var check: Shape {
    Shape(reference("check")) { view, reader in reader.checks.read(view, reader) }
  }
}

/// A turn while it is read.
struct TurnDraft: Draft {
  var turn = Turn(content: [])
}

extension ObjectTable where Into == TurnDraft {
  static let turn = ObjectTable(
    "turn", "a turn",
    [
      Key("input", \.turn.content, .content, "What the user says.").required(),
      Key("checks", \.turn.checks, .checks, "What is checked about the answer to this turn."),
      Key("toolResults", \.turn.toolResults, .toolResults, "What tools answer in this turn."),
    ])
}

extension Shape where Value == [Turn] {
  static var turns: Shape {
    let text = Shape<[ContentPart]>.content
    let one = Shape<Turn>(["anyOf": [["type": "string"], reference("turn")]]) { view, reader in
      if view.kind == .object { return ObjectTable.turn.shape.read(view, reader)?.turn }
      return text.read(view, reader).map { Turn(content: $0) }
    }
    return .array(of: one, least: 1)
  }
}

/// A scripted tool result while it is read.
struct ToolResultDraft: Draft {
  var tool = ""
  var arguments: JSONValue?
  var result = ""
}

extension ObjectTable where Into == ToolResultDraft {
  static let toolResult = ObjectTable(
    "toolResult", "a tool result",
    [
      Key("tool", \.tool, .name, "The tool's name.").required(),
      Key("arguments", \.arguments, .renderedJSON, "Arguments that a call must have; any call unless given."),
      Key("result", \.result, .toolText, "What the tool answers; what is no string goes in as JSON.")
        .required(),
    ])
}

extension Shape where Value == [ScriptedToolResult] {
  static var toolResults: Shape {
    Shape<[ToolResultDraft]>.array(of: ObjectTable.toolResult.shape).checked { drafts, view, reader in
      for item in view.elements {
        if let tool = item["tool"], let name = tool.string { reader.noteUnoffered(name, at: tool) }
      }
      return drafts.map { ScriptedToolResult(tool: $0.tool, arguments: $0.arguments, result: $0.result) }
    }
  }
}

extension Reader {
  /// A result for a tool that no profile offers can never be asked for.
  fileprivate func noteUnoffered(_ name: String, at view: JSONView) {
    guard let offeredTools, !offeredTools.contains(name) else { return }
    error(
      "no profile offers the tool '\(name)', so nothing will call it", at: view,
      advice: suggestion(for: name, among: offeredTools) ?? "give it in a profile's 'tools'")
  }
}

extension Shape where Value == JSONValue {
  /// Any JSON whose strings are templates.
  static var renderedJSON: Shape {
    Shape([:]) { view, reader in reader.render(view.value, at: view) }
  }
}

extension Shape where Value == String {
  /// What a tool answers: a string as it is, anything else as compact JSON.
  static var toolText: Shape {
    Shape([:]) { view, reader in
      reader.render(view.value, at: view).map { $0.stringValue ?? $0.serialized(.compact) }
    }
  }
}
