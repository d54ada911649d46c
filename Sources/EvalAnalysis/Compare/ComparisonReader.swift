package import EvalCore

extension ComparisonInput {
  /// Reads one side for each of a run's targets in a single pass.
  ///
  /// - Parameters:
  ///   - label: how reports call the run.
  ///   - targets: names of targets; empty takes all. The result has their order in the run.
  /// - Throws: what the source throws.
  package static func read(
    _ source: some TrialSource, label: String, targets: [String] = []
  ) throws -> [ComparisonInput] {
    var reader = SidesReader(source.run, label: label, targets: targets)
    try source.forEachTrial { reader.add($0) }
    return reader.sides
  }
}

/// Gathers one side for each of a run's targets, trial by trial.
struct SidesReader {
  private var readers: [SideReader]
  private var places: [String: Int] = [:]
  private var tags = TagPool()

  /// - Parameter targets: names of targets; empty takes all.
  init(_ run: RunInfo, label: String, targets: [String] = []) {
    let infos = run.targets.filter { targets.isEmpty || targets.contains($0.name) }
    readers = infos.map { SideReader(facts: ComparisonFacts(label: label, run: run, target: $0)) }
    for (place, info) in infos.enumerated() { places[info.name] = place }
  }

  mutating func add(_ trial: TrialRecord) {
    guard let place = places[trial.target], trial.status != .cancelled else { return }
    readers[place].add(trial, &tags)
  }

  /// In the order of the run.
  var sides: [ComparisonInput] { readers.map(\.input) }
}

/// Cases mostly share their tags: each list is kept once.
struct TagPool {
  private var known: [[String]: [String]] = [:]

  mutating func shared(_ tags: [String]) -> [String] {
    if tags.isEmpty { return [] }
    if let one = known[tags] { return one }
    known[tags] = tags
    return tags
  }
}

/// Gathers the trials of one target.
private struct SideReader {
  private(set) var input: ComparisonInput
  private var numbers: [ContentHash: Int] = [:]

  init(facts: ComparisonFacts) { input = ComparisonInput(facts: facts, cases: []) }

  mutating func add(_ trial: TrialRecord, _ tags: inout TagPool) {
    let number = number(of: trial, &tags)
    if !trial.scores.isEmpty || trial.score.value != nil { input.cases[number].hasChecks = true }
    if trial.score.passed == nil, trial.score.value != nil { input.cases[number].isUngated = true }
    if !trial.scores.isEmpty, input.cases[number].checks == nil {
      input.cases[number].checks = CheckFingerprint.of(trial.scores)
    }
    input.cases[number].trials.append(ComparedTrial(trial))
  }

  private mutating func number(of trial: TrialRecord, _ tags: inout TagPool) -> Int {
    // Trials come case by case.
    let hash = trial.key.caseHash
    if let last = input.cases.last, last.hash == hash { return input.cases.count - 1 }
    if let known = numbers[hash] { return known }
    numbers[hash] = input.cases.count
    input.cases.append(
      ComparedCase(hash: hash, id: trial.caseID, tags: tags.shared(trial.tags), cluster: trial.cluster))
    return input.cases.count - 1
  }
}

extension ComparedTrial {
  /// Takes from a trial what is compared.
  package init(_ trial: TrialRecord) {
    self.init(scoresOf: trial)
    isInfrastructureFailure =
      trial.status == .failed && (trial.errorClass ?? .unknown).blame != .model
    var cost: Double? = 0
    var left: Bool? = false
    for attempt in trial.attempts where attempt.phase == .measured {
      cost = cost.flatMap { sum in attempt.cost.dollars.map { sum + $0 } }
      if attempt.provenance == .recorded { isRecorded = true }
      // One that left says so whatever is unknown of the others.
      guard left != true else { continue }
      guard let boundary = attempt.boundary else {
        left = nil
        continue
      }
      if boundary > .device { left = true }
    }
    dollars = cost
    leftDevice = left
    addTimes(of: trial)
  }

  /// The scores alone.
  init(scoresOf trial: TrialRecord) {
    self.init(repeatIndex: trial.key.repeatIndex)
    hasNoAnswer = ScoreTally.hasNoAnswer(trial)
    if !hasNoAnswer { score = trial.score.value }
    if !(hasNoAnswer && trial.status == .failed) { passed = trial.score.passed }
  }

  private mutating func addTimes(of trial: TrialRecord) {
    var sum = 0.0
    var calls = 0
    var isWhole = true
    UserTime.forEachCall(trial.attempts) { attempts in
      guard let served = attempts.last, served.isOK, let time = UserTime(attempts) else {
        isWhole = false
        return
      }
      if let cold = served.isCold { isCold = isCold == true || cold }
      if calls == 0 { firstToken = time.firstToken }
      calls += 1
      if let total = time.total { sum += total } else { isWhole = false }
    }
    if isWhole, calls > 0 { latency = sum } else { firstToken = nil }
  }
}

/// Names what checks judged a case, the same on every machine and in any order.
enum CheckFingerprint {
  static func of(_ scores: [ScoreRecord]) -> UInt64 {
    scores.reduce(0) { sum, score in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      func take(_ bytes: some Sequence<UInt8>) {
        // FNV-1a; the zero byte keeps two names apart.
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = hash &* 0x0000_0100_0000_01B3
      }
      take(score.check.utf8)
      take(score.kind.utf8)
      take(String(score.weight).utf8)
      take(String(score.turn ?? -1).utf8)
      return sum &+ hash
    }
  }
}
