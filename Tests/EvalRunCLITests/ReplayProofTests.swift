import EvalAnalysis
import EvalCore
import EvalProviders
import EvalRouting
import EvalStore
import EvalTestSupport
import Foundation
import Testing

/// The promise behind every replay: a live run of a route over recorded answers, and the offline replay of the same policy
/// over the recorded run of the profiles, take every decision alike.
@Suite(.timeLimit(.minutes(3))) struct ReplayProofTests {
  static let cases: [(id: String, input: String, signals: String)] = [
    ("plain", "say it", ReplayWorld.open),
    ("long", "say it \(String(repeating: "at length ", count: 40))", ReplayWorld.open),
    ("busy", "near:busy", ReplayWorld.open),
    ("down", "near:down", ReplayWorld.open),
    ("far-down", "far:down \(String(repeating: "at length ", count: 40))", ReplayWorld.open),
    ("both-down", "near:down far:down", ReplayWorld.open),
    ("wrong", "near:wrong", ReplayWorld.open),
    ("wrong-everywhere", "near:wrong far:wrong", ReplayWorld.open),
    ("wrong-and-down", "near:wrong far:down", ReplayWorld.open),
    ("empty", "near:empty", ReplayWorld.open),
    ("filtered", "near:filtered", ReplayWorld.open),
    (
      "offline", "say it \(String(repeating: "at length ", count: 40))",
      #"{"sensitivity": "public", "consent": true, "network": "offline"}"#
    ),
    ("private", "near:down far:right", #"{"sensitivity": "private", "consent": true}"#),
    ("unasked", "near:wrong", #"{"sensitivity": "public"}"#),
    ("unknown", "near:down", "{}"),
    ("pinned", "near:down", #"{"sensitivity": "public", "consent": true, "pinned": "near"}"#),
    ("pinned-away", "say it", #"{"sensitivity": "private", "pinned": "far"}"#),
    ("poor", "near:wrong", #"{"sensitivity": "public", "consent": true, "budget": {"case": 0.000001}}"#),
    ("needy", "say it", #"{"sensitivity": "public", "consent": true, "needs": ["images"]}"#),
  ]

  static let routes: [(String, String)] = [
    (
      "careful",
      """
      {"policy": "careful", "version": 1,
       "constraints": {"maxAttempts": 3, "maxCostPerCase": 0.0005, "reserveOutput": 16},
       "rules": [{"when": {"pinned": true}, "use": ["$pinned"]},
                 {"name": "short", "when": {"tokensIn": {"atMost": 60}}, "use": ["near", "far"]},
                 {"else": true, "use": ["far", "near"]}],
       "onError": {"rateLimited": {"retry": 1, "then": "next"}, "service": "next", "network": "next",
                   "empty": "next", "guardrail": "stop"}}
      """
    ),
    (
      "cascade",
      """
      {"policy": "cascade", "version": 1, "constraints": {"maxAttempts": 4},
       "rules": [{"else": true, "use": ["near", "far"]}],
       "onError": {"rateLimited": "next", "service": {"retry": 1, "then": "next"}, "network": "next"},
       "accept": [{"arms": ["near"], "when": {"check.right": {"atLeast": 0.5}}}]}
      """
    ),
    (
      "tight",
      """
      {"policy": "tight", "version": 1, "constraints": {"maxCostPerCase": 0.00004, "reserveOutput": 16},
       "rules": [{"when": {"tokensIn": {"atMost": 60}}, "use": ["near", "far"]},
                 {"else": true, "use": ["far", "near"]}],
       "onError": {"service": "nextSameBoundary", "rateLimited": "nextLarger", "network": "stop"}}
      """
    ),
    (
      "naive",
      """
      {"policy": "naive", "version": 1, "unprotected": "what everybody does",
       "rules": [{"else": true, "use": ["near", "far"]}],
       "onError": {"rateLimited": "next", "service": "next", "network": "next", "guardrail": "next",
                   "refusal": "next", "empty": "next"}}
      """
    ),
  ]

  /// One trial, as far as a policy decides it.
  struct Course: Equatable, CustomStringConvertible {
    var calls: [String]
    /// Decision records in order, calls first, without the time that they took.
    var decisions: [JSONValue]
    var status: TrialStatus

    var description: String {
      "\(status.rawValue): \(calls.joined(separator: ", "))\n"
        + decisions.map { $0.serialized(.canonical) }.joined(separator: "\n")
    }
  }

  @Test func `Live over recorded answers and offline, every decision is the same`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let world = try ReplayWorld()
    try tool.write("suite.json", world.suite(Self.cases, routes: Self.routes, run: #""repeats": 2"#))
    let recording = try await tool.run([
      "suite.json", "--record", "r.jsonl", "--target", "near", "--target", "far", "--db", "profiles.db",
      "--no-reports", "-q",
    ])
    #expect(recording.code == 0, "\(recording.errors)")
    world.server.stop()
    let asked = world.server.requests.count
    let targets = Self.routes.flatMap { ["--target", $0.0] }
    let live = try await tool.run(
      [
        "suite.json", "--replay", "r.jsonl", "--replay-failures", "--pace", "instant", "--db", "routes.db",
        "--no-reports", "-q",
      ] + targets)
    #expect([0, 1].contains(live.code), "\(live.errors)")
    #expect(world.server.requests.count == asked)

    let routed = try Self.routed(tool)
    #expect(routed.count == Self.cases.count * 2 * Self.routes.count)
    let replayed = try Self.replayed(tool)
    for (key, course) in routed.sorted(by: { $0.key < $1.key }) {
      #expect(
        replayed[key] == course, "\(key)\nlive    \(course)\noffline \(replayed[key]?.description ?? "-")")
    }
    // A proof over nothing would prove nothing.
    let calls = routed.values.flatMap(\.calls)
    for cause in ["first", "retry:rateLimited", "fallback:serverError", "fallback:network", "escalation"] {
      #expect(calls.contains { $0.contains(" \(cause) ") }, "nothing was called as \(cause)")
    }
    let statuses = Set(routed.values.map(\.status))
    #expect(statuses.isSuperset(of: [.ok, .failed, .blocked]), "\(statuses)")
  }

  /// What the run of the routes has written down, by route, case and repeat.
  static func routed(_ tool: Tool) throws -> [String: Course] {
    let store = try RunStore(path: tool.folder.appendingPathComponent("routes.db").path, access: .read)
    var courses: [String: Course] = [:]
    try store.trials(store.run(matching: "latest")).forEachTrial { trial in
      let endings = (trial.ending?["earlier"]?.arrayValue ?? []) + [trial.ending].compactMap(\.self)
      courses["\(trial.target) \(trial.caseID) \(trial.key.repeatIndex)"] = Course(
        calls: trial.attempts.map { "\($0.profile) \($0.cause) \($0.outcome)" },
        decisions: (trial.attempts.map(\.decision) + endings.map { $0["decision"] }).compactMap(\.self)
          .map(untimed), status: trial.status)
    }
    return courses
  }

  /// What replay says of the same policies over the profiles' run.
  static func replayed(_ tool: Tool) throws -> [String: Course] {
    let store = try RunStore(path: tool.folder.appendingPathComponent("profiles.db").path, access: .read)
    let run = try store.run(matching: "latest")
    let texts = try store.textReader(run.id)
    var builder = RecordedRunBuilder(run: run, cases: try store.cases(run.id), texts: { try texts.texts($0) })
    try store.trials(run).forEachTrial { try builder.add($0) }
    let recorded = builder.recorded(privacy: run.privacy ?? .standard)
    let replayer = Replayer(recorded.table, settings: recorded.settings)
    let reader = PolicyReader(
      arms: recorded.profiles.map { profile in
        ArmTraits(profile, provider: ProviderRegistry.all.first { $0.name == profile.provider })
      }, privacy: run.privacy ?? .standard, cases: recorded.table.cases.map(\.signals))
    var courses: [String: Course] = [:]
    for (name, text) in routes {
      let (policy, problems) = reader.read(SourceText(name: name, bytes: Array(text.utf8)))
      let read = try #require(policy, "\(problems)")
      for trace in replayer.traces(of: read, constraints: read.privacy) {
        let id = recorded.table.cases[trace.caseIndex].id
        courses["\(name) \(id) \(trace.repeatIndex)"] = Course(
          calls: trace.attempts.map { "\($0.arm) \($0.cause.label) \(word($0.end))" },
          decisions: (trace.attempts.map(\.decision) + trace.closing).compactMap(\.self).map(untimed),
          status: trace.status)
        #expect(trace.label.isWhole, "\(name) \(id): \(trace.label)")
      }
    }
    return courses
  }

  private static func word(_ end: RoutedAttempt.End) -> String {
    switch end {
    case .ok: "ok"
    case .refused: "refused"
    case .empty: "empty"
    case .failed(let kind): kind.rawValue
    }
  }

  private static func untimed(_ decision: JSONValue) -> JSONValue {
    guard case .object(var object) = decision else { return decision }
    object["nanoseconds"] = nil
    return .object(object)
  }
}
