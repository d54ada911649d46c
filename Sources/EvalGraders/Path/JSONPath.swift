import EvalCore

/// A JSONPath query as RFC 9535 defines it: names, indices, wildcards, slices, descendants, filters and the functions
/// `length`, `count`, `match`, `search` and `value`.
struct JSONPath: Sendable {
  /// The query as it was written.
  let text: String
  let query: Query

  /// A node that a query selects.
  struct Node {
    var value: JSONValue
    var path: [JSONPathStep]
  }

  struct SyntaxError: Error, Equatable {
    var message: String
    /// In characters from the query's start.
    var offset: Int
  }

  /// - Throws: `SyntaxError` for a query that is not well-formed or not well-typed (RFC 9535 §2.1).
  init(_ text: String) throws(SyntaxError) {
    self.text = text
    var parser = JSONPathParser(text)
    query = try parser.parse()
  }

  /// - Parameter path: where the query stands in the check, for the problem.
  init(_ text: String, at path: String) throws(GraderProblem) {
    do {
      try self.init(text)
    } catch {
      throw GraderProblem(
        "'\(text)' is no JSONPath: \(error.message), at character \(error.offset)", path: path,
        advice: text.hasPrefix("$") ? nil : "a JSONPath begins with $, for instance $.city")
    }
  }

  /// Whether the query selects at most one node, whatever the value.
  var isSingular: Bool { query.isSingular }

  /// The selected nodes in order; `nil` when the query would visit more than ``visitLimit`` nodes or a regular
  /// expression in it is too expensive.
  func nodes(in root: JSONValue) -> [Node]? {
    var evaluation = JSONPathEvaluation(root: root)
    let nodes = evaluation.select(query, current: root)
    return evaluation.isExhausted ? nil : nodes
  }

  /// The most nodes that one evaluation visits.
  static let visitLimit = 1_000_000
}

extension JSONPath {
  /// Segments applied to the root (`$`) or to the node under test (`@`).
  struct Query: Sendable {
    var isRelative: Bool
    var segments: [Segment]

    var isSingular: Bool {
      segments.allSatisfy { segment in
        guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .name, .index: return true
        case .wildcard, .slice, .filter: return false
        }
      }
    }
  }

  struct Segment: Sendable {
    /// `..`: applied to the node and all its descendants.
    var isDescendant: Bool
    var selectors: [Selector]
  }

  enum Selector: Sendable {
    case name(String)
    case wildcard
    /// Negative counts from the end.
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  indirect enum Condition: Sendable {
    case or([Condition])
    case and([Condition])
    case not(Condition)
    case comparison(Operand, Comparator, Operand)
    case exists(Query)
    case match(Operand, Regex)
  }

  enum Comparator: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// Something with a value, or with none.
  indirect enum Operand: Sendable {
    case literal(JSONValue)
    /// A query that selects one node at most.
    case singular(Query)
    case length(Operand)
    case count(Query)
    /// The value of the one node that the query selects, none if there are more or fewer.
    case value(Query)
  }

  /// The pattern of `match` or `search`.
  enum Regex: Sendable {
    /// `nil` when the literal is no regular expression, which matches nothing (RFC 9535 §2.4.6).
    case compiled(Pattern?)
    case computed(Operand, Pattern.Dialect)
  }
}

/// One step from a value to a member or element.
enum JSONPathStep: Sendable, Hashable {
  case name(String)
  case index(Int)

  /// A normalized path (RFC 9535 §2.7), such as `$['a'][0]`.
  static func normalized(_ path: some Sequence<JSONPathStep>) -> String {
    var text = "$"
    for step in path {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name): text += "['\(escaped(name))']"
      }
    }
    return text
  }

  private static func escaped(_ name: String) -> String {
    guard name.unicodeScalars.contains(where: { $0 == "'" || $0 == "\\" || $0.value < 0x20 }) else {
      return name
    }
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": text += "\\'"
      case "\\": text += "\\\\"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Orders paths so that taking out one leaves the places of those that follow as they are.
  static func isAfter(_ left: [JSONPathStep], _ right: [JSONPathStep]) -> Bool {
    for pair in zip(left, right) where pair.0 != pair.1 {
      switch pair {
      case (.index(let first), .index(let second)): return first > second
      case (.name(let first), .name(let second)): return first > second
      case (.index, .name): return true
      case (.name, .index): return false
      }
    }
    return left.count > right.count
  }
}
