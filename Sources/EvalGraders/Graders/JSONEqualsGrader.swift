import EvalCore

/// The answer is JSON and means the same as a given value.
struct JSONEqualsGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "jsonEquals", summary: "The answer is JSON with this value; the order of members is ignored.",
    argument: true,
    options: [
      OptionSpec(
        "subset", Shape.bool, "Accept members of the answer that are not expected; false unless given."),
      OptionSpec("ignore", Shape.strings, "JSONPaths of what is left out of the comparison on both sides."),
      SharedOption.tolerance, SharedOption.relativeTolerance,
    ] + AnswerJSON.options,
    example: ["jsonEquals": ["city": "Paris"], "subset": true]
  ) { spec, _ throws(GraderProblem) in try JSONEqualsGrader(CheckReader(spec)) }

  private let source: AnswerJSON
  private let expected: Expected
  private let comparison: JSONComparison
  private let ignored: [JSONPath]

  init(_ reader: CheckReader) throws(GraderProblem) {
    source = try AnswerJSON(reader)
    expected = Expected(reader.argument)
    comparison = JSONComparison(
      tolerance: try NumericTolerance(reader), isSubset: try reader.bool("subset", default: false))
    var paths: [JSONPath] = []
    for (index, text) in (try reader.strings("ignore") ?? []).enumerated() {
      paths.append(try JSONPath(text, at: "ignore[\(index)]"))
    }
    ignored = paths
  }

  func grade(_ subject: Subject) async -> Verdict {
    guard let value = expected.value(for: subject) else { return Expected.missing }
    switch source.read(subject.answer.text) {
    case .second(let why): return Verdict(.verdict(false), why)
    case .first(let found):
      guard let left = stripped(JSONEqualsGrader.structured(value)), let right = stripped(found) else {
        return Verdict(.unscored(.graderFailed, "a path of 'ignore' selects too much"))
      }
      guard let difference = comparison.difference(left, right) else {
        return Verdict(.verdict(true), "the JSON is as expected")
      }
      return Verdict(.verdict(false), "at \(difference.path): \(difference.message)")
    }
  }

  /// A text that holds a JSON object or array, as a reference read from CSV does, stands for what it holds.
  static func structured(_ value: JSONValue) -> JSONValue {
    guard let text = value.stringValue, let first = text.trimmedFast.utf8.first,
      first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let parsed = try? JSONValue.parse(text)
    else { return value }
    return parsed
  }

  private func stripped(_ value: JSONValue) -> JSONValue? {
    var value = value
    for path in ignored {
      guard let nodes = path.nodes(in: value) else { return nil }
      // From the end, so that the places of the others stay right.
      for place in Set(nodes.map(\.path)).sorted(by: JSONPathStep.isAfter) { value.remove(at: place[...]) }
    }
    return value
  }
}

extension JSONValue {
  /// Takes out the member or element at a path; the root becomes null.
  fileprivate mutating func remove(at path: ArraySlice<JSONPathStep>) {
    guard let step = path.first else {
      self = .null
      return
    }
    let rest = path.dropFirst()
    switch (self, step) {
    case (.object(var object), .name(let name)):
      guard var member = object[name] else { return }
      if rest.isEmpty {
        object.removeValue(forKey: name)
      } else {
        member.remove(at: rest)
        object[name] = member
      }
      self = .object(object)
    case (.array(var elements), .index(let index)):
      guard elements.indices.contains(index) else { return }
      if rest.isEmpty { elements.remove(at: index) } else { elements[index].remove(at: rest) }
      self = .array(elements)
    default: break
    }
  }
}
