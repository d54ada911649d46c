import EvalCore
import EvalStore
import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// `evalrun score`: stored answers graded anew, seen from the command line. The server says who was asked.
@Suite(.timeLimit(.minutes(3))) struct ScoreTests {
  @Test func `The unchanged suite gives every score to the last bit, and asks no subject`() async throws {
    let bench = try ScoreBench()
    defer { bench.close() }
    try bench.tool.write("s.json", bench.suite(run: #", "repeats": 2"#))
    let run = try await bench.tool.run(["s.json", "--no-reports", "--record", "rec.jsonl"])
    #expect(run.code == 0, "\(run.errors)")
    let before = bench.asked
    let report = try await bench.score(["--with", "s.json", "--replay", "rec.jsonl", "--pace", "instant"])
    #expect(bench.asked == before, "a recording answers for the judge")
    let (old, new) = (try bench.graded(), try bench.graded("1"))
    #expect(old.count == 60 && old == new)
    // What it proves: answers of every kind, values between 0 and 1, and reasons for no score.
    let scores = old.values.flatMap(\.scores)
    #expect(
      scores.contains {
        if case .scored(let value, _) = $0.judgement { value > 0 && value < 1 } else { false }
      })
    #expect(
      scores.contains { $0.judgement.isUnscored(.noAnswer) } && scores.contains { !$0.criteria.isEmpty })
    #expect(old["strong tools 0"]?.score.passed == true && old["strong turns 0"]?.scores.count == 5)
    let set = report.object("after")
    #expect(set["scoredTrials"] as? Int == 60 && set["provenance"] as? String == "recorded")
    #expect(set["finishedAt"] is Double && report["before"] is NSNull)
    for target in report.list("targets") {
      #expect(target.list("flips").isEmpty && target.list("checks").allSatisfy { $0.list("flips").isEmpty })
    }
  }

  @Test func `Judges are asked anew, booked to the set, and subjects are not`() async throws {
    let bench = try ScoreBench()
    defer { bench.close() }
    try bench.tool.write("s.json", bench.suite())
    _ = try await bench.tool.run(["s.json", "--no-reports"])
    let before = bench.asked
    let report = try await bench.score(["--with", "s.json"])
    let judged = bench.asked.judges - before.judges
    #expect(judged == before.judges && bench.asked.subjects == before.subjects)
    #expect(report["judgeCalls"] as? Int == judged)
    // 7 tokens at 1,000 and 2 at 10,000 dollars a million.
    #expect(abs((report["judgeKnownDollars"] as? Double ?? 0) - Double(judged) * 0.027) < 1e-9)
    let store = try bench.store()
    let run = try store.run(matching: "latest")
    #expect(try store.judgeCosts(run.id, set: 0).calls == before.judges)
    #expect(try store.judgeCosts(run.id, set: 1).calls == judged)
    let own = try await bench.tool.run(["report", "latest", "--format", "json"])
    let other = try await bench.tool.run(["report", "latest", "--format", "json", "--scores", "1"])
    for text in [own.output, other.output] {
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
      let judge = json.object("judging").list("judges").first
      #expect(judge?["calls"] as? Int == judged, "each report has its own calls")
    }
    // The same command again finds everything there.
    let again = try await bench.tool.run(["score", "latest", "--with", "s.json"])
    #expect(again.code == 0 && again.errors.contains("score set 1 has these scores already"))
    #expect(bench.asked.judges == before.judges + judged)
    _ = try await bench.score(["--with", "s.json", "--again"])
    #expect(bench.asked.judges == before.judges + 2 * judged && bench.asked.subjects == before.subjects)
    #expect(try store.scoreSets(run.id).map(\.number) == [1, 2])
  }

  @Test func `An edited check is a new check: what changed is told with its cases`() async throws {
    let bench = try ScoreBench()
    defer { bench.close() }
    let arguments = ["--target", "strong", "--target", "weak"]
    try bench.tool.write("s.json", bench.suite())
    _ = try await bench.tool.run(["s.json", "--no-reports"] + arguments)
    let before = try bench.graded()
    // 'plain' wants Lyon now, and every case gets one check more.
    try bench.tool.write(
      "e.json", bench.suite(plain: #"{"contains": "Lyon"}"#, checks: #", {"contains": "It", "name": "it"}"#))
    let report = try await bench.score(["--with", "e.json", "--name", "lyon"])
    #expect(try bench.graded() == before, "the run's own scores stay")
    let strong = try #require(report.list("targets").first { $0["target"] as? String == "strong" })
    let weak = try #require(report.list("targets").first { $0["target"] as? String == "weak" })
    func check(_ name: String, _ target: [String: Any]) -> [String: Any] {
      target.list("checks").first { $0["check"] as? String == name } ?? [:]
    }
    #expect(check("contains", strong).list("flips").map { $0["case"] as? String } == ["plain"])
    #expect(check("contains", strong).list("flips").first?["change"] as? Double == -1)
    #expect(check("contains", weak).list("flips").first?["change"] as? Double == 1)
    let difference = check("contains", strong).list("differences").first
    #expect((difference?.object("change")["value"] as? Double).map { $0 < 0 } == true)
    #expect((difference?.object("change")["interval"] as? [Double])?.count == 2)
    #expect(
      check("it", strong)["before"] is NSNull && check("it", strong).object("after")["trials"] as? Int == 9)
    let (own, other) = (try await passRate(bench, []), try await passRate(bench, ["--scores", "lyon"]))
    #expect(own == 0.5 && other == 0.2, "\(own) \(other)")
    for format in ["terminal", "md", "html"] {
      let text = try await bench.tool.run(["score", "latest", "--with", "e.json", "--format", format])
      #expect(text.output.contains("1 (lyon)") && text.output.contains("plain"), "\(text.output)")
    }
  }

  private func passRate(_ bench: ScoreBench, _ options: [String]) async throws -> Double {
    let text = try await bench.tool.run(["report", "latest", "--format", "json"] + options).output
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    let target = try #require(json.list("targets").first { $0["name"] as? String == "strong" })
    return try #require(target.object("score").object("passRateStrict")["value"] as? Double)
  }

  @Test func `A set can be chosen wherever scores are read`() async throws {
    let bench = try ScoreBench()
    defer { bench.close() }
    try bench.tool.write("s.json", bench.suite())
    let some = ["plain", "json", "turns", "tools"].flatMap { ["--case", $0] }
    _ = try await bench.tool.run(["s.json", "--no-reports"] + some)
    try bench.tool.write("e.json", bench.suite(checks: #", {"contains": "xyz", "name": "never"}"#))
    _ = try await bench.score(["--with", "e.json", "--name", "never"])
    let gate = ["gate", "latest", "--gate", "passRate >= 0.01 for strong"]
    #expect(try await bench.tool.run(gate).code == 0)
    #expect(try await bench.tool.run(gate + ["--scores", "never"]).code == 3)
    let story = try await bench.tool.run(["show", "latest", "plain", "--scores", "1"])
    #expect(story.output.contains("never") && story.output.contains("set 1 (never)"), "\(story.output)")
    let csv = try await bench.tool.run(["report", "latest", "--format", "csv", "--scores", "1"])
    #expect(csv.output.contains("never"))
    let compare = try await bench.tool.run(["compare", "latest:strong", "latest:weak", "--scores", "never"])
    #expect(compare.code == 0 && compare.output.contains("scores 1 (never)"), "\(compare.output)")
    let replay = ["route", "replay", "latest", "--format", "csv"]
    let (own, other) = (
      try await bench.tool.run(replay), try await bench.tool.run(replay + ["--scores", "1"])
    )
    #expect(own.code == 0 && other.code == 0 && own.output != other.output, "\(other.errors)")
    let list = try await bench.tool.run(["list"])
    #expect(list.output.contains("1 score set"))
    let sets = try await bench.tool.run(["score", "latest", "--list"])
    #expect(sets.output.contains("never") && sets.output.contains("e.json"), "\(sets.output)")
    let wrong = try await bench.tool.run(["report", "latest", "--scores", "nevr"])
    #expect(wrong.code == 2 && wrong.errors.contains("'never'"), "\(wrong.errors)")
  }

  @Test func `A case whose input changed is not scored; a reference, an id, a check may change`() async throws
  {
    let bench = try ScoreBench()
    defer { bench.close() }
    func suite(_ cases: String) -> String {
      """
      {"version": 1, "name": "s", "profiles": {"p": {"endpoint": "\(bench.server.url)/v1", "model": "m", "price": "free"}},
       "cases": [\(cases)], "checks": [{"contains": "{{reference}}"}]}
      """
    }
    try bench.tool.write(
      "s.json",
      suite(
        #"""
        {"id": "a", "input": "one", "reference": "Rome"}, {"id": "b", "input": "two", "reference": "Paris"},
        {"id": "c", "input": "three", "reference": "Paris"}, {"id": "d", "input": "four", "reference": "Paris"}
        """#))
    _ = try await bench.tool.run(["s.json", "--no-reports"])
    let asked = bench.asked
    try bench.tool.write(
      "e.json",
      suite(
        #"""
        {"id": "a", "input": "one", "reference": "Paris"}, {"id": "b", "input": "TWO", "reference": "Paris"},
        {"id": "C", "input": "three", "reference": "Paris"}, {"id": "e", "input": "five", "reference": "Paris"}
        """#))
    let report = try await bench.score(["--with", "e.json"])
    #expect(bench.asked == asked)
    let set = report.object("after")
    #expect(
      set["scoredTrials"] as? Int == 2 && set["trials"] as? Int == 4 && set["skippedCases"] as? Int == 2)
    #expect(
      set.list("skipped").map { "\($0["case"] ?? "") \($0["reason"] ?? "")" }
        == ["b inputChanged", "d notInSuite"])
    #expect(report["unansweredCases"] as? Int == 2, "'e', and 'b' as it is now")
    let new = try bench.graded("1")
    #expect(new["p a 0"]?.score.passed == true && new["p c 0"]?.score.passed == true)
    // Not scored is not 0, and not gone.
    #expect(new["p b 0"]?.score == TrialScore(value: nil, passed: nil, unscored: .notApplicable))
    let text = try await bench.tool.run(["score", "latest", "--with", "e.json"])
    #expect(text.output.contains("not scored, the input changed: b"), "\(text.output)")
    try bench.tool.write("none.json", suite(#"{"id": "z", "input": "z", "reference": "z"}"#))
    let none = try await bench.tool.run(["score", "latest", "--with", "none.json"])
    #expect(none.code == 2 && none.errors.contains("no case that run"), "\(none.errors)")
  }

  @Test func `Killed in the middle, the same command goes on and repeats nothing`() async throws {
    let gate = Mutex(0)
    let bench = try ScoreBench { reply in
      let number = gate.withLock {
        $0 += 1
        return $0
      }
      // The sixth and later ones of the first grading hang: five are stored.
      if number > 5, number <= 13 { reply.sleep(ms: 60_000) }
    }
    defer { bench.close() }
    let cases = (0..<20).map { #"{"id": "c\#($0)", "input": "say \#($0)"}"# }.joined(separator: ",")
    func suite(judged: Bool) -> String {
      """
      {"version": 1, "name": "s", "profiles": {
         "p": {"endpoint": "\(bench.server.url)/v1", "model": "m", "price": "free"},
         "judge": {"endpoint": "\(bench.server.url)/v1", "model": "judge-model", "target": false, "price": "free"}},
       "rubrics": {"r": {"judge": "judge", "criteria": {"right": {"question": "Is it right?",
         "levels": ["Wrong.", "Partly wrong.", "Nearly right.", "Right."]}}}},
       "cases": [\(cases)], "checks": [\(judged ? #"{"rubric": "r"}"# : #"{"contains": "Paris"}"#)],
       "run": {"retries": {"limit": 0}}}
      """
    }
    try bench.tool.write("s.json", suite(judged: false))
    try bench.tool.write("j.json", suite(judged: true))
    _ = try await bench.tool.run(["s.json", "--no-reports"])
    let running = try bench.tool.start(["score", "latest", "--with", "j.json", "--concurrency", "4"])
    let store = try bench.store()
    let run = try store.run(matching: "latest")
    try await until { (try? store.scoreSets(run.id).first?.covered) == 5 && bench.asked.judges >= 6 }
    // Who comes in between is told so.
    let second = try await bench.tool.run(["score", "latest", "--with", "j.json"])
    #expect(second.code == 4 && second.errors.contains("is being worked on"), "\(second.errors)")
    kill(running.process.processIdentifier, SIGKILL)
    _ = await running.wait()
    gate.withLock { $0 = 100 }
    let asked = bench.asked.judges
    let lost = asked - 5
    let partial = try await bench.tool.run(["score", "latest", "--list"])
    #expect(
      partial.output.contains("5 of 20") && partial.output.contains("not finished"), "\(partial.output)")
    let result = try await bench.tool.run(["score", "latest", "--with", "j.json"])
    #expect(result.code == 0 && result.errors.contains("goes on: 5 of 20"), "\(result.errors)")
    #expect(bench.asked.judges == asked + 15, "15 are left, \(lost) of them were cut")
    #expect(bench.asked.subjects == 20)
    let sets = try store.scoreSets(run.id)
    #expect(sets.count == 1 && sets[0].covered == 20 && sets[0].finishedAt != nil)
    #expect(try bench.graded("1").values.allSatisfy { $0.score.value == 1 })
  }

  @Test func `A limit on the cost stops in time, and the same command goes on`() async throws {
    let bench = try ScoreBench()
    defer { bench.close() }
    try bench.tool.write("s.json", bench.suite())
    _ = try await bench.tool.run(["s.json", "--no-reports"])
    let before = bench.asked.judges
    let stopped = try await bench.tool.run(["score", "latest", "--with", "s.json", "--max-cost", "0.2"])
    #expect(stopped.code == 4 && stopped.errors.contains("stopped by --max-cost"), "\(stopped.errors)")
    let first = bench.asked.judges - before
    #expect(first >= 2 && Double(first) * 0.027 <= 0.2, "\(first) calls")
    let result = try await bench.tool.run(["score", "latest", "--with", "s.json"])
    #expect(result.code == 0 && bench.asked.judges == 2 * before, "\(result.errors)")
    let unpriced = bench.suite().replacingOccurrences(
      of: #""price": {"input": 1000, "output": 10000}"#, with: #""maxOutputTokens": 500"#)
    try bench.tool.write("u.json", unpriced)
    let refused = try await bench.tool.run(["score", "latest", "--with", "u.json", "--max-cost", "1"])
    #expect(refused.code == 2 && refused.errors.contains("has no price"), "\(refused.errors)")
  }

  @Test func `What cannot be graded is refused in words`() async throws {
    let bench = try ScoreBench()
    defer { bench.close() }
    try bench.tool.write("s.json", bench.suite())
    _ = try await bench.tool.run(["s.json", "--no-reports", "--target", "weak"])
    func refuse(_ words: [String], _ message: String, code: Int32 = 2) async throws {
      let result = try await bench.tool.run(["score"] + words)
      #expect(result.code == code && result.errors.contains(message), "\(result.errors)")
    }
    try await refuse(["latest"], "--with SUITE.json")
    try await refuse(["latest", "--with", "s.json", "--name", "12"], "cannot be a set's name")
    try await refuse(["latest", "--with", "s.json", "--against", "9"], "no score set '9'")
    _ = try await bench.score(["--with", "s.json", "--name", "mine"])
    try bench.tool.write("e.json", bench.suite(plain: #"{"contains": "Lyon"}"#))
    try await refuse(["latest", "--with", "e.json", "--name", "mine"], "already, graded by other checks")
    try await refuse(["latest", "--with", "s.json", "--name", "mine", "--again"], "already")
    _ = try await bench.tool.run(["s.json", "--no-reports", "--target", "weak", "--private"])
    let asked = bench.asked
    try await refuse(["latest", "--with", "s.json"], "is private")
    #expect(bench.asked == asked)
  }
}

extension Judgement {
  fileprivate func isUnscored(_ reason: UnscoredReason) -> Bool {
    if case .unscored(let found, _) = self { found == reason } else { false }
  }
}
