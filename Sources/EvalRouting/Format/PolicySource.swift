package import EvalCore

/// A policy's text, with what is needed to say where in a file something stands.
package struct PolicySource {
  let view: JSONView
  /// Where the policy stands in its file; empty when it is the whole file.
  let path: String
  let locate: (Int) -> SourceLocation?

  /// - Parameters:
  ///   - view: the policy.
  ///   - path: its place in the file, such as `routes.careful`; empty when it is the whole file.
  ///   - locate: the place of a byte offset in the text that `view` was parsed from.
  package init(_ view: JSONView, path: String = "", locate: @escaping (Int) -> SourceLocation?) {
    self.view = view
    self.path = path
    self.locate = locate
  }

  /// A file of its own, or another text that was parsed whole.
  package init(_ text: SourceText, root: JSONView) {
    self.init(root) { text.location(of: $0) }
  }

  /// A policy whose text is gone: every problem is told at one place, with its path.
  package init(_ value: JSONValue, path: String = "", at place: SourceLocation? = nil) {
    let document = JSONDocument()
    // What was serialized a moment ago can be parsed; were it not, the root is null and refused as no policy.
    try? document.parse(value.bytes(.compact))
    self.init(document.root, path: path) { _ in place }
  }
}

/// A value of a policy with its path.
struct Node {
  let view: JSONView
  let path: String
  /// Where its key stands, for problems with the key; its own place where it has none.
  var keyOffset: Int

  var offset: Int { view.range.lowerBound }

  func member(_ key: String, _ value: JSONView, keyAt offset: Int) -> Node {
    Node(view: value, path: path.isEmpty ? key : "\(path).\(key)", keyOffset: offset)
  }

  /// The elements of an array.
  var elements: [Node] {
    view.elements.enumerated().map { index, element in
      Node(view: element, path: "\(path)[\(index)]", keyOffset: element.range.lowerBound)
    }
  }

  /// The members of an object, in the order of the text.
  var members: [(key: String, node: Node)] {
    view.members.map { key, value in
      let name = key.string ?? ""
      return (name, member(name, value, keyAt: key.range.lowerBound))
    }
  }

  /// The value in words, short enough for a message.
  var words: String {
    let text = view.value.serialized(.compact)
    return switch view.kind {
    case .object: view.count == 0 ? "an empty object" : "an object"
    case .array: view.count == 0 ? "an empty array" : "an array"
    default: text.count > 60 ? "\(text.prefix(60))…" : text
    }
  }
}

/// What is wrong with one policy, and the reading of its simple values.
final class PolicyProblems {
  private let locate: (Int) -> SourceLocation?
  private(set) var all: [Problem] = []

  init(_ source: PolicySource) { locate = source.locate }

  var hasErrors: Bool { all.contains { $0.severity == .error } }

  func error(_ message: String, at node: Node, advice: String? = nil) {
    add(.error, message, node.offset, node.path, advice)
  }

  /// At the key of a member.
  func keyError(_ message: String, at node: Node, advice: String? = nil) {
    add(.error, message, node.keyOffset, node.path, advice)
  }

  func warning(_ message: String, at node: Node, advice: String? = nil) {
    add(.warning, message, node.offset, node.path, advice)
  }

  func wrong(_ node: Node, expected: String, advice: String? = nil) {
    error("expected \(expected), found \(node.words)", at: node, advice: advice)
  }

  private func add(
    _ severity: Problem.Severity, _ message: String, _ offset: Int, _ path: String, _ advice: String?
  ) {
    let problem = Problem(
      severity, message, at: locate(offset), path: path.isEmpty ? nil : path, advice: advice)
    if !all.contains(problem) { all.append(problem) }
  }

  /// The members of an object by their keys, after noting unknown ones and those given twice.
  /// - Returns: `nil` for what is no object.
  func members(_ node: Node, of what: String, known keys: [String]) -> [String: Node]? {
    guard node.view.kind == .object else {
      wrong(node, expected: what)
      return nil
    }
    var found: [String: Node] = [:]
    for (key, member) in node.members {
      if !keys.contains(key) {
        keyError(
          "'\(key)' is not a key of \(what)", at: member,
          advice: suggestion(for: key, among: keys) ?? "one of \(keys.joined(separator: ", "))")
      } else if found.updateValue(member, forKey: key) != nil {
        keyError("'\(key)' is given twice", at: member)
      }
    }
    return found
  }

  func text(_ node: Node?) -> String? {
    guard let node else { return nil }
    if let text = node.view.string, !text.isEmpty { return text }
    wrong(node, expected: "a text that is not empty")
    return nil
  }

  func integer(_ node: Node?, in range: ClosedRange<Int>) -> Int? {
    guard let node else { return nil }
    if let value = node.view.int, range.contains(Int(value)) { return Int(value) }
    wrong(node, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  func number(_ node: Node?, in range: Range<Double>, _ words: String) -> Double? {
    guard let node else { return nil }
    if let value = node.view.double, range.contains(value) { return value }
    wrong(node, expected: words)
    return nil
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(_ node: Node) -> Word? where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    if let text = node.view.string, let word = Word(rawValue: text) { return word }
    wrong(
      node, expected: SignalDomain.list(words),
      advice: node.view.string.flatMap { suggestion(for: $0, among: words) })
    return nil
  }

  /// An array of names that is not empty.
  func names(_ node: Node, of what: String) -> [(name: String, node: Node)] {
    guard node.view.kind == .array, node.view.count > 0 else {
      wrong(node, expected: "an array of \(what) with at least one")
      return []
    }
    return node.elements.compactMap { element in text(element).map { ($0, element) } }
  }
}
