package import EvalCore

extension BaselineFile {
  /// Writes a run as a baseline: a line for each case and one for each of its targets, in the order of the source.
  /// - Parameters:
  ///   - name: what the baseline is called.
  ///   - sink: takes the text piece by piece.
  /// - Throws: what the source throws.
  package static func write(
    _ source: some TrialSource, name: String, to sink: (String) -> Void
  ) throws {
    let run = source.run
    func line(_ key: String, _ value: JSONValue) { sink("  \"\(key)\": \(value.serialized()),\n") }
    sink("{\n")
    line("format", .string(format))
    line("version", .integer(version))
    line("name", .string(name))
    line("run", run.baselineJSON)
    sink("  \"targets\": [\n")
    let targets = run.targets.map { target in
      let object: JSONValue = [
        "name": .string(target.name), "kind": .string(target.kind), "hash": .string(target.hash.hex),
        "content": target.content,
      ]
      return "    " + object.serialized()
    }
    sink(targets.joined(separator: ",\n") + "\n  ],\n  \"cases\": [")
    var lines = BaselineLines(run: run)
    try source.forEachTrial { trial in if let text = lines.add(trial) { sink(text) } }
    sink(lines.end())
    sink("\n  ],\n  \"checkSets\": {")
    let sets = lines.checkSets.sorted { $0.key < $1.key }.map { key, shapes in
      "\n    \"\(key)\": \(JSONValue.array(shapes.map(\.json)).serialized())"
    }
    sink(sets.joined(separator: ",") + (sets.isEmpty ? "}\n}\n" : "\n  }\n}\n"))
  }
}

/// Gathers the trials of one case after the other and writes its lines.
private struct BaselineLines {
  private let run: RunInfo
  private var trials: [TrialRecord] = []
  private var isFirst = true
  /// By the first digits of their hash, so that a new set does not rename others.
  private(set) var checkSets: [String: [CheckShape]] = [:]

  init(run: RunInfo) { self.run = run }

  /// - Returns: the lines of the case before, when this trial is of another.
  mutating func add(_ trial: TrialRecord) -> String? {
    guard trial.status != .cancelled else { return nil }
    let isNew = trials.first.map { $0.key.caseHash != trial.key.caseHash } ?? false
    let lines = isNew ? end() : nil
    trials.append(trial)
    return lines
  }

  /// The lines of the last case; empty without one.
  mutating func end() -> String {
    guard let first = trials.first else { return "" }
    let shapes = self.shapes()
    let key = note(shapes)
    var head: JSONObject = ["id": .string(first.caseID), "hash": .string(first.key.caseHash.hex)]
    head["tags"] = first.tags.isEmpty ? nil : .array(first.tags.map { .string($0) })
    head["cluster"] = first.cluster.map { .string($0) }
    head["mustPass"] = first.mustPass ? true : nil
    head["checkSet"] = key.map { .string($0) }
    let opening = JSONValue.object(head).serialized().dropLast()
    let results = run.targets.compactMap { target -> String? in
      let own = trials.filter { $0.target == target.name }
      return own.isEmpty ? nil : "      " + result(target.name, own, shapes).serialized()
    }
    let separator = isFirst ? "\n" : ",\n"
    isFirst = false
    trials = []
    return "\(separator)    \(opening),\"results\":[\n\(results.joined(separator: ",\n"))]}"
  }

  /// The checks of the case: in a trial that broke some may be missing.
  private func shapes() -> [CheckShape] {
    var shapes: [CheckShape] = []
    for trial in trials {
      for shape in trial.scores.map(CheckShape.init) where !shapes.contains(shape) { shapes.append(shape) }
    }
    return shapes
  }

  private mutating func note(_ shapes: [CheckShape]) -> String? {
    if shapes.isEmpty { return nil }
    let key = String(ContentHash(of: .array(shapes.map(\.json)), kind: "checkSet").hex.prefix(8))
    checkSets[key] = shapes
    return key
  }

