import EvalCore

/// One evaluation of a query over a value, with its budget.
struct JSONPathEvaluation {
  let root: JSONValue
  private var visits = 0
  private(set) var isExhausted = false

  init(root: JSONValue) { self.root = root }

  /// The nodes that `query` selects; what is returned after the budget is spent means nothing.
  mutating func select(_ query: JSONPath.Query, current: JSONValue) -> [JSONPath.Node] {
    var nodes = [JSONPath.Node(value: query.isRelative ? current : root, path: [])]
    for segment in query.segments {
      var selected: [JSONPath.Node] = []
      for node in nodes {
        if segment.isDescendant {
          descend(node, segment.selectors, into: &selected)
        } else {
          apply(segment.selectors, node, into: &selected)
        }
      }
      nodes = selected
      if isExhausted { return [] }
    }
    return nodes
  }

  private mutating func visit() -> Bool {
    visits += 1
    if visits > JSONPath.visitLimit { isExhausted = true }
    return !isExhausted
  }

  private mutating func descend(
    _ node: JSONPath.Node, _ selectors: [JSONPath.Selector], into selected: inout [JSONPath.Node]
  ) {
    guard visit() else { return }
    apply(selectors, node, into: &selected)
    for child in children(of: node) { descend(child, selectors, into: &selected) }
  }

  private func children(of node: JSONPath.Node) -> [JSONPath.Node] {
    switch node.value {
    case .object(let object):
      object.members.map { JSONPath.Node(value: $0.value, path: node.path + [.name($0.key)]) }
    case .array(let elements):
      elements.enumerated().map { JSONPath.Node(value: $1, path: node.path + [.index($0)]) }
    default: []
    }
  }

  private mutating func apply(
    _ selectors: [JSONPath.Selector], _ node: JSONPath.Node, into selected: inout [JSONPath.Node]
  ) {
    for selector in selectors {
      guard visit() else { return }
      switch selector {
      case .name(let name):
        guard let value = node.value[name] else { continue }
        selected.append(JSONPath.Node(value: value, path: node.path + [.name(name)]))
      case .index(let index):
        guard let elements = node.value.arrayValue else { continue }
        append(index < 0 ? elements.count + index : index, of: elements, node, to: &selected)
      case .wildcard:
        for child in children(of: node) where visit() { selected.append(child) }
      case .slice(let start, let end, let step):
        guard let elements = node.value.arrayValue else { continue }
        for index in JSONPathEvaluation.indices(start, end, step, elements.count) where visit() {
          append(index, of: elements, node, to: &selected)
        }
      case .filter(let condition):
        for child in children(of: node) where visit() && holds(condition, child.value) {
          selected.append(child)
        }
      }
    }
  }

  private func append(
    _ index: Int, of elements: [JSONValue], _ node: JSONPath.Node, to selected: inout [JSONPath.Node]
  ) {
    guard elements.indices.contains(index) else { return }
    selected.append(JSONPath.Node(value: elements[index], path: node.path + [.index(index)]))
  }

  /// RFC 9535 §2.3.4.2.2.
  private static func indices(_ start: Int?, _ end: Int?, _ step: Int, _ count: Int) -> StrideTo<Int> {
    func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
    if step > 0 {
      let lower = min(max(normalized(start ?? 0), 0), count)
      let upper = min(max(normalized(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: step)
    }
    if step == 0 { return stride(from: 0, to: 0, by: 1) }
    let upper = min(max(start.map(normalized) ?? count - 1, -1), count - 1)
    let lower = min(max(end.map(normalized) ?? -1, -1), count - 1)
    return stride(from: upper, to: lower, by: step)
  }
}

extension JSONPathEvaluation {
  private mutating func holds(_ condition: JSONPath.Condition, _ current: JSONValue) -> Bool {
    switch condition {
    case .or(let parts):
      for part in parts where holds(part, current) { return true }
      return false
    case .and(let parts):
      for part in parts where !holds(part, current) { return false }
      return true
    case .not(let inner): return !holds(inner, current)
    case .exists(let query): return !select(query, current: current).isEmpty
    case .comparison(let left, let comparator, let right):
      return compare(value(left, current), comparator, value(right, current))
    case .match(let subject, let regex): return matches(subject, regex, current)
    }
  }

  /// The value of an operand; `nil` is the RFC's Nothing.
  private mutating func value(_ operand: JSONPath.Operand, _ current: JSONValue) -> JSONValue? {
    switch operand {
    case .literal(let value): return value
    case .singular(let query): return select(query, current: current).first?.value
    case .count(let query): return .integer(Int64(select(query, current: current).count))
    case .value(let query):
      let nodes = select(query, current: current)
      return nodes.count == 1 ? nodes[0].value : nil
    case .length(let inner):
      switch value(inner, current) {
      case .string(let text)?: return .integer(Int64(text.unicodeScalars.count))
      case .array(let elements)?: return .integer(Int64(elements.count))
      case .object(let object)?: return .integer(Int64(object.count))
      default: return nil
      }
    }
  }

  private mutating func matches(
    _ subject: JSONPath.Operand, _ regex: JSONPath.Regex, _ current: JSONValue
  ) -> Bool {
    guard let text = value(subject, current)?.stringValue else { return false }
    let pattern: Pattern?
    switch regex {
    case .compiled(let compiled): pattern = compiled
    case .computed(let operand, let dialect):
      pattern = value(operand, current)?.stringValue.flatMap { try? Pattern($0, dialect: dialect) }
    }
    switch pattern?.firstMatch(in: text) {
    case .match?: return true
    case .tooExpensive?:
      isExhausted = true
      return false
    case .noMatch?, nil: return false
    }
  }

  /// RFC 9535 §2.3.5.2.2.
  private func compare(_ left: JSONValue?, _ comparator: JSONPath.Comparator, _ right: JSONValue?) -> Bool {
    switch comparator {
    case .equal: JSONPathEvaluation.areEqual(left, right)
    case .notEqual: !JSONPathEvaluation.areEqual(left, right)
    case .less: JSONPathEvaluation.isLess(left, right)
    case .greater: JSONPathEvaluation.isLess(right, left)
    case .lessOrEqual: JSONPathEvaluation.isLess(left, right) || JSONPathEvaluation.areEqual(left, right)
    case .greaterOrEqual: JSONPathEvaluation.isLess(right, left) || JSONPathEvaluation.areEqual(left, right)
    }
  }

  private static func areEqual(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.jsonEquals(right)
  }

  private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.integer(let left)?, .integer(let right)?): return left < right
    case (.string(let left)?, .string(let right)?):
      return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars) { $0.value < $1.value }
    default:
      guard let left = left?.doubleValue, let right = right?.doubleValue else { return false }
      return left < right
    }
  }
}
