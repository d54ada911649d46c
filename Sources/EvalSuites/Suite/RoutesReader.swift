import EvalCore

/// Reads the suite's routes as JSON; the routing room judges their policies.
struct RoutesReader {
  let reader: Reader
  let profiles: [String]

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
      if let policy = policy(member.value) {
        routes.append(RouteSpec(name: name, policy: policy, location: reader.location(of: member.value)))
      }
    }
    return routes
  }

  private func policy(_ view: JSONView) -> JSONValue? {
    guard view.kind == .object else {
      reader.wrong(view, expected: "a policy, or {\"file\": \"policy.json\"}")
      return nil
    }
    guard view.count == 1, view["file"] != nil else { return view.value }
    return JSONFile.read(view, reader) { root, reader in
      if root.kind != .object { reader.wrong(root, expected: "a policy, which is an object") }
    }
  }
}
