import EvalAnalysis
import EvalCore
import EvalStore

/// Finds what the two words of a comparison name: runs, baselines or baseline files, and targets of them.
struct ComparisonSides {
  /// The trials that a word names, and the target behind its colon.
  private struct Name {
    var run: RunInfo
    var source: any TrialSource
    /// How reports call it; `nil` takes the run's name or id.
    var label: String?
    var target: String?
    /// False for a file, whose run may be in no database.
    var isStored: Bool
  }

  typealias Pair = (reference: ComparisonInput, candidate: ComparisonInput)

  let session: Session

  /// The pairs of sides to compare, the reference first.
  /// - Throws: a usage error when it is not clear which targets belong together.
  func pairs() throws(CommandFailure) -> [Pair] {
    let words = session.arguments.positional
    let first = try name(words[0])
    if words.count == 1 { return [try twoTargets(of: first)] }
    let second = try name(words[1])
    if first.run.id == second.run.id, first.isStored == second.isStored, first.target == second.target {
      throw CommandFailure(
        .usage, "both sides are the same: run \(first.run.id)",
        advice: "name two runs, or two targets of one as RUN:TARGET")
    }
    return try matched(first, second)
  }

  /// `RUN`, or `RUN:TARGET` where nothing has the whole as its name.
  private func name(_ word: String) throws(CommandFailure) -> Name {
    guard let colon = word.lastIndex(of: ":"), colon > word.startIndex else { return try find(word) }
    let head = String(word[..<colon])
    let target = String(word[word.index(after: colon)...])
    if !head.hasSuffix(".json"), let whole = try? find(word) { return whole }
    var name = try find(head)
    name.target = try checked(target, of: name.run)
    return name
  }

  /// A baseline file, a baseline's name, else a run as `report` takes it.
  private func find(_ word: String) throws(CommandFailure) -> Name {
    let desk = BaselineDesk(session: session)
    if BaselineDesk.isFile(word) {
      let file = try desk.read(word).file
      try refuseScores(of: word)
      return Name(run: file.run, source: file, label: file.name, target: nil, isStored: false)
    }
    let store = try session.openStore(.read)
    do {
      guard let baseline = try store.baseline(ifNamed: word) else {
        let run = try store.run(matching: word)
        return Name(
          run: run, source: try session.trials(run, in: store), label: nil, target: nil, isStored: true)
      }
      guard case .run(let run) = baseline.origin else {
        try refuseScores(of: word)
        return Name(
          run: baseline.run, source: try desk.source(baseline), label: baseline.name, target: nil,
          isStored: false)
      }
      return Name(
        run: run, source: try session.trials(run, in: store), label: baseline.name, target: nil,
        isStored: true)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// A baseline file has the scores that it was written with.
  private func refuseScores(of word: String) throws(CommandFailure) {
    guard session.arguments.has("scores") else { return }
    throw CommandFailure(
      .usage, "--scores: \(word) is a baseline file, which has one set of scores",
      advice: "compare runs of the database")
  }

  private func checked(_ target: String, of run: RunInfo) throws(CommandFailure) -> String {
    let names = run.targets.map(\.name)
    guard names.contains(target) else {
      throw CommandFailure(
        .usage, "run \(run.id) has no target '\(target)'",
        advice: suggestion(for: target, among: names) ?? "it has \(names.joined(separator: ", "))")
    }
    return target
  }

  /// One run alone: two of its targets, the first of them the reference.
  private func twoTargets(of name: Name) throws(CommandFailure) -> Pair {
    var wanted = name.target.map { [$0] } ?? []
    for target in session.arguments.texts("target") { wanted.append(try checked(target, of: name.run)) }
    let names = name.run.targets.map(\.name)
    if wanted.isEmpty { wanted = names }
    guard wanted.count == 2, wanted[0] != wanted[1] else {
      throw CommandFailure(
        .usage, "one run alone needs two of its targets to compare",
        advice: names.count < 2
          ? "run \(name.run.id) has only \(names.first ?? "none"); name a second run"
          : "evalrun compare \(name.run.id) --target \(names[0]) --target \(names[1])")
    }
    let inputs = try read(name, wanted, label: name.label ?? name.run.name ?? name.run.id)
    let sides = wanted.compactMap { word in inputs.first { $0.facts.target.name == word } }
    return (sides[0], sides[1])
  }

  /// Two runs: the targets that were named, else those of the same name, else the only ones.
  private func matched(_ first: Name, _ second: Name) throws(CommandFailure) -> [Pair] {
    let pairs = try targetPairs(first, second)
    // A name that both have tells nobody which is which.
    let names = [first, second].map { $0.label ?? $0.run.name ?? $0.run.id }
    let labels =
      names[0] == names[1] && first.run.id != second.run.id ? [first.run.id, second.run.id] : names
    let before = try read(first, pairs.map(\.0), label: labels[0])
    let after = try read(second, pairs.map(\.1), label: labels[1])
    return pairs.compactMap { left, right in
      guard let reference = before.first(where: { $0.facts.target.name == left }),
        let candidate = after.first(where: { $0.facts.target.name == right })
      else { return nil }
      return (reference, candidate)
    }
  }

  private func targetPairs(_ first: Name, _ second: Name) throws(CommandFailure) -> [(String, String)] {
    let chosen = session.arguments.texts("target")
    for target in chosen {
      for name in [first, second] where name.target == nil { _ = try checked(target, of: name.run) }
    }
    func targets(_ name: Name) -> [String] {
      if let target = name.target { return [target] }
      let all = name.run.targets.map(\.name)
      return chosen.isEmpty ? all : all.filter(chosen.contains)
    }
    let (left, right) = (targets(first), targets(second))
    if left.count == 1, right.count == 1 { return [(left[0], right[0])] }
    let common = left.filter(right.contains)
    guard !common.isEmpty else {
      throw CommandFailure(
        .usage,
        "the two have no target of the same name: \(left.joined(separator: ", ")) and "
          + right.joined(separator: ", "), advice: "name both as RUN:TARGET")
    }
    return common.map { ($0, $0) }
  }

  private func read(
    _ name: Name, _ targets: [String], label: String
  ) throws(CommandFailure) -> [ComparisonInput] {
    do {
      var inputs = try ComparisonInput.read(name.source, label: label, targets: targets)
      if !name.isStored { for index in inputs.indices { inputs[index].facts.runID = nil } }
      return inputs
    } catch {
      throw CommandFailure(error)
    }
  }
}
