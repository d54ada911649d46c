import EvalCore

/// What is wrong with one policy or one file of probes, and the reading of its simple values.
final class InputProblems {
  private let locate: (Int) -> SourceLocation?
  private var found: [(offset: Int, problem: Problem)] = []
  private var seen: Set<Problem> = []

  init(locate: @escaping (Int) -> SourceLocation?) { self.locate = locate }

  /// From the top of the text to its end.
  var all: [Problem] {
    let order = found.indices.sorted { (found[$0].offset, $0) < (found[$1].offset, $1) }
    return order.map { found[$0].problem }
  }

  var hasErrors: Bool { found.contains { $0.problem.severity == .error } }

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
    if seen.insert(problem).inserted { found.append((offset, problem)) }
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
