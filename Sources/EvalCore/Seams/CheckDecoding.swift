extension CheckSpec {
  /// Reads a check from JSON: exactly one member names a kind, the rest are options.
  /// - Parameters:
  ///   - json: the check object.
  ///   - graders: the registry.
  /// - Throws: `GraderProblem` with a path relative to the check.
  package static func decode(
    _ json: JSONValue, graders: [GraderDescriptor]
  ) throws(GraderProblem) -> CheckSpec {
    guard case .object(let object) = json else {
      throw GraderProblem("a check is an object such as {\"contains\": \"Paris\"}", path: "")
    }
    let kinds = graders.filter { object[$0.name] != nil }
    guard let kind = kinds.first else { throw unknownKind(object, graders: graders) }
    if kinds.count > 1 {
      throw GraderProblem(
        "a check has one kind, this has \(kinds.map { "'\($0.name)'" }.joined(separator: " and "))",
        path: kinds[1].name, advice: "combine checks with 'all' or 'any'")
    }
    var spec = CheckSpec(kind: kind.name, argument: object[kind.name] ?? .null)
    let known = kind.options + commonCheckOptions
    for member in object.members where member.key != kind.name {
      guard known.contains(where: { $0.key == member.key }) else {
        let names = known.map(\.key) + graders.map(\.name)
        throw GraderProblem(
          "'\(member.key)' is not a setting of the check '\(kind.name)'", path: member.key,
          advice: suggestion(for: member.key, among: names))
      }
      try spec.take(member.key, member.value)
    }
    for option in kind.options where option.isRequired && object[option.key] == nil {
      throw GraderProblem(
        "the check '\(kind.name)' needs '\(option.key)'", path: kind.name, advice: option.summary)
    }
    return spec
  }

  private mutating func take(_ key: String, _ value: JSONValue) throws(GraderProblem) {
    switch key {
    case "name":
      guard let text = value.stringValue, !text.isEmpty else {
        throw GraderProblem("'name' is a string that is not empty", path: key)
      }
      name = text
    case "weight":
      guard let number = value.doubleValue, number > 0, number.isFinite else {
        throw GraderProblem("'weight' is a number above 0", path: key)
      }
      weight = number
    case "threshold":
      guard let number = value.doubleValue, (0...1).contains(number) else {
        throw GraderProblem("'threshold' is a number in 0…1", path: key)
      }
      threshold = number
    default: options[key] = value
    }
  }

  private static func unknownKind(_ object: JSONObject, graders: [GraderDescriptor]) -> GraderProblem {
    let names = graders.map(\.name)
    let common = Set(commonCheckOptions.map(\.key))
    guard let key = object.keys.first(where: { !common.contains($0) }) else {
      return GraderProblem(
        "this check names no kind", path: "", advice: "one of \(names.joined(separator: ", "))")
    }
    return GraderProblem(
      "'\(key)' is not a kind of check", path: key,
      advice: suggestion(for: key, among: names) ?? "one of \(names.joined(separator: ", "))")
  }
}
