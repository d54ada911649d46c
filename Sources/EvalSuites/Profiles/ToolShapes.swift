import EvalCore

/// A tool while it is read.
struct ToolDraft: Draft {
  var name = ""
  var description: String?
  var parameters: JSONValue = ["type": "object", "properties": [:]]
  var strict: Bool?
}

extension ObjectTable where Into == ToolDraft {
  static let tool = ObjectTable(
    "tool", "a tool",
    [
      Key("name", \.name, .toolName, "The tool's name.").required(),
      Key("description", \.description, .text, "What the tool does, for the model."),
      Key(
        "parameters", \.parameters, .parameters, "A JSON Schema of its arguments; no arguments unless given."),
      Key("strict", \.strict, .bool, "Ask the provider to hold the arguments to the schema."),
    ])
}

extension Shape where Value == String {
  static var toolName: Shape {
    Shape(["type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"]) { view, reader in
      if let name = view.string, (1...64).contains(name.utf8.count),
        name.utf8.allSatisfy({
          (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "_-.".utf8.contains($0)
        })
      {
        return name
      }
      reader.wrong(view, expected: "a tool's name of at most 64 letters, digits, '_', '-' and '.'")
      return nil
    }
  }
}

extension Shape where Value == JSONValue {
  /// A JSON Schema of an object.
  static var parameters: Shape {
    Shape(["type": "object"]) { view, reader in
      guard view.kind == .object else {
        reader.wrong(view, expected: "a JSON Schema, which is an object")
        return nil
      }
      if let type = view["type"], !type.stringEquals("object") {
        reader.error("a tool's arguments are an object", at: type, advice: "write \"type\": \"object\"")
      }
      SchemaLint.check(view, reader)
      return view.value
    }
  }

  /// A JSON Schema, or a file that holds one.
  static var responseSchema: Shape {
    Shape(["anyOf": [reference("textFile"), ["type": "object"]]]) { view, reader in
      guard view.kind == .object else {
        reader.wrong(view, expected: "a JSON Schema, which is an object, or {\"file\": \"schema.json\"}")
        return nil
      }
      if view.count != 1 || view["file"]?.kind != .string {
        SchemaLint.check(view, reader)
        return view.value
      }
      return JSONFile.read(view, reader) { root, reader in
        guard root.kind == .object else {
          reader.wrong(root, expected: "a JSON Schema, which is an object")
          return
        }
        SchemaLint.check(root, reader)
      }
    }
  }
}

/// A JSON file that a suite names.
enum JSONFile {
  /// Reads the file of `{"file": "x.json"}` and lets `check` look at it with its own positions.
  static func read(
    _ view: JSONView, _ reader: Reader, check: (JSONView, Reader) -> Void = { _, _ in }
  ) -> JSONValue? {
    guard let (path, bytes) = SideFile.bytes(view, reader) else { return nil }
    let source = SourceText(name: path, bytes: bytes)
    let document = JSONDocument()
    do throws(JSONSyntaxError) {
      try document.parse(bytes, dialect: .relaxed)
    } catch {
      reader.diagnostics.add(source.problem(error))
      return nil
    }
    reader.with(Origin(source, root: document.root)) { check(document.root, reader) }
    return document.root.value
  }
}

extension Shape where Value == [ToolDefinition] {
  static var tools: Shape {
    Shape<[ToolDraft]>.array(of: ObjectTable.tool.shape).checked { drafts, view, reader in
      var seen: Set<String> = []
      for place in view.elements.compactMap({ $0["name"] }) {
        guard let name = place.string, !seen.insert(name).inserted else { continue }
        reader.error("two tools are called '\(name)'", at: place, advice: "rename one")
      }
      return drafts.map {
        ToolDefinition(name: $0.name, summary: $0.description, parameters: $0.parameters, strict: $0.strict)
      }
    }
  }
}

/// `{"tool": "name"}` while it is read.
struct NamedTool: Draft {
  var tool = ""
}

extension ObjectTable where Into == NamedTool {
  static let namedTool = ObjectTable(
    "namedTool", "a tool choice",
    [Key("tool", \.tool, .name, "The one tool that the model must call.").required()])
}

extension Shape where Value == ToolChoice {
  static var toolChoice: Shape {
    let words: JSONValue = ["enum": ["auto", "none", "required"]]
    return Shape(["anyOf": [words, reference("namedTool")]]) { view, reader in
      if view.kind == .object { return ObjectTable.namedTool.shape.read(view, reader).map { .tool($0.tool) } }
      switch view.string {
      case "auto": return .auto
      case "none": return ToolChoice.none
      case "required": return .required
      default:
        reader.wrong(
          view, expected: "'auto', 'none', 'required' or {\"tool\": \"name\"}",
          advice: view.string.flatMap { suggestion(for: $0, among: ["auto", "none", "required"]) })
        return nil
      }
    }
  }
}
