import EvalCore

/// Reads the suite's routes as JSON and remembers where they stand; the routing room judges their policies.
struct RoutesReader {
  let reader: Reader
  let source: SourceText
  let profiles: [String]

  /// What stands under a route's name.
  static let schema: JSONValue = [
    "anyOf": [["type": "string", "minLength": 1], ["$ref": "#/$defs/textFile"], ["type": "object"]]
  ]

  func read(_ view: JSONView) -> [RouteSpec] {
    guard view.kind == .object else {
      reader.wrong(view, expected: "an object of routes")
      return []
    }
    var routes: [RouteSpec] = []
    for member in view.members {
      let name = member.key.string ?? ""
      if name.isEmpty { reader.error("a route needs a name", at: member.key) }
      if routes.contains(where: { $0.name == name }) {
        reader.error("two routes are called '\(name)'", at: member.key, advice: "rename one")
      }
      if profiles.contains(name) {
        reader.error(
          "a profile is called '\(name)', too", at: member.key, advice: "rename one: both are targets")
      }
      if let (policy, text) = policy(member.value) {
        routes.append(
          RouteSpec(name: name, policy: policy, location: reader.location(of: member.value), text: text))
      }
    }
    return routes
  }

  private func policy(_ view: JSONView) -> (JSONValue, PolicyText)? {
    let isFile = view.kind == .object && view.count == 1 && view["file"] != nil
    guard view.kind == .object || view.kind == .string else {
      reader.wrong(view, expected: "a policy, a path, or {\"file\": \"policy.json\"}")
      return nil
    }
    if isFile || view.kind == .string { return file(view) }
    let text = PolicyText(source: source, range: view.range, path: reader.path(of: view) ?? "")
    return (view.value, text)
  }

  private func file(_ view: JSONView) -> (JSONValue, PolicyText)? {
    let read = view.kind == .string ? SideFile.bytes(at: view, reader) : SideFile.bytes(view, reader)
    guard let (path, bytes) = read else { return nil }
    let source = SourceText(name: path, bytes: bytes)
    let document = JSONDocument()
    do throws(JSONSyntaxError) {
      try document.parse(bytes, dialect: .relaxed)
    } catch {
      reader.diagnostics.add(source.problem(error))
      return nil
    }
    let root = document.root
    guard root.kind == .object else {
      reader.with(Origin(source, root: root)) {
        reader.wrong(root, expected: "a policy, which is an object")
      }
      return nil
    }
    return (root.value, PolicyText(source: source, range: root.range, path: ""))
  }
}
