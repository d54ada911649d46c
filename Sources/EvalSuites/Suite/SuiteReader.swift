package import EvalCore

/// Reads a suite and finds everything that is wrong with it before anything runs.
package struct SuiteReader: Sendable {
  private let vocabulary: SuiteVocabulary
  private let allowsCommands: Bool
  private let environment: [String: String]
  private let isLive: Bool

  /// - Parameters:
  ///   - vocabulary: the providers and graders that a suite may name.
  ///   - allowsCommands: whether checks may run programs of the user's own.
  ///   - environment: variables for endpoints that are given by name, `HOME` for paths that begin with `~`.
  ///   - isLive: the suite's recording will not be used, so it need not be there.
  package init(
    vocabulary: SuiteVocabulary, allowsCommands: Bool, environment: [String: String], isLive: Bool = false
  ) {
    self.vocabulary = vocabulary
    self.allowsCommands = allowsCommands
    self.environment = environment
    self.isLive = isLive
  }

  /// Reads the suite in a file, and the files that it names.
  /// - Returns: the suite, with warnings in `findings`.
  /// - Throws: every problem of the suite, warnings included, each with its place; at least one is an error.
  package func read(path: String) throws(Problems) -> Suite {
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try OpenFile(path).bytes()
    } catch {
      throw Problems([Problem(.error, error.message, advice: error.advice)])
    }
    let source = SourceText(name: path, bytes: bytes)
    if let offset = RowDecoder.invalidUTF8(bytes) {
      let (line, column) = source.position(of: offset)
      let place = SourceLocation(file: path, line: line, column: column)
      throw Problems([Problem(.error, "this is not UTF-8 text", at: place, advice: "save it as UTF-8")])
    }
    let document = JSONDocument()
    do throws(JSONSyntaxError) {
      try document.parse(bytes, dialect: .relaxed)
    } catch {
      throw Problems([source.problem(error)])
    }
    return try reading(source, document).read()
  }

  private func reading(_ source: SourceText, _ document: JSONDocument) -> SuiteReading {
    let reader = Reader(
      vocabulary: vocabulary, environment: environment,
      checks: CheckReader(
        graders: vocabulary.graders, allowsCommands: allowsCommands,
        directory: Paths.directory(of: source.name)),
      origin: Origin(source, root: document.root))
    return SuiteReading(reader: reader, source: source, root: document.root, isLive: isLive)
  }
}

/// One reading of one suite.
struct SuiteReading {
  let reader: Reader
  let source: SourceText
  let root: JSONView
  let isLive: Bool

  func read() throws(Problems) -> Suite {
    guard let draft = draft() else { throw failure }
    let profiles = readProfiles(draft)
    reader.offeredTools = profiles.flatMap { $0.profile.tools.map(\.name) }
    let routes =
      draft.routes.map {
        RoutesReader(reader: reader, source: source, profiles: profiles.map(\.name)).read($0)
      } ?? []
    let judging = JudgingReader(reader: reader, profiles: profiles, routes: routes.map(\.name)).read(draft)
    let checks = draft.checks.map { SharedChecks($0, reader) } ?? SharedChecks()
    let cases = readCases(draft, checks, profiles)
    judging.finish()
    let gates = draft.gates.map {
      GatesReader(
        reader: reader, targets: profiles.map(\.name) + routes.map(\.name), cases: cases.store.summaries
      ).read($0)
    }
    let replay = draft.replay.map { replayFile($0) }
    guard reader.diagnostics.errorCount == 0 else { throw failure }

    var suite = Suite(
      name: draft.name ?? Paths.stem(of: source.name), path: source.name, profiles: profiles.map(\.profile),
      routes: routes, cases: cases.store, settings: draft.run,
      hash: hash(profiles.map(\.profile), routes, judging.rubrics.map(\.rubric), cases.content))
    suite.rubrics = judging.rubrics.map(\.rubric)
    suite.comparisons = judging.comparisons.map(\.comparison)
    suite.judges = judging.judges
    suite.standingJudge = judging.standing
    suite.embedders = judging.embedders
    suite.summary = draft.description
    suite.privacy = draft.privacy.rules
    suite.gates = gates ?? GateSettings()
    suite.replayFile = replay
    suite.replayPace = draft.replay?.pace ?? .recorded
    suite.replaysFailures = draft.replay?.failures ?? false
    suite.findings = reader.diagnostics.all(firstFile: source.name)
    return suite
  }

