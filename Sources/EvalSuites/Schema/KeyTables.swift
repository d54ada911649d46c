import EvalCore

/// The key tables of `Docs/SuiteFormat.md`, made from the tables that suites are read with.
package enum SuiteKeyTables {
  /// Markdown by the name of a kind of object, such as `profile`.
  package static var all: [(name: String, markdown: String)] {
    TableInfo.all.map { table in
      let rows = table.keys.map { key in
        "| `\(key.name)` | \(Words.of(key.schema)) | \(key.isRequired ? "**Required.** " : "")\(key.summary) |"
      }
      return (table.name, (["| key | takes | meaning |", "|---|---|---|"] + rows).joined(separator: "\n"))
    }
  }

  /// A schema in a few words.
  private enum Words {
    static func of(_ schema: JSONValue) -> String {
      if let path = schema["$ref"]?.stringValue { return link(String(path.dropFirst(8))) }
      if let constant = schema["const"] { return "`\(constant.serialized(.compact))`" }
      if let words = schema["enum"]?.arrayValue {
        return words.map { "`\($0.serialized(.compact))`" }.joined(separator: ", ")
      }
      if let choices = schema["anyOf"]?.arrayValue {
        return choices.map(of).joined(separator: " or ")
      }
      if schema["if"] != nil { return "a list, or one [caseFile](#casefile)" }
      switch schema["type"] {
      case "array": return "list of " + (schema["items"].map(of) ?? "anything")
      case "object": return object(schema)
      case "string": return "text"
      case "number", "integer": return number(schema)
      case "boolean": return "`true`, `false`"
      case "null": return "`null`"
      case .array(let types)?: return types.map { of(["type": $0]) }.joined(separator: " or ")
      default: return "any JSON"
      }
    }

    private static func link(_ name: String) -> String {
      switch name {
      case "check": "[check](#checks)"
      case "signals": "[signals](#signals)"
      case "providerName": "a [provider](Providers.md)'s name"
      default: "[\(name)](#\(name.lowercased()))"
      }
    }

    private static func object(_ schema: JSONValue) -> String {
      guard let values = schema["additionalProperties"], values.boolValue == nil else { return "object" }
      return "object of " + of(values)
    }

    private static func number(_ schema: JSONValue) -> String {
      let name = schema["type"] == "integer" ? "whole number" : "number"
      let low = schema["minimum"]?.serialized(.compact)
      let high = schema["maximum"]?.serialized(.compact)
      if let least = schema["exclusiveMinimum"]?.serialized(.compact) { return "\(name) above \(least)" }
      guard let low else { return name }
      return high.map { "\(name) \(low)…\($0)" } ?? "\(name) from \(low)"
    }
  }
}
