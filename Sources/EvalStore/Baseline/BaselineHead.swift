import EvalCore

/// What a baseline says before its cases: what was run, when and with what.
struct BaselineHead {
  var name: String
  var run: RunInfo
  var checkSets: [String: [CheckShape]]

  private static let keys = ["format", "version", "name", "run", "targets", "cases", "checkSets"]
  private static let runKeys = [
    "id", "name", "suite", "suitePath", "suiteHash", "planHash", "status", "startedAt", "repeats", "seed",
    "cases", "plannedTrials", "provenance", "recording", "private", "toolVersion", "machine", "settings",
  ]

  /// - Returns: `nil` when the head is not whole; `problems` says why.
  init?(_ root: JSONView, _ problems: inout BaselineProblems) {
    guard BaselineHead.isBaseline(root, &problems),
      problems.expectObject(root, "a baseline", keys: BaselineHead.keys)
    else { return nil }
    let name = problems.string(root, "name")
    let targets = BaselineHead.targets(root, &problems)
    let run = BaselineHead.run(root, targets, &problems)
    checkSets = BaselineHead.checkSets(root, &problems)
    if let cases = root["cases"], cases.kind != .array { problems.add("'cases' is not an array", cases) }
    if root["cases"] == nil { problems.add("'cases' is missing", root) }
    guard let name, let run, problems.isEmpty else { return nil }
    self.name = name
    self.run = run
  }

  private static func isBaseline(_ root: JSONView, _ problems: inout BaselineProblems) -> Bool {
    guard root.kind == .object, root["format"]?.string == BaselineFile.format else {
      problems.add(
        "this is not a baseline: its \"format\" is not \"\(BaselineFile.format)\"", root,
        advice: "'evalrun baseline export NAME FILE' writes one")
      return false
    }
    guard let version = root["version"] else {
      problems.add("'version' is missing", root)
      return false
    }
    guard version.int == BaselineFile.version else {
      problems.add(
        "the baseline is of a version that this evalrun does not know", version,
        advice: "update evalrun, or export the baseline again")
      return false
    }
    return true
  }

  private static func run(
    _ root: JSONView, _ targets: [RunInfo.TargetInfo], _ problems: inout BaselineProblems
  ) -> RunInfo? {
    guard let view = root["run"] else {
      problems.add("'run' is missing", root)
      return nil
    }
    guard problems.expectObject(view, "'run'", keys: runKeys) else { return nil }
    let id = problems.string(view, "id")
    let suite = problems.string(view, "suite")
    let suiteHash = problems.hash(view, "suiteHash")
    let planHash = problems.hash(view, "planHash")
    let repeats = problems.count(view, "repeats", atLeast: 1)
    let cases = problems.count(view, "cases")
    let planned = problems.count(view, "plannedTrials")
    let status = problems.word(view, "status", RunStatus.self)
    let provenance = problems.string(view, "provenance").flatMap(Provenance.init)
    guard let id, let suite, let suiteHash, let planHash, let repeats, let cases, let planned, let status
    else { return nil }
    guard repeats <= max(1, planned) else {
      problems.add("\(repeats) repeats of \(planned) planned trials cannot be", view["repeats"] ?? view)
      return nil
    }
    guard let provenance else {
      problems.add("'provenance' is live or recorded", view["provenance"] ?? view)
      return nil
    }
    var run = RunInfo(
      id: id, suiteName: suite, suitePath: problems.optionalString(view, "suitePath") ?? "",
      suiteHash: suiteHash, planHash: planHash,
      seed: problems.optionalString(view, "seed").flatMap { UInt64($0) } ?? 1, repeats: repeats,
      plannedTrials: planned, caseCount: cases, startedAt: view["startedAt"]?.double ?? 0,
      startedMonotonic: 0, targets: targets, settings: view["settings"]?.value ?? .null,
      provenance: provenance, toolVersion: problems.optionalString(view, "toolVersion") ?? "",
      machine: problems.optionalString(view, "machine") ?? "")
    run.name = problems.optionalString(view, "name")
    run.status = status
    run.recording = problems.optionalString(view, "recording")
    run.isPrivate = view["private"]?.bool ?? false
    return run
  }

  private static func targets(
    _ root: JSONView, _ problems: inout BaselineProblems
  ) -> [RunInfo.TargetInfo] {
    guard let list = root["targets"], list.kind == .array, list.count > 0 else {
      problems.add("'targets' is missing, empty or not an array", root["targets"] ?? root)
      return []
    }
    var targets: [RunInfo.TargetInfo] = []
    for view in list.elements {
      guard problems.expectObject(view, "a target", keys: ["name", "kind", "hash", "content"]) else {
        continue
      }
      let name = problems.string(view, "name")
      let hash = problems.hash(view, "hash")
      guard let name, let kind = problems.string(view, "kind"), let hash else { continue }
      if targets.contains(where: { $0.name == name }) {
        problems.add("the target '\(name)' is there twice", view)
      }
      targets.append(
        RunInfo.TargetInfo(name: name, kind: kind, hash: hash, content: view["content"]?.value ?? .null))
    }
    return targets
  }

  private static func checkSets(
    _ root: JSONView, _ problems: inout BaselineProblems
  ) -> [String: [CheckShape]] {
    guard let view = root["checkSets"] else { return [:] }
    guard view.kind == .object else {
      problems.add("'checkSets' is not an object", view)
      return [:]
    }
    var sets: [String: [CheckShape]] = [:]
    for member in view.members {
      var shapes: [CheckShape] = []
      for check in member.value.elements {
        guard problems.expectObject(check, "a check", keys: ["name", "kind", "weight", "turn"]),
          let name = problems.string(check, "name")
        else { continue }
        let weight = check["weight"]?.double ?? 1
        if weight <= 0 { problems.add("'weight' is not above 0", check) }
        shapes.append(
          CheckShape(
            name: name, kind: problems.optionalString(check, "kind") ?? name, weight: weight,
            turn: check["turn"]?.int.map { Int($0) }))
      }
      sets[member.key.string ?? ""] = shapes
    }
    return sets
  }
}

extension RunInfo {
  /// What a baseline keeps of the run.
  var baselineJSON: JSONValue {
    var object: JSONObject = ["id": .string(id)]
    object["name"] = name.map { .string($0) }
    object["suite"] = .string(suiteName)
    object["suitePath"] = .string(suitePath)
    object["suiteHash"] = .string(suiteHash.hex)
    object["planHash"] = .string(planHash.hex)
    object["status"] = .string(status.rawValue)
    object["startedAt"] = .integer(Int64(startedAt.rounded()))
    object["repeats"] = .integer(Int64(repeats))
    // As text: a seed may exceed the integers that JSON readers keep.
    object["seed"] = .string(String(seed))
    object["cases"] = .integer(Int64(caseCount))
    object["plannedTrials"] = .integer(Int64(plannedTrials))
    object["provenance"] = .string(provenance.rawValue)
    object["recording"] = recording.map { .string($0) }
    object["private"] = isPrivate ? true : nil
    object["toolVersion"] = .string(toolVersion)
    object["machine"] = .string(machine)
    object["settings"] = settings
    return .object(object)
  }
}