  private func result(_ target: String, _ trials: [TrialRecord], _ shapes: [CheckShape]) -> JSONValue {
    var places = [TrialRecord?](repeating: nil, count: run.repeats)
    for trial in trials where places.indices.contains(trial.key.repeatIndex) {
      places[trial.key.repeatIndex] = trial
    }
    func column(_ value: (TrialRecord) -> JSONValue) -> [JSONValue] {
      places.map { $0.map(value) ?? .null }
    }
    /// Left out where every repeat has the usual value.
    func unless(_ usual: JSONValue, _ values: [JSONValue]) -> JSONValue? {
      values.allSatisfy { $0 == usual } ? nil : BaselineValues.collapsed(values)
    }
    var object: JSONObject = ["target": .string(target)]
    object["status"] = unless("ok", column(BaselineValues.status))
    if !shapes.isEmpty {
      object["checks"] = .array(
        shapes.map { shape in
          BaselineValues.collapsed(
            column { trial in
              trial.scores.first { CheckShape($0) == shape }
                .map { BaselineValues.judgement($0.judgement) } ?? .null
            })
        })
    }
    let facts = places.map { $0.map(TrialFacts.init) }
    func fact(_ value: (TrialFacts) -> JSONValue) -> [JSONValue] { facts.map { $0.map(value) ?? .null } }
    object["ms"] = unless(.null, fact { BaselineValues.milliseconds($0.total) })
    object["firstTokenMs"] = unless(.null, fact { BaselineValues.milliseconds($0.firstToken) })
    object["usd"] = unless(.null, fact { BaselineValues.dollars($0.cost) })
    object["boundary"] = unless(
      "device", fact { $0.hasCalls ? $0.boundary.map { .string($0.rawValue) } ?? .null : "none" })
    object["profile"] = unless(.string(target), fact { .string($0.profile ?? target) })
    object["cold"] = unless(.null, fact { $0.isCold.map { .bool($0) } ?? .null })
    return .object(object)
  }
}

/// What a trial's calls come to.
private struct TrialFacts {
  let hasCalls: Bool
  /// Nanoseconds that the user waited over all calls; `nil` unless every answer is whole.
  let total: Int64?
  /// Nanoseconds to the first token of the first call.
  let firstToken: Int64?
  let cost: Cost
  /// The farthest; `nil` when it stayed on the device as far as is known, and not all is.
  let boundary: Boundary?
  /// Of the answer that was served.
  let profile: String?
  /// A connection was made for an answer that was served.
  let isCold: Bool?

  init(_ trial: TrialRecord) {
    let attempts = trial.attempts.filter { $0.phase == .measured }
    hasCalls = !attempts.isEmpty
    cost = .sum(of: attempts.map(\.cost))
    let boundaries = attempts.compactMap(\.boundary)
    let farthest = boundaries.max()
    boundary = boundaries.count == attempts.count || farthest.map { $0 > .device } == true ? farthest : nil
    profile = attempts.last?.profile
    var total: Int64? = trial.status == .ok && !attempts.isEmpty ? 0 : nil
    var firstToken: Int64?
    var isCold: Bool?
    var before: Int64? = 0
    for (index, attempt) in attempts.enumerated() {
      let next = index + 1 < attempts.count ? attempts[index + 1] : nil
      let isServed = next.map { $0.turn != attempt.turn || $0.step != attempt.step } ?? true
      let wait = before.map { $0 + attempt.wait + (attempt.timeline.queue ?? 0) }
      if isServed {
        if let cold = attempt.isCold { isCold = isCold == true || cold }
        if attempt.turn == 0, attempt.step == 0, let wait {
          firstToken = attempt.timeline.timeToFirstToken.map { wait + $0 }
        }
        let own = attempt.timeline.total.flatMap { own in wait.map { $0 + own } }
        total = total.flatMap { sum in own.map { sum + $0 } }
        before = 0
      } else {
        let duration = attempt.timeline.done.flatMap { end in attempt.timeline.start.map { end - $0 } }
        before = wait.flatMap { wait in duration.map { wait + $0 } }
      }
    }
    self.total = total
    self.firstToken = total == nil ? nil : firstToken
    self.isCold = isCold
  }
}
