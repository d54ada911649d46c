import EvalCore

/// The paths that messages show, such as `cases[3].checks[0].regex`.
///
/// A path is found from an offset only when there is something to say, so that reading a right file costs nothing.
enum JSONPath {
  /// The path to the innermost value or key at an offset; `nil` for the root itself.
  static func path(to offset: Int, in root: JSONView, prefix: String = "") -> String? {
    var path = prefix
    var view = root
    while let (step, child) = step(from: view, to: offset) {
      path = path + step.text(afterStart: !path.isEmpty)
      guard let child else { break }
      view = child
    }
    return path.isEmpty ? nil : path
  }

  /// Joins a path with one below it, either may be empty.
  static func join(_ path: String?, _ rest: String) -> String? {
    guard let path, !path.isEmpty else { return rest.isEmpty ? nil : rest }
    if rest.isEmpty { return path }
    return rest.hasPrefix("[") ? path + rest : path + "." + rest
  }

  /// The deepest value that a path leads to, as far as it leads.
  static func resolve(_ path: String, from view: JSONView) -> JSONView {
    var view = view
    for step in steps(path) {
      let next = step.index.flatMap { view[$0] } ?? view[step.name]
      guard let next else { break }
      view = next
    }
    return view
  }

  /// The value at a path, `nil` when the path leads nowhere.
  static func find(_ path: String, from view: JSONView) -> JSONView? {
    if let direct = view[path] { return direct }
    var view = view
    for step in steps(path) {
      guard let next = step.index.flatMap({ view[$0] }) ?? view[step.name] else { return nil }
      view = next
    }
    return view
  }

  /// The first step of a path, such as `options` of `options.command[0]`.
  static func first(_ path: String) -> String { steps(path).first?.name ?? "" }

  private static func steps(_ path: String) -> [(name: String, index: Int?)] {
    path.split { $0 == "." || $0 == "[" || $0 == "]" }.map { step in
      let name = String(step.drop { $0 == "\"" }.prefix { $0 != "\"" })
      return (name, Int(name))
    }
  }

  private enum Step {
    case key(String)
    case index(Int)

    func text(afterStart: Bool) -> String {
      switch self {
      case .index(let index): "[\(index)]"
      case .key(let key) where JSONPath.isPlain(key): (afterStart ? "." : "") + key
      case .key(let key): "[\(JSONValue.string(key).serialized(.compact))]"
      }
    }
  }

  private static func step(from view: JSONView, to offset: Int) -> (Step, JSONView?)? {
    switch view.kind {
    case .object:
      for member in view.members {
        if member.key.range.contains(offset) { return (.key(member.key.string ?? ""), nil) }
        if member.value.range.contains(offset) { return (.key(member.key.string ?? ""), member.value) }
      }
    case .array:
      for (index, element) in view.elements.enumerated() where element.range.contains(offset) {
        return (.index(index), element)
      }
    default: break
    }
    return nil
  }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty
      && key.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0 == "$" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }
}
