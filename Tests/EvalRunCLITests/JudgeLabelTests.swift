import EvalTestSupport
import Foundation
import Testing

/// People label answers, and the judge is measured by it, seen from the command line.
@Suite(.timeLimit(.minutes(3))) struct JudgeLabelTests {
  @Test func aFileIsDrawnBlindAndLabelledAndTheRatesFollow() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    #expect(try await bench.run().code == 0)
    let drawn = try await bench.tool.run(["judge", "label", "latest", "--count", "80", "-o", "l.jsonl"])
    #expect(drawn.code == 0 && drawn.output.contains("l.jsonl: 80 questions"), "\(drawn.errors)")
    let lines = try bench.lines("l.jsonl")
    #expect(lines.count == 81 && (lines[0]["strata"] as? [Any])?.count == 4)
    let text = try String(contentsOf: bench.tool.folder.appendingPathComponent("l.jsonl"), encoding: .utf8)
    for told in ["arm-one", "arm-two", "critic", "m1", "judge-model", "so it is"] {
      #expect(!text.contains(told), "the file tells '\(told)'")
    }
    try bench.label("l.jsonl")
    let check = try await bench.json(["judge", "check", "l.jsonl"])
    let measured = try #require((check["checks"] as? [[String: Any]])?.first)
    let all = try #require((measured["verdicts"] as? [String: Any])?["all"] as? [String: Any])
    #expect(
      [all["bothPass"], all["judgeFails"], all["judgePasses"], all["bothFail"]].map { $0 as? Int } == [
        36, 4, 8, 32,
      ])
    #expect(value(all["sensitivity"]) == 0.9 && value(all["specificity"]) == 0.8)
    #expect(abs((value(all["kappa"]) ?? 0) - 0.7) < 1e-9)
    let rates = try #require(measured["rates"] as? [[String: Any]])
    #expect(rates.map { $0["target"] as? String } == ["arm-one", "arm-two"])
    #expect(value(rates[0]["judged"]) == 0.55 && abs((value(rates[0]["corrected"]) ?? 0) - 0.5) < 1e-9)
    // The run's own report has it from now on, the judged rate first.
    let report = try await bench.tool.run(["report", "latest"])
    let judged = try #require(report.output.range(of: "pass rate"))
    let corrected = try #require(report.output.range(of: "pass rate, corrected"))
    #expect(judged.lowerBound < corrected.lowerBound && report.output.contains("Judges against people"))
    #expect(report.output.contains("50.0 %") && report.output.contains("55.0 %"), "\(report.output)")
  }

  private func value(_ estimate: Any?) -> Double? { (estimate as? [String: Any])?["value"] as? Double }

  private func measured(_ bench: LabelBench, _ run: String = "latest") async throws -> [[String: Any]] {
    let json = try await bench.json(["report", run])
    return (json["judging"] as? [String: Any])?["measured"] as? [[String: Any]] ?? []
  }

  @Test func laterRunsOfTheSameJudgeAreCorrectedAndOthersAreNot() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    _ = try await bench.run()
    _ = try await bench.tool.run([
      "judge", "label", "latest", "--count", "80", "-o", "l.jsonl", "--by", "anna",
    ])
    try bench.label("l.jsonl")
    let looked = try await bench.tool.run(["judge", "check", "l.jsonl", "--no-store"])
    #expect(looked.code == 0)
    #expect(try await measured(bench).isEmpty, "--no-store kept labels")
    #expect(try await bench.tool.run(["judge", "check", "l.jsonl"]).code == 0)
    // Another selection of cases is another run; its judge is the same.
    _ = try await bench.run(nil, ["--limit", "20"])
    let later = try await measured(bench)
    #expect(later.count == 1 && later[0]["labelledBy"] as? [String] == ["anna"])
    let rate = try #require((later[0]["rates"] as? [[String: Any]])?.first)
    // 8 right and 4 wrong of 20 pass: (0.6 + 0.8 − 1)/0.7.
    #expect(value(rate["judged"]) == 0.6 && abs((value(rate["corrected"]) ?? 0) - 4.0 / 7) < 1e-9)
    // Another sentence is another question.
    _ = try await bench.run(bench.suite(sentence: "The answer is quite right."))
    #expect(try await measured(bench).isEmpty)
    // Where another check decides, too, the rate as a whole is refused, with the reason.
    _ = try await bench.run(bench.suite(extra: #", {"contains": "It"}"#))
    let report = try await bench.tool.run(["report", "latest"])
    #expect(report.output.contains("2 checks decide"), "\(report.output)")
  }

  @Test func whatIsCheckedTwiceCountsOnce() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    _ = try await bench.run()
    _ = try await bench.tool.run(["judge", "label", "latest", "--count", "80", "-o", "l.jsonl"])
    try bench.label("l.jsonl")
    for _ in 0..<2 { _ = try await bench.tool.run(["judge", "check", "l.jsonl"]) }
    let verdicts = try await measured(bench)[0]["verdicts"] as? [String: Any]
    #expect((verdicts?["all"] as? [String: Any])?["labels"] as? Int == 80)
    // A file with fewer labels takes the others back.
    let text = try String(contentsOf: bench.tool.folder.appendingPathComponent("l.jsonl"), encoding: .utf8)
    try bench.tool.write("l.jsonl", text.split(separator: "\n").prefix(61).joined(separator: "\n"))
    _ = try await bench.tool.run(["judge", "check", "l.jsonl"])
    let fewer = try await measured(bench)[0]["verdicts"] as? [String: Any]
    #expect((fewer?["all"] as? [String: Any])?["labels"] as? Int == 60)
  }

  @Test func labelsByHandInATable() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    _ = try await bench.run()
    let rows = (0..<40).map { "c\($0),good,arm-one,\($0 % 2 == 0 ? "yes" : "no")" }
    try bench.tool.write("l.csv", (["case,check,target,label"] + rows).joined(separator: "\n"))
    let missing = try await bench.tool.run(["judge", "check", "l.csv"])
    #expect(missing.code == 2 && missing.errors.contains("say it with --run"), "\(missing.errors)")
    let result = try await bench.tool.run(["judge", "check", "l.csv", "--run", "latest", "--format", "md"])
    #expect(result.code == 0 && result.output.contains("90.0 %"), "\(result.output)\(result.errors)")
    // The other target's rate is corrected by the labels of this one.
    #expect(result.output.contains("arm-two"))
    try bench.tool.write("bad.csv", "case,check,target,label\nc0,good,arm-one,perhaps\nc1,god,arm-one,yes\n")
    let bad = try await bench.tool.run(["judge", "check", "bad.csv", "--run", "latest"])
    #expect(
      bad.code == 2 && bad.errors.contains("bad.csv:2:17: error: 'perhaps' is no verdict"), "\(bad.errors)")
    try bench.tool.write("bad.csv", "case,check,target,label\nc99,good,arm-one,yes\nc1,god,arm-one,yes\n")
    let unknown = try await bench.tool.run(["judge", "check", "bad.csv", "--run", "latest"])
    #expect(
      unknown.errors.contains("bad.csv:2:18: error: the run has no case 'c99'"),
      "\(unknown.errors)")
    #expect(unknown.errors.contains("bad.csv:3:16: error: no judge scored anything for a check 'god'"))
    #expect(unknown.errors.contains("did you mean 'good'?"), "\(unknown.errors)")
  }

  @Test func aPrivateRunCannotBeLabelledAndCanBeChecked() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    _ = try await bench.run()
    _ = try await bench.tool.run(["judge", "label", "latest", "--count", "80", "-o", "l.jsonl"])
    try bench.label("l.jsonl")
    _ = try await bench.run(nil, ["--private", "--fresh"])
    let refused = try await bench.tool.run(["judge", "label", "latest"])
    #expect(
      refused.code == 2 && refused.errors.contains("is private: it keeps no answers"), "\(refused.errors)")
    // Its answers are known by their digests.
    let check = try await bench.json(["judge", "check", "l.jsonl", "--run", "latest"])
    let measured = try #require((check["checks"] as? [[String: Any]])?.first)
    let all = (measured["verdicts"] as? [String: Any])?["all"] as? [String: Any]
    #expect(all?["labels"] as? Int == 80 && value(all?["sensitivity"]) == 0.9)
  }

  @Test func labelsOfOtherAnswersCountNowhere() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    _ = try await bench.run()
    _ = try await bench.tool.run(["judge", "label", "latest", "--count", "8", "-o", "l.jsonl"])
    try bench.label("l.jsonl")
    _ = try await bench.run(bench.suite(cases: 1))
    let other = try await bench.tool.run(["judge", "check", "l.jsonl", "--run", "latest"])
    let text = try String(contentsOf: bench.tool.folder.appendingPathComponent("l.jsonl"), encoding: .utf8)
    if text.contains("eta 0.") {
      #expect(other.code == 0)
    } else {
      #expect(other.code == 3 && other.errors.contains("8 labels are about answers"), "\(other.errors)")
    }
    try bench.tool.write("l.jsonl", text.replacingOccurrences(of: "It is wrong", with: "It is right"))
    let edited = try await bench.tool.run(["judge", "check", "l.jsonl"])
    #expect(edited.code == 2 && edited.errors.contains("the answer was edited"), "\(edited.errors)")
  }

  // MARK: At a terminal

  @Test func keysLabelAndEveryLabelIsKept() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    _ = try await bench.run(bench.suite(cases: 4))
    let arguments = ["judge", "label", "latest", "--count", "8", "-o", "l.jsonl", "--by", "anna"]
    let first = try bench.tool.converse(arguments)
    try await until { first.terminal.text.contains("1 of 8") && first.terminal.text.hasSuffix("key: ") }
    try first.terminal.type("x")
    try first.terminal.type("p")
    // The question after the first label stands when that is saved.
    try await until { first.terminal.text.components(separatedBy: "key: ").count >= 3 }
    kill(first.process.processIdentifier, SIGKILL)
    await first.ended.wait()
    let labels = try bench.lines("l.jsonl").dropFirst().map { $0["label"] as? String }
    // Both targets say the same: one label is for both.
    #expect(labels[0] == "pass" && labels.count { $0 == "pass" } == 2, "\(labels)")
    #expect(try bench.lines("l.jsonl")[0]["labelledBy"] as? String == "anna")
    let screen = first.terminal.text
    for told in ["arm-one", "arm-two", "critic", "so it is", "\u{1B}[2J"] {
      #expect(!screen.contains(told), "the screen shows '\(told)'")
    }
    #expect(screen.contains("\u{FFFD}[2JIt is") && screen.contains("f  fail") && screen.contains("s  skip"))

    let again = try bench.tool.converse(arguments)
    try await until { again.terminal.text.hasSuffix("key: ") }
    // Skip, then back to it, fail, fail, and quit.
    for (index, key) in ["s", "b", "f", "f", "q"].enumerated() {
      try await until { again.terminal.text.components(separatedBy: "key: ").count >= index + 2 }
      try again.terminal.type(key)
    }
    await again.ended.wait()
    #expect(again.process.terminationStatus == 0)
    let text = try await again.terminal.all()
    #expect(
      text.contains("skipped") && text.contains("back") && text.contains("6 of 8 questions labelled"),
      "\(text)")
    #expect(text.contains("go on: evalrun judge label"))
    let kept = try bench.lines("l.jsonl").dropFirst().map { $0["label"] as? String }
    #expect(kept.count { $0 == "fail" } == 4 && kept.count { $0 == "pass" } == 2, "\(kept)")
  }

  @Test func aFileIsNeverWrittenOver() async throws {
    let bench = try LabelBench()
    defer { bench.close() }
    _ = try await bench.run(bench.suite(cases: 2))
    let first = try await bench.tool.run(["judge", "label", "latest"])
    #expect(first.code == 0 && first.output.contains(".labels.jsonl: 4 questions"), "\(first.errors)")
    let again = try await bench.tool.run(["judge", "label", "latest"])
    #expect(again.code == 2 && again.errors.contains("is there already"), "\(again.errors)")
    let none = try await bench.tool.run(["judge", "label", "latest", "--check", "god", "-o", "x.jsonl"])
    #expect(none.code == 2 && none.errors.contains("did you mean 'good'"), "\(none.errors)")
  }
}
