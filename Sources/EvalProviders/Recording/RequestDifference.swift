import EvalCore

/// One place where a recorded request and an asked one differ.
struct RequestDifference: Sendable, Equatable {
  /// `endpoint`, or a path in the body such as `messages[1].content`.
  var path: String
  /// What is there, in short; no prompt is quoted.
  var words: String

  /// How many are told.
  private static let limit = 4

  static func find(recorded: RecordedExchange, asked: ExchangeRequest) -> [RequestDifference] {
    var found = Finder()
    if recorded.endpoint != asked.endpoint {
      found.add("endpoint", .string(recorded.endpoint), .string(asked.endpoint), quotes: true)
    }
    if recorded.model != asked.model {
      found.add("model", .string(recorded.model), .string(asked.model), quotes: true)
    }
    found.compare(recorded.body ?? .null, asked.body, "")
    return found.differences
  }

  static func words(_ differences: [RequestDifference]) -> String {
    if differences.isEmpty { return "it differs only where the recording is redacted" }
    let shown = differences.prefix(limit).map { "\($0.path) \($0.words)" }.joined(separator: "; ")
    let rest = differences.count - limit
    return rest > 0 ? shown + "; and \(rest) more" : shown
  }
}

/// Walks two bodies side by side.
private struct Finder {
  var differences: [RequestDifference] = []

  mutating func compare(_ recorded: JSONValue, _ asked: JSONValue, _ path: String) {
    if recorded.jsonEquals(asked) || path == "model" { return }
    switch (recorded, asked) {
    case (.object(let left), .object(let right)):
      for key in left.keys + right.keys.filter({ left[$0] == nil }) {
        let inner = path.isEmpty ? key : "\(path).\(key)"
        step(left[key], right[key], inner)
      }
    case (.array(let left), .array(let right)):
      for place in 0..<max(left.count, right.count) {
        step(
          left.indices.contains(place) ? left[place] : nil,
          right.indices.contains(place) ? right[place] : nil, "\(path)[\(place)]")
      }
    default: add(path.isEmpty ? "body" : path, recorded, asked, quotes: !Self.isPrompt(path))
    }
  }

  private mutating func step(_ recorded: JSONValue?, _ asked: JSONValue?, _ path: String) {
    switch (recorded, asked) {
    case (let recorded?, let asked?): compare(recorded, asked, path)
    case (nil, _?): differences.append(.init(path: path, words: "is not recorded"))
    case (_?, nil): differences.append(.init(path: path, words: "is recorded and not asked for"))
    case (nil, nil): break
    }
  }

  mutating func add(_ path: String, _ recorded: JSONValue, _ asked: JSONValue, quotes: Bool) {
    let words =
      if quotes, let recorded = Self.short(recorded), let asked = Self.short(asked) {
        "is \(recorded) there and \(asked) here"
      } else {
        "differs"
      }
    differences.append(.init(path: path, words: words))
  }

  private static func isPrompt(_ path: String) -> Bool {
    let member = path.prefix { $0 != "." && $0 != "[" }
    return RequestSketch.promptMembers.contains(String(member)) || member.hasPrefix("system")
      || member == "instructions"
  }

  private static func short(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text.utf8.count <= 120 ? "'\(text)'" : nil
    case .null, .bool, .integer, .number: value.serialized()
    case .array, .object: nil
    }
  }
}
