import EvalCore

extension Shape where Value == String {
  /// The name of a provider in the registry.
  static var provider: Shape {
    Shape(reference("providerName")) { view, reader in
      let names = reader.vocabulary.providers.map(\.name)
      if let name = view.string, names.contains(name) { return name }
      guard let name = view.string else {
        reader.wrong(view, expected: "a provider's name")
        return nil
      }
      reader.error(
        "there is no provider '\(name)'", at: view,
        advice: suggestion(for: name, among: names) ?? "one of \(names.joined(separator: ", "))")
      return nil
    }
  }

  /// A day such as 2026-11-30.
  static var date: Shape {
    Shape(["type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]) { view, reader in
      if let text = view.string, isDay(text) { return text }
      reader.wrong(view, expected: "a day such as \"2026-11-30\"")
      return nil
    }
  }

  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let month = Int(parts[1]), let day = Int(parts[2]),
      Int(parts[0]) != nil
    else { return false }
    return (1...12).contains(month) && (1...31).contains(day)
  }

  /// A URL, or the name of an environment variable that holds one.
  static var endpoint: Shape {
    let schema: JSONValue = [
      "anyOf": [["type": "string", "pattern": "^https?://"], reference("environmentName")]
    ]
    return Shape(schema) { view, reader in
      guard view.kind == .object else {
        guard let text = text.read(view, reader) else { return nil }
        return Endpoint.checked(text, at: view, reader)
      }
      guard let name = ConfiguredValue.variable(view, reader) else { return nil }
      guard let value = reader.environment[name], !value.isEmpty else {
        reader.error(
          "the environment variable '\(name)' is not set", at: view, advice: "set it to the endpoint's URL")
        return nil
      }
      return Endpoint.checked(value, at: view, reader, source: "the value of '\(name)'")
    }
  }
}

extension Shape where Value == ContextSize {
  static var contextSize: Shape {
    let tokens = Shape<Int>.integer(1...1_000_000_000)
    return Shape(["anyOf": [tokens.schema, ["const": "auto"]]]) { view, reader in
      if view.stringEquals("auto") { return .auto }
      if view.kind == .number { return tokens.read(view, reader).map { .tokens($0) } }
      reader.wrong(view, expected: "a number of tokens or \"auto\"")
      return nil
    }
  }
}

extension Shape where Value == InstructionsText {
  static var instructions: Shape {
    let inline = Shape<String>.text
    return Shape(["anyOf": [inline.schema, reference("textFile")]]) { view, reader in
      guard view.kind == .object else {
        return inline.read(view, reader).map { InstructionsText(text: $0, file: nil) }
      }
      guard let (path, text) = SideFile.text(view, reader) else { return nil }
      return InstructionsText(text: text, file: path)
    }
  }
}

/// A file that stands for a value: `{"file": "system.txt"}`.
struct SideFile: Draft {
  var file: String?

  /// The file's path and its bytes; `nil` after noting what is wrong.
  static func bytes(_ view: JSONView, _ reader: Reader) -> (path: String, bytes: [UInt8])? {
    guard let file = ObjectTable.sideFile.shape.read(view, reader)?.file else { return nil }
    return bytes(of: file, at: view["file"] ?? view, reader)
  }

  /// The same for a path that stands by itself.
  static func bytes(at view: JSONView, _ reader: Reader) -> (path: String, bytes: [UInt8])? {
    Shape<String>.name.read(view, reader).flatMap { bytes(of: $0, at: view, reader) }
  }

  private static func bytes(
    of file: String, at view: JSONView, _ reader: Reader
  ) -> (path: String, bytes: [UInt8])? {
    let path = Paths.resolve(file, in: reader.origin.directory, home: reader.environment["HOME"])
    do throws(FileFault) {
      return (path, try OpenFile(path).bytes())
    } catch {
      reader.error(error.message, at: view, advice: error.advice)
      return nil
    }
  }

  /// The text of a file without a byte order mark and without one final line break, which an editor adds.
  static func text(_ view: JSONView, _ reader: Reader) -> (path: String, text: String)? {
    guard let (path, bytes) = bytes(view, reader) else { return nil }
    let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard var text = String(validating: body, as: UTF8.self) else {
      reader.error("'\(path)' is not UTF-8 text", at: view["file"] ?? view, advice: "save it as UTF-8")
      return nil
    }
    if text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
    return (path, text)
  }
}

extension ObjectTable where Into == SideFile {
  static let sideFile = ObjectTable(
    "textFile", "a file",
    [
      Key("file", \.file, .name, "A path; a relative one starts at the folder of the file that names it.")
        .required()
    ])
}
