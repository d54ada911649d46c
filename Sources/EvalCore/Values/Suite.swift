/// How a run is carried out, as the suite states it and the command line overrides it.
package struct RunSettings: Sendable, Hashable {
  /// Trials of each case and target, at least 1.
  package var repeats = 1
  /// Trials in flight for a profile that states none, at least 1.
  package var concurrency = 1
  /// Trials in flight over everything; `nil` is the sum over profiles.
  package var maxConcurrency: Int?
  /// Calls in flight to one endpoint, over all its profiles; `nil` is no limit of its own.
  package var endpointConcurrency: Int?
  /// Whether an endpoint's width yields to 429 and comes back, and rests after 5xx.
  package var adaptsWidth = true
  package var timeouts = CallTimeouts()
  package var retries = RetrySettings()
  /// Orders the plan and everything else that is drawn.
  package var seed: UInt64 = 1
  /// Calls for each profile before the measurement, kept apart from it.
  package var warmup = 0
  /// What an answer that could not be had counts in the strict score: always 0 there, never silently dropped.
  /// When false the report leads with the conditional score instead.
  package var failuresCountAsZero = true
  /// Store no prompt and no answer, only their hash and length.
  package var isPrivate = false

  package init() {}
}

/// How long each phase of a call may last; `nil` is for ever.
package struct CallTimeouts: Sendable, Hashable {
  package var connect: Duration? = .seconds(10)
  /// From the start to the first token.
  package var firstToken: Duration? = .seconds(60)
  /// Between two tokens; pings and comments do not count.
  package var stall: Duration? = .seconds(60)
  package var total: Duration? = .seconds(300)

  package init() {}
}

/// When and how often a failed call is sent again.
package struct RetrySettings: Sendable, Hashable {
  /// Retries after the first attempt; 0 makes one attempt.
  package var limit = 2
  /// The first back-off, doubled for each further one, with full jitter.
  package var baseDelay: Duration = .milliseconds(500)
  package var maxDelay: Duration = .seconds(60)
  /// The longest `Retry-After` that is waited for; beyond it the trial fails at once.
  package var maxRetryAfter: Duration = .seconds(120)

  package init() {}
}

/// A route as the suite writes it: a named policy over profiles.
package struct RouteSpec: Sendable, Hashable {
  package var name: String
  /// The policy as JSON, already read from its file where it has one.
  package var policy: JSONValue
  /// Where the suite names the route.
  package var location: SourceLocation?
  /// Where the policy is written; `nil` for one that no file holds.
  package var text: PolicyText?

  package init(
    name: String, policy: JSONValue, location: SourceLocation? = nil, text: PolicyText? = nil
  ) {
    self.name = name
    self.policy = policy
    self.location = location
    self.text = text
  }

  package var hash: ContentHash { ContentHash(of: policy, kind: "policy") }

  /// Equality of name and content; where it stands does not count.
  package static func == (left: RouteSpec, right: RouteSpec) -> Bool {
    left.name == right.name && left.policy == right.policy
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(policy)
  }
}

/// What a column of the report is.
package enum Target: Sendable, Hashable {
  case profile(Profile)
  case route(RouteSpec)

  package var name: String {
    switch self {
    case .profile(let profile): profile.name
    case .route(let route): route.name
    }
  }

  package var hash: ContentHash {
    switch self {
    case .profile(let profile): profile.hash
    case .route(let route): route.hash
    }
  }

  /// `profile` or `route`.
  package var kind: String {
    switch self {
    case .profile: "profile"
    case .route: "route"
    }
  }
}

/// What must be known of a case to plan it, small enough to hold for every case of a large suite.
package struct CaseSummary: Sendable {
  package var id: String
  package var tags: [String]
  package var hash: ContentHash
  /// The first word of the case's `checksHash`: enough to see that a check changed.
  package var checks: UInt64

  package init(id: String, tags: [String], hash: ContentHash, checks: UInt64 = 0) {
    self.id = id
    self.tags = tags
    self.hash = hash
    self.checks = checks
  }
}

