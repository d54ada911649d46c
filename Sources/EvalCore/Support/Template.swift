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

  /// Fills in a text.
  package static func render(_ text: String, _ variables: JSONObject) throws(Missing) -> String {
    guard isTemplate(text) else { return text }
    var output = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "{{") {
      if open.lowerBound > rest.startIndex, rest[rest.index(before: open.lowerBound)] == "\\" {
        output += rest[..<rest.index(before: open.lowerBound)]
        output += "{{"
        rest = rest[open.upperBound...]
        continue
      }
      guard let close = rest[open.upperBound...].firstRange(of: "}}") else { break }
      output += rest[..<open.lowerBound]
      let name = rest[open.upperBound..<close.lowerBound].trimmed
      let value = try lookUp(name, variables)
      output += value.stringValue ?? value.serialized(.compact)
      rest = rest[close.upperBound...]
    }
    return output + rest
  }

  /// Fills in every string of a value. A string that is one template and nothing else becomes the variable's own
  /// value, so that a number stays a number.
  package static func render(_ value: JSONValue, _ variables: JSONObject) throws(Missing) -> JSONValue {
    switch value {
    case .string(let text):
      if let name = wholeName(text) { return try lookUp(name, variables) }
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

  private static func wholeName(_ text: String) -> String? {
    let trimmed = text.trimmed
    guard trimmed.hasPrefix("{{"), trimmed.hasSuffix("}}"), trimmed.count > 4 else { return nil }
    let inner = trimmed.dropFirst(2).dropLast(2)
    guard !inner.contains("{"), !inner.contains("}") else { return nil }
    return inner.trimmed
  }

  private static func lookUp(_ path: String, _ variables: JSONObject) throws(Missing) -> JSONValue {
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
