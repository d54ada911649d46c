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

  /// A route's policy, in its suite or in a file of its own.
  package init(_ text: PolicyText) {
    self.init(text.parsed(), path: text.path) { text.source.location(of: text.range.lowerBound + $0) }
  }

  /// A policy whose text is gone: every problem is told at one place, with its path.
  package init(_ value: JSONValue, path: String = "", at place: SourceLocation? = nil) {
    let document = JSONDocument()
    // What was serialized a moment ago can be parsed; were it not, the root is null and refused as no policy.
    try? document.parse(value.bytes(.compact))
    self.init(document.root, path: path) { _ in place }
  }
}

extension PolicySource {
  /// The problem at the place that its path names, as far as the path leads.
  package func placed(_ problem: Problem) -> Problem {
    var view = view
    var rest = (problem.path ?? "")[...]
    while !rest.isEmpty {
      let isIndex = rest.first == "["
      let step = rest.drop { $0 == "[" || $0 == "." }.prefix { isIndex ? $0 != "]" : $0 != "." && $0 != "[" }
      rest = rest[step.endIndex...].drop { $0 == "]" || $0 == "." }
      let next = isIndex ? Int(step).flatMap { view[$0] } : view[String(step)]
      guard let next else { break }
      view = next
    }
    var placed = problem
    placed.location = locate(view.range.lowerBound)
    placed.path = [path, problem.path ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
    return placed
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
