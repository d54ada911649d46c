package import EvalCore

extension JudgeCheck {
  /// Holds a file of labels against a run.
  ///
  /// - Parameters:
  ///   - summary: of the run, for its judged rates.
  ///   - cases: the ids of all cases of the run, judged or not.
  ///   - forms: what judges were asked, by hash, as far as it is stored.
  ///   - digest: an answer's SHA-256 in hexadecimal digits; `nil` when nothing is stored of it.
  ///   - now: seconds since 1970.
  /// - Returns: the measurement, and the verdicts to keep for later runs of the same judges.
  /// - Throws: `Problems` with every label that cannot be read, or what reading the answers throws.
  package static func make(
    _ file: LabelFile, summary: RunSummary, answers: [JudgedAnswer], cases: [String],
    forms: [ContentHash: JudgedForm],
    now: Double, digest: @escaping (JudgedAnswer) throws -> String?
  ) throws -> (check: JudgeCheck, kept: [VerdictLabel]) {
    var builder = JudgeCheckBuilder(file: file, run: summary.run, forms: forms, now: now)
    var matching = LabelMatching(summary.run, answers, cases: cases, digest: digest)
    for label in file.labels where label.label != nil {
      switch try matching.match(label) {
      case .answer(let index):
        builder.add(label, answers[index], digest: try label.answerHash ?? digest(answers[index]) ?? "")
      case .none: builder.elsewhere += 1
      case .problem(let problem): builder.problems.append(problem)
      }
    }
    guard builder.problems.isEmpty else { throw Problems(builder.problems) }
    return builder.check(summary)
  }
}

/// Gathers labels with the judges' words on the same answers.
struct JudgeCheckBuilder {
  /// One criterion's label.
  private struct LevelLabel {
    var answer: JudgedAnswer
    var criterion: Criterion
    var stratum: Int?
    var person: Int
    var judge: Int
  }

  /// What a person said of one answer as a whole.
  private struct Whole {
    var answer: JudgedAnswer
    var digest: String
    var stratum: Int?
    var levels: [String: Int] = [:]
    var verdict: Bool?
  }

  private struct Name: Hashable {
    var key: TrialKey
    var check: String
    var turn: Int
  }

  let file: LabelFile
  let run: RunInfo
  let forms: [ContentHash: JudgedForm]
  let now: Double
  var elsewhere = 0
  var problems: [Problem] = []
  private var levels: [LevelLabel] = []
  private var wholes: [Whole] = []
  private var places: [Name: Int] = [:]

  init(file: LabelFile, run: RunInfo, forms: [ContentHash: JudgedForm], now: Double) {
    self.file = file
    self.run = run
    self.forms = forms
    self.now = now
  }

  mutating func add(_ label: AnswerLabel, _ answer: JudgedAnswer, digest: String) {
    let name = Name(key: answer.key, check: answer.check, turn: answer.turn)
    let place = places[name] ?? wholes.count
    if place == wholes.count {
      places[name] = place
      wholes.append(Whole(answer: answer, digest: digest, stratum: label.stratum))
    }
    do throws(Problem) {
      if let criterion = label.criterion {
        let level = try self.level(label, criterion, answer)
        levels.append(level)
        wholes[place].levels[criterion] = level.person
      } else {
        wholes[place].verdict = try verdict(label)
      }
    } catch {
      problems.append(error)
    }
  }

  private func verdict(_ label: AnswerLabel) throws(Problem) -> Bool {
    let word = label.label ?? ""
    if let passes = LabelFile.verdict(word) { return passes }
    throw Problem(.error, "'\(word)' is no verdict", at: label.location, advice: "write pass or fail")
  }

  private func level(
    _ label: AnswerLabel, _ criterion: String, _ answer: JudgedAnswer
  ) throws(Problem) -> LevelLabel {
    guard let form = answer.identity.flatMap({ forms[$0.form] }) else {
      throw Problem(
        .error, "what '\(label.check)' asks of '\(criterion)' is not stored with run \(run.id)",
        at: label.location,
        advice: "a private run, or one of an earlier evalrun: label pass or fail without a criterion")
    }
    guard let asked = form.criteria.first(where: { $0.name == criterion }),
      let value = answer.criteria[criterion]
    else {
      let names = form.criteria.map(\.name)
      throw Problem(
        .error, "'\(label.check)' has no criterion '\(criterion)'", at: label.location,
        advice: suggestion(for: criterion, among: names) ?? "there are \(names.joined(separator: ", "))")
    }
    let word = label.label ?? ""
    guard let person = asked.levels.firstIndex(where: { $0.label.lowercased() == word.lowercased() }) else {
      let names = asked.levels.map(\.label)
      throw Problem(
        .error, "'\(word)' is no level of '\(criterion)'", at: label.location,
        advice: suggestion(for: word, among: names) ?? "its levels are \(names.joined(separator: ", "))")
    }
    // A panel's median may lie between two levels; half way counts as the worse one.
    let judge = Int((value * Double(asked.levels.count - 1) - 1e-9).rounded())
    return LevelLabel(
      answer: answer, criterion: asked, stratum: label.stratum, person: person, judge: max(0, judge))
  }

