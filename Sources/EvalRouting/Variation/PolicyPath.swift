package import EvalCore

/// A place in a policy's JSON as a person writes it: `rules[2].when.tokensIn.atMost`, `rules[0].when["custom.tone"]`.
///
/// A name that a condition does not have itself is looked for in its `all`, `any` and `not`, so that a person need not
/// know how deep it stands; where it stands twice, the place has to be written in full.
package struct PolicyPath: Sendable {
  /// A step down: into an object's member or an array's element.
  package enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  private struct Segment {
    var step: Step
    var text: OptionText
  }

  package let text: OptionText
  private let segments: [Segment]

  /// - Throws: what is wrong with it, with the place.
  package init(_ text: OptionText) throws(Problem) {
    self.text = text
    segments = try PolicyPath.segments(of: text)
  }

  /// Objects that a policy need not have, and that a place may be in all the same.
  private static let optional = ["constraints", "onError"]

  /// The steps to the place in this policy. The last one may name a member that is not there yet.
  /// - Throws: what cannot be found, with the nearest name.
  package func steps(in policy: JSONValue) throws(Problem) -> [Step] {
    let found = PolicyPath.resolve(segments[...].map(\.step)[...], in: policy)
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      let places = found.map { PolicyPath.text(of: $0) }.joined(separator: " and ")
      throw text.problem("'\(text.text)' stands for \(places)", advice: "write one of them in full")
    }
    var value = policy
    for (index, segment) in segments.enumerated() {
      guard let next = PolicyPath.child(segment.step, of: value) else {
        let isNew =
          index == segments.count - 1 || index == 0 && PolicyPath.optional.contains(segment.text.text)
        if isNew, case .key = segment.step, case .object = value { return segments.map(\.step) }
        throw PolicyPath.missing(segment, in: value, after: segments[..<index].map(\.step))
      }
      value = next
    }
    return segments.map(\.step)
  }

  /// The path as JSON paths are written in messages.
  package static func text(of steps: some Sequence<Step>) -> String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where key.contains("."): text += "[\(JSONValue.string(key).serialized())]"
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      }
    }
    return text
  }

  // MARK: Looking a place up

  /// Every way to read the steps as a place that is there; as written before through `all`, `any` and `not`.
  private static func resolve(_ steps: ArraySlice<Step>, in value: JSONValue) -> [[Step]] {
    guard let first = steps.first else { return [[]] }
    switch (first, value) {
    case (.index(let index), .array(let items)):
      guard items.indices.contains(index) else { return [] }
      return resolve(steps.dropFirst(), in: items[index]).map { [first] + $0 }
    case (.key, .object(let object)):
      let direct = members(steps, in: object)
      return direct.isEmpty ? nested(steps, in: object) : direct
    default: return []
    }
  }

  /// A name may itself hold dots, as `custom.tone` does.
  private static func members(_ steps: ArraySlice<Step>, in object: JSONObject) -> [[Step]] {
    var name = ""
    var rest = steps
    while case .key(let part)? = rest.first {
      name += name.isEmpty ? part : ".\(part)"
      rest = rest.dropFirst()
      guard let value = object[name] else { continue }
      let found = resolve(rest, in: value)
      if !found.isEmpty { return found.map { [.key(name)] + $0 } }
    }
    return []
  }

  private static func nested(_ steps: ArraySlice<Step>, in object: JSONObject) -> [[Step]] {
    var found: [[Step]] = []
    for key in ["all", "any", "not"] {
      switch object[key] {
      case .array(let items)?:
        for (index, item) in items.enumerated() {
          found += resolve(steps, in: item).map { [.key(key), .index(index)] + $0 }
        }
      case .object(let inner)?: found += resolve(steps, in: .object(inner)).map { [.key(key)] + $0 }
      default: break
      }
    }
    return found
  }

  private static func child(_ step: Step, of value: JSONValue) -> JSONValue? {
    switch step {
    case .key(let key): value[key]
    case .index(let index): value[index]
    }
  }

  private static func missing(_ segment: Segment, in value: JSONValue, after steps: [Step]) -> Problem {
    let place = steps.isEmpty ? "the policy" : text(of: steps)
    switch (segment.step, value) {
    case (.key(let key), .object(let object)):
      return segment.text.problem(
        "\(place) has no '\(key)'",
        advice: suggestion(for: key, among: object.keys) ?? "it has \(object.keys.joined(separator: ", "))")
    case (.index(let index), .array(let items)):
      return segment.text.problem(
        "\(place) has no element \(index)",
        advice: items.isEmpty ? "it is empty" : "elements count from 0; the last is \(items.count - 1)")
    case (.key(let key), _):
      return segment.text.problem("\(place) is no object that could have '\(key)'")
    case (.index, _): return segment.text.problem("\(place) is no list")
    }
  }

  // MARK: Reading

  private static func segments(of text: OptionText) throws(Problem) -> [Segment] {
    let characters = Array(text.text)
    var segments: [Segment] = []
    var place = 0
    func part(_ range: Range<Int>) -> OptionText {
      OptionText(String(characters[range]), option: text.option, column: text.column + range.lowerBound)
    }
    while place < characters.count {
      if characters[place] == "[" {
        guard let end = closing(characters, from: place) else {
          throw part(place..<characters.count).problem("'[' is not closed")
        }
        segments.append(try bracket(part(place + 1..<end)))
        place = end + 1
      } else {
        if !segments.isEmpty {
          guard characters[place] == "." else {
            throw part(place..<characters.count).problem("expected '.' or '['")
          }
          place += 1
        }
        let end = characters[place...].firstIndex { $0 == "." || $0 == "[" } ?? characters.count
        let name = part(place..<end)
        guard !name.isEmpty else { throw name.problem("expected a name") }
        segments.append(Segment(step: .key(name.text), text: name))
        place = end
      }
    }
    guard !segments.isEmpty else {
      throw text.problem("expected a place in the policy, such as rules[2].when.tokensIn.atMost")
    }
    return segments
  }

  private static func closing(_ characters: [Character], from start: Int) -> Int? {
    var isQuoted = false
    for place in start..<characters.count {
      if characters[place] == "\"" { isQuoted.toggle() }
      if characters[place] == "]", !isQuoted { return place }
    }
    return nil
  }

  private static func bracket(_ inner: OptionText) throws(Problem) -> Segment {
    if let index = Int(inner.text), index >= 0 { return Segment(step: .index(index), text: inner) }
    if inner.text.hasPrefix("\""), let key = (try? JSONValue.parse(inner.text))?.stringValue {
      return Segment(step: .key(key), text: inner)
    }
    throw inner.problem("expected a number from 0 or a name in quotes between '[' and ']'")
  }
}

extension JSONValue {
  /// A copy with another value at this place, which `PolicyPath.steps(in:)` has found in it.
  package func replacing(_ steps: ArraySlice<PolicyPath.Step>, with value: JSONValue) -> JSONValue {
    guard let first = steps.first else { return value }
    switch (first, self) {
    case (.key(let key), .object(var object)):
      object[key] = (object[key] ?? .null).replacing(steps.dropFirst(), with: value)
      return .object(object)
    case (.key(let key), .null):
      return .object([key: JSONValue.null.replacing(steps.dropFirst(), with: value)])
    case (.index(let index), .array(var items)) where items.indices.contains(index):
      items[index] = items[index].replacing(steps.dropFirst(), with: value)
      return .array(items)
    default: return self
    }
  }
}
