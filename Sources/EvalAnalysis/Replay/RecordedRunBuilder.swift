package import EvalCore

/// Makes the table that policies are replayed over from the trials of a run. It calls nobody.
package struct RecordedRunBuilder {
  /// The texts of a trial's attempts by attempt number, asked for only where cases have several turns.
  package typealias Texts = (TrialKey) throws -> [Int: AttemptTexts]

  private let run: RunInfo
  private let profiles: [Profile]
  private let places: [String: Int]
  private let records: [CaseRecord]
  private let numbers: [ContentHash: Int]
  private let texts: Texts?
  private let readsEveryText: Bool
  private let retries: RetrySettings
  private var cells: [[ReplayCell?]]
  /// By case: how many turns it has, from its content or the trials.
  private var turns: [Int]
  /// By case, arm and turn.
  private var counts: [[[CountedTurn]]]
  private var decisions = DecisionHarvest()

  /// What a trial says of the tokens of one turn.
  private struct CountedTurn {
    /// The conversation as it was sent; `nil` when it is not stored.
    var request: RequestSnapshot?
    /// By the arm's server, with its answer.
    var reported: Int?
  }

  /// - Parameters:
  ///   - cases: in the order in which the run met them.
  ///   - texts: `nil` for a run that stores none.
  ///   - readsEveryText: some policy looks at how long an answer is.
  package init(run: RunInfo, cases: [CaseRecord], texts: Texts?, readsEveryText: Bool = false) {
    self.run = run
    self.texts = texts
    self.readsEveryText = readsEveryText
    retries = RetrySettings(stored: run.settings["retries"])
    records = cases
    profiles = run.targets.filter { $0.kind == "profile" }.compactMap {
      Profile(name: $0.name, stored: $0.content)
    }
    places = Dictionary(
      profiles.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    numbers = Dictionary(
      cases.enumerated().map { ($0.element.hash, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let width = profiles.count
    cells = Array(repeating: Array(repeating: nil, count: width * max(1, run.repeats)), count: cases.count)
    turns = cases.map { $0.content?["turns"]?.arrayValue?.count ?? 1 }
    counts = Array(repeating: Array(repeating: [], count: width), count: cases.count)
  }

  /// Takes one finished trial: of a profile its answers, of a route what it counted.
  /// - Throws: what the texts throw.
  package mutating func add(_ trial: TrialRecord) throws {
    guard let number = numbers[trial.key.caseHash] else { return }
    guard let arm = places[trial.target] else {
      decisions.add(trial, case: number)
      return
    }
    guard trial.key.repeatIndex < max(1, run.repeats) else { return }
    let last = (trial.attempts.last?.turn ?? 0) + 1
    turns[number] = max(turns[number], last)
    let words = turns[number] > 1 || readsEveryText ? try texts?(trial.key) : nil
    cells[number][arm * max(1, run.repeats) + trial.key.repeatIndex] = ReplayCell(
      trial, texts: words, retries: retries)
    if trial.key.repeatIndex == 0 { counts[number][arm] = RecordedRunBuilder.counts(trial, words) }
  }

  private static func counts(_ trial: TrialRecord, _ texts: [Int: AttemptTexts]?) -> [CountedTurn] {
    var turns: [CountedTurn] = []
    for attempt in trial.attempts where attempt.phase == .measured {
      if turns.count <= attempt.turn {
        let request = texts?[attempt.number]?.request.map(RequestSnapshot.init(stored:))
        turns.append(CountedTurn(request: request, reported: attempt.usage?.input))
      } else if attempt.step == 0, turns[attempt.turn].reported == nil {
        turns[attempt.turn].reported = attempt.usage?.input
      }
    }
    return turns
  }

  /// The run, once every trial was added.
  ///
  /// - Parameter privacy: how far content may travel, as the run's suite said.
  package func recorded(privacy: PrivacyRules) -> RecordedRun {
    var sources: [RecordedRun.TokenSource: Int] = [:]
    let cases = records.indices.map { number in
      let record = records[number]
      return ReplayCase(
        id: record.id, hash: record.hash, tags: record.tags, cluster: record.cluster, signals: record.signals,
        expects: record.expects, facts: facts(number, &sources))
    }
    let arms = profiles.map { profile in
      ReplayArm(
        name: profile.name, boundary: profile.boundary, price: profile.price,
        provider: profile.endpoint ?? profile.provider)
    }
    let repeats = max(1, run.repeats)
    var table = ReplayTable(cases: cases, arms: arms, repeats: repeats, privacy: privacy)
    var unfinished: [String: Int] = [:]
    for number in cases.indices {
      for arm in arms.indices {
        for index in 0..<repeats {
          table[case: number, arm: arm, repeat: index] = cells[number][arm * repeats + index]
          if cells[number][arm * repeats + index] == nil { unfinished[arms[arm].name, default: 0] += 1 }
        }
      }
    }
    return RecordedRun(
      run: run, table: table, profiles: profiles, unfinished: unfinished, retryLimit: retries.limit,
      routingNanoseconds: decisions.medianNanoseconds, tokenSources: sources)
  }

  // MARK: Tokens

  private func facts(
    _ number: Int, _ sources: inout [RecordedRun.TokenSource: Int]
  ) -> [[ArmFacts]] {
    let words = CaseWords(records[number])
    return (0..<turns[number]).map { turn in
      profiles.indices.map { arm in
        let (count, source) = tokens(number, arm: arm, turn: turn, words)
        sources[source, default: 0] += 1
        var window: ContextWindow?
        if case .tokens(let size)? = profiles[arm].contextSize { window = ContextWindow(tokens: size) }
        return ArmFacts(tokensIn: count, window: window)
      }
    }
  }

  private func tokens(
    _ number: Int, arm: Int, turn: Int, _ words: CaseWords?
  ) -> (InputCount?, RecordedRun.TokenSource) {
    let profile = profiles[arm]
    if let counted = decisions.count(case: number, arm: profile.name, turn: turn) {
      return (.counted(counted), .counted)
    }
    if turn == 0, let words {
      return (words.estimate(for: profile), .estimated)
    }
    let recorded = counts[number][arm].indices.contains(turn) ? counts[number][arm][turn] : nil
    if let request = recorded?.request {
      let input = TokenEstimate.Input(
        profile: profile, instructions: request.instructions, messages: request.messages)
      return (input.total, .estimated)
    }
    if let reported = recorded?.reported { return (.counted(reported), .reported) }
    return (nil, .unknown)
  }
}

/// The words of a case before its first answer, counted once for all arms.
private struct CaseWords {
  private let messages: InputCount
  private let variables: JSONObject

  /// `nil` when they are not stored.
  init?(_ record: CaseRecord) {
    guard let content = record.content, let first = content["turns"]?[0] else { return nil }
    let history = content["history"]?.arrayValue?.compactMap(Message.init(stored:)) ?? []
    let input = Message(
      role: .user, parts: first.arrayValue?.compactMap(ContentPart.init(stored:)) ?? [])
    messages = (history + [input]).map(TokenEstimate.count(of:)).reduce(.none, +)
    var names = content["variables"]?.objectValue ?? [:]
    if names["id"] == nil { names["id"] = .string(record.id) }
    if names["reference"] == nil { names["reference"] = content["reference"] }
    variables = names
  }

  func estimate(for profile: Profile) -> InputCount {
    var instructions = profile.instructions
    if let text = instructions, Template.isTemplate(text) {
      instructions = (try? Template.render(text, variables)) ?? text
    }
    return TokenEstimate.Input(profile: profile, instructions: instructions, messages: []).fixed + messages
  }
}

extension RetrySettings {
  /// Reads what a run stores of them; what is not there is the standard.
  fileprivate init(stored: JSONValue?) {
    self.init()
    if let limit = stored?["limit"]?.intValue { self.limit = Int(limit) }
    if let seconds = stored?["maxRetryAfterSeconds"]?.doubleValue { maxRetryAfter = .seconds(seconds) }
  }
}