  private var failure: Problems { Problems(reader.diagnostics.all(firstFile: source.name)) }

  /// `nil` when going on would only confuse: no object, or another version.
  private func draft() -> SuiteDraft? {
    if let version = root["version"], version.int != 1 {
      reader.error(
        "this evalrun reads version 1 of the suite format, not \(version.value.serialized(.compact))",
        at: version, advice: "write \"version\": 1, or get the evalrun that the suite was written for")
      return nil
    }
    guard let layer = ObjectTable.suite.scan(root, reader) else { return nil }
    var draft = SuiteDraft()
    ObjectTable.suite.noteMissing([layer], reader)
    ObjectTable.suite.read([layer], reader, into: &draft)
    return draft
  }

  private func readProfiles(_ draft: SuiteDraft) -> [ReadProfile] {
    guard let view = draft.profiles else { return [] }
    guard view.kind == .object, view.count > 0 else {
      reader.wrong(view, expected: "at least one profile by its name")
      return []
    }
    let errors = reader.diagnostics.errorCount
    var profiles = ProfilesReader(view, defaults: draft.defaults.profile, reader).read()
    for index in profiles.indices {
      profiles[index].draft.profile = ProfileValidation(reader: reader, read: profiles[index]).checked()
    }
    // Profiles that are wrong may only look alike.
    if reader.diagnostics.errorCount == errors { noteTwins(profiles) }
    return profiles
  }

  /// The same profile twice is how an A/A test shows the noise, and otherwise a slip of the pen.
  private func noteTwins(_ profiles: [ReadProfile]) {
    var first: [ContentHash: String] = [:]
    for read in profiles {
      guard let other = first[read.profile.hash] else {
        first[read.profile.hash] = read.name
        continue
      }
      reader.warning(
        "the profile '\(read.name)' is the same as '\(other)' but for its name", at: read.nameView,
        advice: "right for an A/A test of the noise; for more trials of one profile use 'repeats'")
    }
  }

  private func readCases(
    _ draft: SuiteDraft, _ checks: SharedChecks, _ profiles: [ReadProfile]
  ) -> (store: CaseStore, content: UnorderedHash) {
    let audit = CaseAudit(reader, profiles, knowsChecks: !checks.hasFaults)
    let collector = CaseCollector(reader, audit)
    let defaults = draft.defaults.case
    let decoder = CaseDecoder(
      reader: reader, defaults: defaults.flatMap { ObjectTable.caseDefaults.scan($0, reader)?.asCase },
      sharedChecks: checks)
    if let view = draft.cases {
      let errors = reader.diagnostics.errorCount
      CasesReader(reader: reader, source: source, decoder: decoder, collector: collector).read(view)
      if collector.summaries.isEmpty, reader.diagnostics.errorCount == errors {
        reader.error("the suite has no case", at: view, advice: "give at least one")
      }
    }
    collector.finish()
    audit.finish()
    let surroundings = CaseSurroundings(
      vocabulary: reader.vocabulary, environment: reader.environment,
      defaults: defaults.map { Fragment($0, source, path: "defaults.case") },
      checks: draft.checks.map { Fragment($0, source, path: "checks") })
    let store = CaseStore(
      summaries: collector.summaries, slots: collector.slots, parts: collector.parts, kept: collector.kept,
      surroundings)
    return (store, collector.content)
  }

  private func replayFile(_ draft: ReplayDraft) -> String {
    let path = Paths.resolve(draft.file, in: reader.origin.directory, home: reader.environment["HOME"])
    if isLive { return path }
    do throws(FileFault) {
      _ = try OpenFile(path)
    } catch {
      reader.error(error.message, at: root["replay"]?["file"] ?? root, advice: error.advice)
    }
    return path
  }

  private func hash(
    _ profiles: [Profile], _ routes: [RouteSpec], _ rubrics: [Rubric], _ cases: UnorderedHash
  ) -> ContentHash {
    var object: JSONObject = [
      "profiles": UnorderedHash(profiles.map(\.hash)).json,
      "routes": UnorderedHash(routes.map(\.hash)).json,
      "cases": cases.json,
    ]
    object["rubrics"] = rubrics.isEmpty ? nil : UnorderedHash(rubrics.map(\.hash)).json
    return ContentHash(of: .object(object), kind: "suite")
  }
}
