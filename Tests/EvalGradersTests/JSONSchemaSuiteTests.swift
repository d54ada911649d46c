import EvalCore
import Foundation
import Testing

@testable import EvalGraders

/// The official tests of draft 2020-12; see `Tests/Fixtures/json-schema/README.md`.
@Suite struct JSONSchemaSuiteTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/json-schema")

  static func files(_ sub: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(sub).path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.map { sub + $0 }.sorted()
  }

  static func groups(_ file: String) throws -> [JSONValue] {
    let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    return try #require(try JSONValue.parse(text).arrayValue)
  }

  /// Schemas that are refused when they are read, with what the problem says. All others must be right.
  static let refused: [String: String] = [
    "defs.json: validate definition against metaschema":
      "'https://json-schema.org/draft/2020-12/schema' is not in this schema",
    "ref.json: remote ref, containing refs itself":
      "'https://json-schema.org/draft/2020-12/schema' is not in this schema",
    "unevaluatedItems.json: unevaluatedItems with $dynamicRef": "'$dynamicRef' is not supported",
    "unevaluatedProperties.json: unevaluatedProperties with $dynamicRef": "'$dynamicRef' is not supported",
  ]

  @Test(arguments: files("") + files("format/"))
  func official(_ file: String) throws {
    for group in try JSONSchemaSuiteTests.groups(file) {
      let name = "\(file): \(group["description"]?.stringValue ?? "")"
      let schema: JSONSchema
      do {
        schema = try JSONSchema(try #require(group["schema"]), assertsFormats: file.hasPrefix("format/"))
      } catch let problem as JSONSchema.Problem {
        #expect(JSONSchemaSuiteTests.refused[name] == problem.message, "\(name) is refused")
        continue
      }
      #expect(JSONSchemaSuiteTests.refused[name] == nil, "\(name) is no longer refused")
      for test in group["tests"]?.arrayValue ?? [] {
        let outcome = schema.validate(try #require(test["data"]))
        let isRight = test["valid"] == .bool(true) ? outcome == .valid : outcome.isInvalid
        #expect(isRight, "\(name): \(test["description"]?.stringValue ?? ""): \(outcome)")
      }
    }
  }

  @Test func theSuiteIsThere() throws {
    #expect(JSONSchemaSuiteTests.files("").count > 40)
    #expect(JSONSchemaSuiteTests.files("format/").count == SchemaFormat.allCases.count)
  }
}

extension JSONSchema.Outcome {
  /// Invalid, with at least one failure that says something.
  var isInvalid: Bool {
    if case .invalid(let failures) = self {
      !failures.isEmpty && failures.allSatisfy { !$0.message.isEmpty }
    } else {
      false
    }
  }
}