/// The cases of a suite; a large case file stays on disk and is read case by case.
package protocol CaseSource: Sendable {
  var summaries: [CaseSummary] { get }
  /// Reads one case.
  /// - Throws: `Problems` when its file changed under the run.
  func load(_ index: Int) throws -> Case
}

/// Cases that are all in memory.
package struct CasesInMemory: CaseSource {
  package let cases: [Case]
  package let summaries: [CaseSummary]

  package init(_ cases: [Case]) {
    self.cases = cases
    summaries = cases.map {
      CaseSummary(id: $0.id, tags: $0.tags, hash: $0.hash, checks: $0.checksHash.firstWord)
    }
  }

  package func load(_ index: Int) throws -> Case { cases[index] }
}

/// How fast a recording answers.
package enum ReplayPace: String, Sendable, Hashable, CaseIterable {
  /// As fast as the model did.
  case recorded
  /// At once.
  case instant
}

/// A suite, read and found right.
package struct Suite: Sendable {
  package var name: String
  package var summary: String?
  /// The file it came from.
  package var path: String
  package var profiles: [Profile]
  package var routes: [RouteSpec]
  package var cases: any CaseSource
  package var settings: RunSettings
  /// A recording that answers instead of the providers; `nil` runs live. A path that can be opened as it is.
  package var replayFile: String?
  /// How fast the recording answers; counts only with `replayFile`.
  package var replayPace = ReplayPace.recorded
  /// Whether the recording serves its failed calls as they went; counts only with `replayFile`.
  package var replaysFailures = false
  /// How far content may travel; holds for every route.
  package var privacy = PrivacyRules.standard
  package var rubrics: [Rubric]
  /// What is asked about pairs of answers when all trials are there.
  package var comparisons: [PairComparison]
  /// Profiles that a rubric or a check names as its judge or embedder, or the defaults do, in the order of the suite.
  package var judges: [Profile]
  /// Who judges where a check names nobody; `nil` when the suite does not say.
  package var standingJudge: String?
  /// The profiles whose providers embed, by name.
  package var embedders: [String] = []
  /// What the run's estimates are held against; not part of the suite's identity.
  package var gates = GateSettings()
  /// What is doubtful but does not stop a run.
  package var findings: [Problem]
  /// The identity of profiles, routes, cases (in any order) and checks.
  package var hash: ContentHash

  package init(
    name: String, path: String, profiles: [Profile], routes: [RouteSpec] = [], cases: any CaseSource,
    settings: RunSettings, hash: ContentHash
  ) {
    self.name = name
    self.path = path
    self.profiles = profiles
    self.routes = routes
    self.cases = cases
    self.settings = settings
    self.hash = hash
    rubrics = []
    comparisons = []
    judges = []
    findings = []
  }

  /// Profiles that are targets and routes, in the order of the suite.
  package var targets: [Target] { profiles.filter(\.isTarget).map(Target.profile) + routes.map(Target.route) }

  /// The identity of everything that verdicts depend on besides checks and answers; `nil` when nobody judges.
  package var judgingHash: ContentHash? {
    guard !judges.isEmpty else { return nil }
    let named = { (name: String, hash: ContentHash) in (key: name, value: JSONValue.string(hash.hex)) }
    var object: JSONObject = [
      "rubrics": .object(JSONObject(rubrics.map { named($0.name, $0.hash) })),
      "judges": .object(JSONObject(judges.map { named($0.name, $0.hash) })),
      "standing": standingJudge.map { .string($0) } ?? .null,
    ]
    object["comparisons"] =
      comparisons.isEmpty ? nil : .object(JSONObject(comparisons.map { named($0.name, $0.hash) }))
    return ContentHash(of: .object(object), kind: "judging")
  }

  /// What graders may know of the judges.
  package func judging(_ caller: (any JudgeCalling)?) -> JudgingContext {
    JudgingContext(
      rubrics: Dictionary(rubrics.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
      profiles: profiles.map(\.name).filter { !embedders.contains($0) }, standing: standingJudge,
      embedders: embedders, caller: caller)
  }
}
