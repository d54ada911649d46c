import EvalCore
import Testing

@testable import EvalSuites

/// Whatever stands in a suite, reading it ends with a suite or with a problem that has a place.
@Suite struct MutationTests {
  private static let seed: JSONValue = [
    "version": 1, "name": "n", "description": "d",
    "defaults": [
      "profile": ["temperature": 0, "headers": ["X": "1"]], "case": ["tags": ["t"], "signals": ["s": 1]],
    ],
    "profiles": [
      "a": [
        "endpoint": "http://h/v1", "model": "m", "boundary": "device", "contextSize": 4096, "price": "free",
        "instructions": "In {{v}}", "stop": ["x"], "key": ["env": "K"], "rateLimit": ["requestsPerMinute": 1],
        "tools": [["name": "t", "parameters": ["type": "object", "properties": ["p": ["enum": [1]]]]]],
        "toolChoice": ["tool": "t"], "responseSchema": ["anyOf": [["type": "string"]]],
        "extraBody": ["x": ["y": 1]],
      ],
      "b": ["extends": "a", "seed": 1, "price": ["input": 1, "output": 2], "options": ["apiVersion": "1"]],
    ],
    "routes": ["r": ["arms": ["a"]]],
    "cases": [
      [
        "id": "1", "variables": ["v": "1"], "reference": "x", "input": [["text": "{{v}}"]],
        "checks": [["contains": "{{v}}"]],
      ],
      [
        "id": "2", "variables": ["v": "1"], "mustPass": true, "cluster": "c",
        "turns": [
          "a", ["input": "b", "checks": [["regex": "b"]], "toolResults": [["tool": "t", "result": 1]]],
        ],
      ],
      [
        "id": "3", "variables": ["v": "1"],
        "messages": [
          ["role": "assistant", "toolCalls": [["id": "c", "name": "t", "arguments": ["p": 1]]]],
          ["role": "tool", "toolCallID": "c", "content": "x"], ["role": "user", "content": "y"],
        ],
      ],
      ["file": "c.jsonl", "fields": ["input": "q", "variables.v": "v"], "defaults": ["tags": ["u"]]],
    ],
    "rubrics": [
      "r": [
        "judge": "a", "draws": 2, "facts": ["f"],
        "criteria": ["c": ["question": "q", "levels": ["no": "n", "yes": "y"], "minimum": "yes"]],
        "examples": [["answer": "x", "scores": ["c": "no"]]],
      ]
    ],
    "checks": [
      ["all": [["contains": "x"], ["regex": "{{v}}"]], "weight": 1, "threshold": 0.5, "name": "n"]
    ],
    "run": ["repeats": 1, "timeouts": ["connect": "1s"], "retries": ["limit": 0, "baseDelay": 0.5]],
  ]

  private static let strangers: [JSONValue] = [
    .null, 0, -1, 1e300, 0.5, true, "", "x", "{{v}}", "{{nothing}}", "{{", [], [.null], [[]], [:], ["": 1],
    ["file": "c.jsonl"],
    ["file": 3], ["env": "K"], ["$ref": "#"],
  ]

  /// Replaces, removes or doubles one value somewhere inside.
  private func mutated(_ value: JSONValue, _ random: inout SeededRandom) -> JSONValue {
    if random.below(8) == 0 { return Self.strangers[random.below(Self.strangers.count)] }
    switch value {
    case .array(var items) where !items.isEmpty:
      let index = random.below(items.count)
      switch random.below(6) {
      case 0: items.remove(at: index)
      case 1: items.append(items[index])
      default: items[index] = mutated(items[index], &random)
      }
      return .array(items)
    case .object(var object) where !object.isEmpty:
      let key = object.keys[random.below(object.count)]
      switch random.below(8) {
      case 0: object[key] = nil
      case 1: object[key + "x"] = object[key]
      default: object[key] = mutated(object[key] ?? .null, &random)
      }
      return .object(object)
    default: return Self.strangers[random.below(Self.strangers.count)]
    }
  }

  @Test func everyMutationEndsWithASuiteOrAPlacedProblem() throws {
    let folder = Folder()
    folder.write("c.jsonl", "{\"q\": \"one\", \"v\": \"1\"}\n{\"q\": \"two {{v}}\", \"v\": \"x\"}\n")
    let whole = try folder.read(Self.seed.serialized(.pretty))
    #expect(whole.cases.summaries.count == 5)
    var random = SeededRandom(seed: 11)
    var refused = 0
    for round in 0..<120 {
      var value = Self.seed
      for _ in 0...random.below(3) { value = mutated(value, &random) }
      let text = value.serialized(round.isMultiple(of: 2) ? .pretty : .compact)
      do throws(Problems) {
        let suite = try folder.read(text)
        for index in suite.cases.summaries.indices {
          let loaded = try? suite.cases.load(index)
          #expect(loaded?.hash == suite.cases.summaries[index].hash, "\(text)")
        }
      } catch {
        refused += 1
        #expect(error.all.contains { $0.severity == .error }, "\(text)")
        #expect(error.all.allSatisfy { $0.location != nil && !$0.message.isEmpty }, "\(error.all)")
      }
    }
    #expect((20..<120).contains(refused))
  }

  @Test func everyCutEndsWithAProblem() {
    let folder = Folder()
    let bytes = Self.seed.bytes(.pretty)
    for end in stride(from: 0, to: bytes.count - 1, by: 97) {
      let file = folder.write("cut.json", Array(bytes[..<end]))
      let reader = SuiteReader(vocabulary: .test, allowsCommands: false, environment: [:])
      #expect(throws: Problems.self) { try reader.read(path: file) }
    }
  }
}