  // MARK: Results

  func check(_ summary: RunSummary) -> (check: JudgeCheck, kept: [VerdictLabel]) {
    var names: [String] = []
    for whole in wholes where !names.contains(whole.answer.check) { names.append(whole.answer.check) }
    var kept: [VerdictLabel] = []
    let checks = names.map { name in
      let verdicts = self.verdicts(name)
      kept += verdicts.filter { !$0.judges.isEmpty }
      return measurement(name, verdicts, summary)
    }
    var check = JudgeCheck(
      run: run, file: file.path, labelledBy: file.labelledBy, note: file.note, open: file.open,
      elsewhere: elsewhere, checks: checks, findings: [])
    check.findings = JudgeCheckFindings(check: check).all()
    return (check, kept)
  }

  private func measurement(
    _ name: String, _ verdicts: [VerdictLabel], _ summary: RunSummary
  ) -> CheckMeasurement {
    let errors = verdicts.isEmpty ? nil : JudgeErrors(verdicts, seed: run.seed)
    let rates = errors.map { TargetRate.all($0, name, summary.targets) } ?? []
    let hashes = Set(wholes.filter { $0.answer.check == name }.flatMap { $0.answer.identity?.judges ?? [] })
    return CheckMeasurement(
      check: name, judges: run.judgeNames(hashes), errors: errors, rates: rates, criteria: criteria(name))
  }

  /// People's verdicts on whole answers: as written, else what their levels make of it.
  private func verdicts(_ name: String) -> [VerdictLabel] {
    wholes.compactMap { whole in
      let answer = whole.answer
      guard answer.check == name, let judge = answer.passed else { return nil }
      let form = answer.identity.flatMap { forms[$0.form] }
      guard let person = whole.verdict ?? form?.passes(whole.levels) else { return nil }
      var label = VerdictLabel(
        form: answer.identity?.form ?? ContentHash(of: .null, kind: "judged form"),
        judges: answer.identity?.judges ?? [], key: answer.key, target: answer.target, check: name,
        turn: answer.turn, answerHash: whole.digest, person: person, judge: judge, source: file.path,
        run: run.id,
        checkedAt: now)
      label.labelledBy = file.labelledBy
      label.stratum = whole.stratum
      label.stratumAnswers = whole.stratum.flatMap {
        file.strata.indices.contains($0) ? file.strata[$0].answers : nil
      }
      return label
    }
  }

  private func criteria(_ name: String) -> [CriterionMeasurement] {
    let labels = levels.filter { $0.answer.check == name }
    var names: [String] = []
    for label in labels where !names.contains(label.criterion.name) { names.append(label.criterion.name) }
    return names.compactMap { criterion in
      let own = labels.filter { $0.criterion.name == criterion }
      // A check of one name may ask cases on different scales: the first one's is measured.
      guard let scale = own.first?.criterion.levels.map(\.label) else { return nil }
      let alike = own.filter { $0.criterion.levels.map(\.label) == scale }
      let targets = Dictionary(grouping: alike) { $0.answer.target }.sorted { $0.key < $1.key }
      return CriterionMeasurement(
        criterion: criterion, levels: scale,
        inAll: agreement(alike, levels: scale.count),
        targets: targets.map { (name: $0.key, agreement: agreement($0.value, levels: scale.count)) })
    }
  }

  private func agreement(_ labels: [LevelLabel], levels: Int) -> LevelAgreement {
    var groups = LabelGroups()
    let pairs = labels.map { label in
      groups.pair(
        caseHash: label.answer.key.caseHash, source: file.path, stratum: label.stratum,
        answers: label.stratum.flatMap { file.strata.indices.contains($0) ? file.strata[$0].answers : nil },
        person: label.person, judge: label.judge)
    }
    return LevelAgreement(LabelledSample(pairs, sizes: groups.sizes), levels: levels, seed: run.seed)
  }
}

extension RunInfo {
  /// The names of judges' profiles, where the run knows them.
  func judgeNames(_ hashes: Set<ContentHash>) -> [String] {
    let known = settings["judging"]?["judges"]?.arrayValue ?? []
    return known.compactMap { judge in
      guard let hash = judge["hash"]?.stringValue.flatMap(ContentHash.init(hex:)), hashes.contains(hash)
      else {
        return nil
      }
      return judge["name"]?.stringValue
    }
  }
}
