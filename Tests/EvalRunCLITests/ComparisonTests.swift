import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// Judges that compare two targets' answers, seen from the command line.
@Suite(.timeLimit(.minutes(3))) struct ComparisonTests {
  private static let answers = ["alpha": "It is Paris.", "beta": "It is Lyon.", "gamma": "It is nowhere."]

  private func share(_ pair: [String: Any], _ key: String) -> Double? {
    (pair[key] as? [String: Any])?["value"] as? Double
  }

  @Test func whatIsPreferredInBothOrdersWins() async throws {
    let bench = try JudgeBench(answers: Self.answers) { asked, reply in
      reply.say(asked.preference(asked.shown(1).contains("Paris") ? "1" : "2"))
    }
    defer { bench.close() }
    let report = try await bench.report(bench.comparing(["alpha", "beta"], cases: 4), ["--strict"])
    #expect(report.code == 0, "\(report.errors)")
    let pair = try #require(report.pairs.first)
    #expect(pair["first"] as? String == "alpha" && pair["second"] as? String == "beta")
    #expect(pair["wins"] as? Int == 4 && pair["ties"] as? Int == 0 && pair["losses"] as? Int == 0)
    #expect(share(pair, "winRate") == 1 && share(pair, "flipRate") == 0)
    #expect(report.judge["calls"] as? Int == 8 && report.judge["verdicts"] as? Int == 8)
    #expect(report.output.contains("better: alpha over beta"), "\(report.output)")
    // Nobody is told whose answer is whose.
    let prompts = bench.server.requests.map(\.bodyText).filter { $0.contains("judge-model") }
    #expect(prompts.count == 8 && !prompts.contains { $0.contains("alpha") || $0.contains("beta") })
    #expect(prompts.count { $0.range(of: "Paris")!.lowerBound < $0.range(of: "Lyon")!.lowerBound } == 4)
    let list = try await bench.tool.run(["list"])
    #expect(list.output.contains("finished"))
  }

  @Test func aJudgeThatFavoursAPlaceMakesTies() async throws {
    let bench = try JudgeBench(answers: Self.answers) { $1.say($0.preference("1")) }
    defer { bench.close() }
    let report = try await bench.report(bench.comparing(["alpha", "beta"], cases: 3))
    let pair = try #require(report.pairs.first)
    #expect(pair["ties"] as? Int == 3 && share(pair, "winRate") == 0.5 && share(pair, "flipRate") == 1)
  }

  @Test func whatCannotBeReadIsUnscored() async throws {
    let bench = try JudgeBench(answers: Self.answers) { asked, reply in
      reply.say(asked.prompt.contains("say 0") ? "Both are fine." : asked.preference("cannot judge"))
    }
    defer { bench.close() }
    let report = try await bench.report(bench.comparing(["alpha", "beta"], cases: 2))
    let pair = try #require(report.pairs.first)
    #expect(pair["unscored"] as? Int == 2 && share(pair, "winRate") == nil)
    #expect(report.unread == ["noVerdict": 2, "abstained": 2])
  }

  @Test func moreThanTwoTargetsAreRanked() async throws {
    let bench = try JudgeBench(answers: Self.answers) { asked, reply in
      // Paris beats Lyon beats nowhere, but for every fourth case, where it is the other way round.
      let ranks = [asked.shown(1), asked.shown(2)].map {
        $0.contains("Paris") ? 3 : $0.contains("Lyon") ? 2 : 1
      }
      let number = Int(asked.prompt.components(separatedBy: "say ")[1].prefix { $0.isNumber }) ?? 0
      reply.say(asked.preference((ranks[0] > ranks[1]) == (number % 4 != 0) ? "1" : "2"))
    }
    defer { bench.close() }
    let report = try await bench.report(
      bench.comparing(["alpha", "beta", "gamma"], cases: 8, run: #", "concurrency": 8"#))
    #expect(report.pairs.count == 3 && report.judge["questions"] as? Int == 48, "\(report.errors)")
    let ranking = try #require(
      (report.judging["rankings"] as? [[String: Any]])?.first?["targets"] as? [[String: Any]])
    #expect(ranking.compactMap { $0["name"] as? String } == ["alpha", "beta", "gamma"])
    let strengths = ranking.compactMap { share($0, "strength") }
    #expect(strengths.count == 3 && strengths[0] > strengths[1] && abs(strengths.reduce(0, +)) < 1e-9)
  }

  @Test func aRunThatStopsWhileItComparesGoesOnThere() async throws {
    let hold = Mutex(true)
    let bench = try JudgeBench(answers: Self.answers) { asked, reply in
      while asked.number > 3, hold.withLock({ $0 }), !reply.clientGone { reply.sleep(ms: 20) }
      reply.say(asked.preference(asked.shown(1).contains("Paris") ? "1" : "2"))
    }
    defer { bench.close() }
    func judged() -> Int { bench.server.requests.count { $0.bodyText.contains("judge-model") } }
    let suite = bench.comparing(["alpha", "beta"], cases: 5)
    try bench.tool.write("s.json", suite)
    let running = try bench.tool.start(["s.json", "--no-reports"])
    try await until { judged() >= 4 }
    running.process.interrupt()
    try await until { running.errorsSoFar.contains("stopping") }
    running.process.interrupt()
    let stopped = await running.wait()
    #expect(
      stopped.code == 130 && stopped.errors.contains("goes on with the comparisons"), "\(stopped.errors)")
    hold.withLock { $0 = false }
    let before = judged()
    let again = try await bench.report(suite)
    #expect(again.code == 0 && again.errors.contains("goes on: 10 of 10"), "\(again.errors)")
    #expect(again.pairs.first?["wins"] as? Int == 5)
    #expect(judged() - before == 7, "three of ten were asked before")
    #expect(
      bench.server.requests.count { !$0.bodyText.contains("judge-model") } == 10, "no subject is asked again")
  }

  @Test func aPrivateRunCannotCompare() async throws {
    let bench = try JudgeBench(answers: Self.answers) { $1.say($0.preference("1")) }
    defer { bench.close() }
    try bench.tool.write("s.json", bench.comparing(["alpha", "beta"], cases: 1))
    let result = try await bench.tool.run(["s.json", "--private"])
    #expect(result.code == 2 && result.errors.contains("a private run keeps no answers to compare"))
    #expect(bench.server.requests.isEmpty)
  }
}
