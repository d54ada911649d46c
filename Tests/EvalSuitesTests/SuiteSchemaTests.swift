import EvalCore
import Testing

@testable import EvalSuites

@Suite struct SuiteSchemaTests {
  private static let schema = SuiteSchema.json(vocabulary: .test)

  private static func definition(_ name: String) -> JSONValue? {
    name == "suite" ? schema : schema["$defs"]?[name]
  }

  @Test(arguments: TableInfo.all.map(\.name))
  func everyKeyThatIsReadIsInTheSchemaAndTheReverse(name: String) throws {
    let table = try #require(TableInfo.all.first { $0.name == name })
    let definition = try #require(Self.definition(name))
    #expect(definition["properties"]?.objectValue?.keys == table.keys.map(\.name))
    #expect(definition["additionalProperties"] == false)
    #expect(
      definition["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        == table.keys.filter(\.isRequired).map(\.name))
    for key in table.keys {
      #expect(!key.summary.isEmpty)
      #expect(
        definition["properties"]?[key.name]?["description"]?.stringValue?.hasSuffix(".") == true,
        "\(key.name)")
    }
  }

  @Test func everyReferenceLeadsSomewhere() {
    var references: Set<String> = []
    func walk(_ value: JSONValue) {
      switch value {
      case .array(let items): items.forEach(walk)
      case .object(let object):
        if let reference = object["$ref"]?.stringValue { references.insert(reference) }
        object.values.forEach(walk)
      default: break
      }
    }
    walk(Self.schema)
    #expect(references.count > 20)
    for reference in references {
      #expect(reference.hasPrefix("#/$defs/"))
      #expect(Self.definition(String(reference.dropFirst(8))) != nil, "\(reference)")
    }
    // Every definition is reached, but those of the profiles' options and kinds of checks by their own way.
    let names = Self.schema["$defs"]?.objectValue?.keys ?? []
    for name in names { #expect(references.contains("#/$defs/\(name)"), "\(name)") }
  }

  @Test func knowsTheVocabulary() {
    #expect(Self.schema["$defs"]?["providerName"]?["enum"] == ["openai-chat", "plain"])
    #expect(Self.schema["$defs"]?["check"]?["oneOf"]?.arrayValue?.count == 4)
    let contains = Self.schema["$defs"]?["check-contains"]
    #expect(
      contains?["properties"]?.objectValue?.keys == ["contains", "ignoreCase", "name", "weight", "threshold"])
    #expect(contains?["required"] == ["contains"])
    let plain = Self.schema["$defs"]?["profile"]?["allOf"]?[1]
    #expect(
      plain?["then"]?["properties"]?["options"]?["properties"]?.objectValue?.keys == ["command", "speed"])
  }

  /// The reading's own list of keys, seen from outside: a suite with each key under a false name is refused by that
  /// name, in every kind of object.
  @Test func noKeyIsReadThatTheSchemaDoesNotHave() {
    let folder = Folder()
    let found = folder.problems(
      """
      {"version": 1, "zz": 1, "defaults": {"zz": 1, "profile": {"zz": 1}, "case": {"zz": 1}},
       "profiles": {"m": {"endpoint": {"env": "URL", "zz": 1}, "model": "x", "zz": 1,
         "price": {"input": 1, "output": 1, "zz": 1}, "rateLimit": {"zz": 1}, "key": {"env": "K", "zz": 1},
         "instructions": {"file": "x", "zz": 1}, "tools": [{"name": "t", "zz": 1}], "toolChoice": {"tool": "t", "zz": 1}}},
       "cases": [
         {"id": "a", "zz": 1, "turns": [{"input": [{"text": "x", "zz": 1}, {"image": {"base64": "x", "mediaType": "image/png", "zz": 1}}],
           "zz": 1, "toolResults": [{"tool": "t", "result": 1, "zz": 1}]}]},
         {"id": "b", "messages": [{"role": "assistant", "zz": 1, "toolCalls": [{"name": "t", "zz": 1}]}, {"role": "user", "content": "x"}]},
         {"file": "none.csv", "zz": 1}],
       "comparisons": {"x": {"question": "q", "judge": "m", "targets": ["m", "m"], "zz": 1}},
       "rubrics": {"r": {"judge": "m", "zz": 1, "criteria": {"c": {"question": "q", "levels": 2, "zz": 1}},
         "examples": [{"answer": "x", "scores": {}, "zz": 1}]}},
       "run": {"zz": 1, "timeouts": {"zz": 1}, "retries": {"zz": 1}}, "replay": {"file": "x", "zz": 1},
       "gates": {"zz": 1, "rules": [{"rule": "x", "zz": 1}]}, "privacy": {"zz": 1, "maxBoundary": {"zz": 1}}}
      """)
    let unknown = found.filter { $0.contains("'zz' is not a key of") }
    // Each table once; `profileDefaults` and `caseDefaults` are among them, `suite` too.
    #expect(unknown.count == TableInfo.all.count, "\(unknown.joined(separator: "\n"))")
  }
}
