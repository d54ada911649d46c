/// `{{name}}` filled from typed variables.
///
/// A name may be a path (`{{user.city}}`, `{{items[0]}}`). A string goes in as it is, any other value as compact JSON.
/// White space inside the braces is ignored. `\{{` is a literal `{{`. A missing variable is an error, never an empty
/// string.
package enum Template {
  /// What a template could not be filled with.
  package struct Missing: Error, Sendable, Hashable {
    package var name: String
    /// The names there are, for a suggestion.
    package var known: [String]

    package var message: String { "the variable '\(name)' is not given" }
    package var advice: String? { suggestion(for: name, among: known) }
  }

  /// Whether there is anything to fill in.
  package static func isTemplate(_ text: String) -> Bool {
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "{"), previous == byte { return true }
      previous = byte
    }
    return false
  }

  package static func isTemplate(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): isTemplate(text)
    case .array(let items): items.contains(where: isTemplate)
    case .object(let object): object.members.contains { isTemplate($0.value) }
    default: false
    }
  }

  /// The names that a text asks for, in their order.
  package static func names(in text: String) -> [String] {
    guard isTemplate(text) else { return [] }
    return pieces(of: text).compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// Fills in a text.
  package static func render(_ text: String, _ variables: JSONObject) throws(Missing) -> String {
    guard isTemplate(text) else { return text }
    var output = ""
    for piece in pieces(of: text) {
      switch piece {
      case .literal(let literal): output += literal
      case .name(let name):
        let value = try Template.value(of: name, in: variables)
        output += value.stringValue ?? value.serialized(.compact)
      }
    }
    return output
  }

  /// Fills in every string of a value. A string that is one template and nothing else becomes the variable's own
  /// value, so that a number stays a number.
  package static func render(_ value: JSONValue, _ variables: JSONObject) throws(Missing) -> JSONValue {
    switch value {
    case .string(let text):
      if let name = wholeName(text) { return try Template.value(of: name, in: variables) }
      return .string(try render(text, variables))
    case .array(let items):
      var rendered: [JSONValue] = []
      for item in items { rendered.append(try render(item, variables)) }
      return .array(rendered)
    case .object(let object):
      var rendered: JSONObject = [:]
      for member in object.members { rendered[member.key] = try render(member.value, variables) }
      return .object(rendered)
    default: return value
    }
  }

  private enum Piece {
    case literal(Substring)
    case name(String)
  }

  /// Cuts a text at its braces. Works on bytes: every mark is ASCII, and a large case file is full of templates.
  private static func pieces(of text: String) -> [Piece] {
    let bytes = text.utf8
    var pieces: [Piece] = []
    var start = bytes.startIndex
    var from = start
    while let open = pair(UInt8(ascii: "{"), in: bytes, from: from) {
      let after = bytes.index(open, offsetBy: 2)
      if open > start, bytes[bytes.index(before: open)] == UInt8(ascii: "\\") {
        pieces.append(.literal(text[start..<bytes.index(before: open)]))
        // The braces themselves stay; what follows is text again.
        start = open
        from = after
        continue
      }
      guard let close = pair(UInt8(ascii: "}"), in: bytes, from: after) else { break }
      pieces.append(.literal(text[start..<open]))
      pieces.append(.name(text[after..<close].trimmed))
      start = bytes.index(close, offsetBy: 2)
      from = start
    }
    pieces.append(.literal(text[start...]))
    return pieces
  }

  /// Where a byte first stands twice in a row.
  private static func pair(_ byte: UInt8, in bytes: String.UTF8View, from: String.Index) -> String.Index? {
    var previous: String.Index?
    var index = from
    while index < bytes.endIndex {
      if bytes[index] == byte {
        if let previous { return previous }
        previous = index
      } else {
        previous = nil
      }
      index = bytes.index(after: index)
    }
    return nil
  }

  private static func wholeName(_ text: String) -> String? {
    let trimmed = text.trimmed
    guard trimmed.hasPrefix("{{"), trimmed.hasSuffix("}}"), trimmed.count > 4 else { return nil }
    let inner = trimmed.dropFirst(2).dropLast(2)
    guard !inner.contains("{"), !inner.contains("}") else { return nil }
    return inner.trimmed
  }

  /// The value that a name or a path leads to.
  package static func value(of path: String, in variables: JSONObject) throws(Missing) -> JSONValue {
    if let value = variables[path] { return value }
    var value: JSONValue? = .object(variables)
    for step in path.split(whereSeparator: { $0 == "." || $0 == "[" || $0 == "]" }) {
      if let index = Int(step), let items = value?.arrayValue {
        // Written out: in a ternary `nil` would become JSON's null.
        if items.indices.contains(index) { value = items[index] } else { value = .none }
      } else {
        value = value?[String(step)]
      }
    }
    guard let value, !path.isEmpty else { throw Missing(name: path, known: Array(variables.keys)) }
    return value
  }
}

extension StringProtocol {
  /// Without white space at both ends.
  package var trimmed: String {
    var view = self[...]
    while let first = view.first, first.isWhitespace { view = view.dropFirst() }
    while let last = view.last, last.isWhitespace { view = view.dropLast() }
    return String(view)
  }
}
