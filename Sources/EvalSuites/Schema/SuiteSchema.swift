package import EvalCore

/// The JSON Schema (2020-12) of the suite format, made from the tables that suites are read with.
package enum SuiteSchema {
  /// - Parameter vocabulary: the providers and graders that a suite may name.
  package static func json(vocabulary: SuiteVocabulary) -> JSONValue {
    var definitions: JSONObject = [:]
    for table in TableInfo.all.dropFirst() { definitions[table.name] = .object(object(table)) }
    if case .object(var profile)? = definitions["profile"] {
      profile["allOf"] = .array(vocabulary.providers.map(options))
      definitions["profile"] = .object(profile)
    }
    definitions["providerName"] = [
      "type": "string", "enum": .array(vocabulary.providers.map { .string($0.name) }),
    ]
    for grader in vocabulary.graders { definitions[name(of: grader)] = .object(check(grader)) }
    definitions["signals"] = .object(SignalNames.schema(vocabulary.signals))
    definitions["check"] = [
      "type": "object",
      "oneOf": .array(vocabulary.graders.map { ["$ref": .string("#/$defs/\(name(of: $0))")] }),
    ]
    var schema: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "evalrun suite, version 1",
    ]
    for member in object(TableInfo.all[0]).members { schema[member.key] = member.value }
    schema["$defs"] = .object(definitions)
    return .object(schema)
  }

  private static func object(_ table: TableInfo) -> JSONObject {
    var properties: JSONObject = [:]
    for key in table.keys {
      properties[key.name] = described(key.isRequired ? key.schema : nullable(key.schema), key.summary)
    }
    var object: JSONObject = [
      "description": .string(sentence(table.summary)), "type": "object", "properties": .object(properties),
    ]
    let required = table.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { object["required"] = .array(required) }
    for member in table.extra.members { object[member.key] = member.value }
    object["additionalProperties"] = false
    return object
  }

  /// Only the options of a profile's own provider are known; `options` of another one would be refused.
  private static func options(_ provider: ProviderDescriptor) -> JSONValue {
    var properties: JSONObject = [:]
    for option in provider.options {
      properties[option.key] = described(nullable(option.schema), option.summary)
    }
    return [
      // A profile without a provider may inherit one: nothing is known of its options.
      "if": ["properties": ["provider": ["const": .string(provider.name)]], "required": ["provider"]],
      "then": [
        "properties": [
          "options": [
            "type": ["object", "null"], "properties": .object(properties), "additionalProperties": false,
          ]
        ]
      ],
    ]
  }

  private static func name(of grader: GraderDescriptor) -> String { "check-\(grader.name)" }

  private static func check(_ grader: GraderDescriptor) -> JSONObject {
    var properties: JSONObject = [grader.name: described(template(grader.argument), grader.summary)]
    for option in grader.options {
      properties[option.key] = described(template(option.schema), option.summary)
    }
    for option in commonCheckOptions { properties[option.key] = described(option.schema, option.summary) }
    let required = [grader.name] + grader.options.filter(\.isRequired).map(\.key)
    return [
      "description": .string(sentence(grader.summary)), "type": "object", "properties": .object(properties),
      "required": .array(required.map { .string($0) }), "additionalProperties": false,
    ]
  }

  private static func described(_ schema: JSONValue, _ summary: String) -> JSONValue {
    var object: JSONObject = ["description": .string(sentence(summary))]
    for member in schema.objectValue?.members ?? [] where member.key != "description" {
      object[member.key] = member.value
    }
    return .object(object)
  }

  private static func sentence(_ text: String) -> String {
    let text = text.prefix(1).uppercased() + text.dropFirst()
    return text.hasSuffix(".") ? text : text + "."
  }

  /// `null` is as if the key was not there, and undoes what is inherited.
  private static func nullable(_ schema: JSONValue) -> JSONValue {
    guard case .object(var object) = schema, !object.isEmpty else { return schema }
    if let type = object["type"]?.stringValue, object["enum"] == nil {
      object["type"] = [.string(type), "null"]
      return .object(object)
    }
    return ["anyOf": [schema, ["type": "null"]]]
  }

  /// Where a number stands, a template that becomes one may stand, too.
  private static func template(_ schema: JSONValue) -> JSONValue {
    guard let object = schema.objectValue, !object.isEmpty, object["type"] != "string" else { return schema }
    return ["anyOf": [schema, ["type": "string", "pattern": "^\\s*\\{\\{[^{}]+\\}\\}\\s*$"]]]
  }
}
