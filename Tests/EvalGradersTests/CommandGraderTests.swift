import EvalCore
import Foundation
import Testing

@testable import EvalGraders

private struct Folder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/evalrun-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}

@Suite struct CommandGraderTests {
  private func verdict(_ script: String, _ options: JSONObject = [:], _ subject: Subject = subject("Paris"))
    async throws -> Verdict
  {
    var check: JSONObject = ["command": ["/bin/sh", "-c", .string(script)]]
    for option in options.members { check[option.key] = option.value }
    return try await grader(.object(check), allowsCommands: true).grade(subject)
  }

  private func why(_ verdict: Verdict) -> String {
    if case .unscored(.graderFailed, let why) = verdict.judgement { why } else { "scored" }
  }

  @Test func aProgramJudges() async throws {
    let passed = try await verdict(#"echo '{"pass": true, "explanation": "well done"}'"#)
    #expect(passed.judgement == .verdict(true))
    #expect(passed.explanation == "well done")
    #expect(try await verdict(#"echo '{"pass": false}'"#).judgement == .verdict(false))
    #expect(try await verdict(#"echo '{"score": 0.25}'"#).judgement == .scored(value: 0.25, passed: nil))
    #expect(
      try await verdict(#"echo '{"score": 0.25}'"#, ["threshold": 0.2]).judgement
        == .scored(value: 0.25, passed: true))
    #expect(
      try await verdict(#"echo '{"score": 0.25, "pass": true}'"#, ["threshold": 0.9]).judgement
        == .scored(value: 0.25, passed: true))
  }

  @Test func aProgramReadsTheCase() async throws {
    let answer = subject(
      "Par\"is", reference: ["a": 1], toolCalls: [ToolCall(id: "1", name: "f", arguments: ["x": 2])],
      latency: 1_500_000, cost: Cost(dollars: 0.5), usage: Usage(input: 3, output: nil))
    let judged = try await verdict(
      #"line=$(cat); printf '{"pass": true, "explanation": %s}' "$line""#,
      ["input": ["k": [1]], "name": "mine"], answer)
    let seen = try JSONValue.parse(try #require(judged.explanation))
    #expect(seen["answer"]?["text"] == "Par\"is")
    #expect(seen["answer"]?["toolCalls"]?[0]?["arguments"]?["x"] == 2)
    #expect(seen["reference"] == ["a": 1])
    #expect(seen["case"] == "case")
    #expect(seen["variables"] == ["city": "Paris"])
    #expect(seen["latencyMs"] == 1.5)
    #expect(seen["firstTokenMs"] == .null)
    #expect(seen["costDollars"] == 0.5)
    #expect(seen["usage"]?["input"] == 3)
    #expect(seen["usage"]?["output"] == .null)
    #expect(seen["check"] == ["name": "mine", "input": ["k": [1]]])
  }

  @Test func whatIsNoAnswerIsUnscored() async throws {
    #expect(why(try await verdict("echo yes")).contains("no JSON object: 'yes "))
    #expect(why(try await verdict("echo '{}'")).contains("neither 'score' nor 'pass'"))
    #expect(why(try await verdict(#"echo '{"score": 2}'"#)).contains("not within 0…1"))
    #expect(why(try await verdict(#"echo '{"score": "high"}'"#)).contains("not within 0…1"))
    #expect(why(try await verdict(#"echo '{"pass": 1}'"#)).contains("not true or false"))
    let failed = why(try await verdict(#"echo '{"pass": true}'; echo "no module named x" >&2; exit 3"#))
    #expect(failed == "the command 'sh' ended with 3; it wrote 'no module named x'")
    #expect(why(try await verdict("kill -9 $$")).contains("ended by a signal"))
    let negated = try await grader(["not": ["command": ["/bin/false"]]], allowsCommands: true).grade(
      subject())
    #expect(negated.judgement.word == "graderFailed")
  }

  @Test func aProgramThatIsNotThereIsUnscored() async throws {
    let judged = try await grader(["command": ["no-such-program-here"]], allowsCommands: true).grade(
      subject())
    #expect(why(judged).contains("'no-such-program-here' cannot be started"))
  }

  @Test(.timeLimit(.minutes(1))) func aTimeOutEndsTheWholeGroup() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let file = folder.path + "/pid"
    // The shell ignores TERM, and its child holds the pipes open.
    let script = "trap '' TERM; sleep 300 & echo $! > \(file); wait; sleep 300"
    let started = Monotonic.now()
    let judged = try await verdict(script, ["timeout": "300ms"])
    #expect(why(judged).contains("did not end within 300 ms"))
    #expect(Monotonic.now() - started < 20_000_000_000)
    let grandchild = try #require(Int32(try String(contentsOfFile: file, encoding: .utf8).trimmed))
    try await expectGone(grandchild)
  }

  @Test(.timeLimit(.minutes(1))) func whatAProgramLeavesBehindIsEnded() async throws {
    let started = Monotonic.now()
    let judged = try await verdict(#"sleep 300 & echo "{\"pass\": true, \"explanation\": \"$!\"}""#)
    #expect(judged.judgement == .verdict(true))
    #expect(Monotonic.now() - started < 20_000_000_000)
    try await expectGone(try #require(judged.explanation.flatMap { Int32($0) }))
  }

  /// A killed process may stay a zombie until its new parent looks, which is gone enough.
  private func expectGone(_ id: Int32) async throws {
    for _ in 0..<500 {
      if kill(id, 0) != 0 { return }
      let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
      if let status, status.contains(") Z ") { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("process \(id) is still there")
  }

  @Test func aProgramThatReadsNothingDoesNotEndThisOne() async throws {
    // More than a pipe holds, to a program that closes it at once: a write to it raises SIGPIPE.
    let long = subject(String(repeating: "x", count: 1 << 20))
    let judged = try await verdict(#"exec <&-; echo '{"pass": true}'"#, [:], long)
    #expect(judged.judgement == .verdict(true))
  }

  @Test func bigInputAndOutputFlowAtOnce() async throws {
    let long = subject(String(repeating: "x", count: 300_000))
    let judged = try await verdict(
      #"printf '{"pass": true, "explanation": "'; tr -cd x; printf '"}'"#, [:], long)
    #expect(judged.judgement == .verdict(true))
    #expect(judged.explanation == String(repeating: "x", count: 3999) + "…")
  }

  @Test(.timeLimit(.minutes(1))) func outputIsCapped() async throws {
    #expect(why(try await verdict("cat /dev/zero")).contains("wrote more than"))
    let errors = try await verdict("yes error | head -c 3000000 >&2; exit 1")
    #expect(why(errors).contains("ended with 1; it wrote"))
    #expect(why(errors).count < 250)
  }

  @Test(.timeLimit(.minutes(1))) func cancellingEndsTheProgram() async throws {
    let task = Task { try await verdict("sleep 300") }
    try await Task.sleep(for: .milliseconds(100))
    task.cancel()
    #expect(why(try await task.value).contains("was cancelled"))
  }

  @Test func signalsAreAsAtTheStartOfAProgram() async throws {
    let masks = try await verdict(
      #"line=$(grep -E '^Sig(Blk|Ign)' /proc/self/status 2>/dev/null | tr -d '\n\t' | tr -s ' ' ' '); printf '{"pass": true, "explanation": "%s"}' "$line""#
    )
    #if os(Linux)
      // The C library keeps signals 32 and 33 for itself.
      let words = masks.explanation?.replacingOccurrences(
        of: "SigIgn:0000000180000000", with: "SigIgn:0000000000000000")
      #expect(words == "SigBlk:0000000000000000SigIgn:0000000000000000")
    #else
      #expect(masks.judgement == .verdict(true))
    #endif
  }

  @Test(.timeLimit(.minutes(2))) func waitingHoldsUpNoTask() async throws {
    // Each ends only when all have begun, and they are more than the pool has threads on most machines.
    let folder = try Folder()
    defer { folder.remove() }
    let script = """
      : > \(folder.path)/$$; n=0
      while [ $(ls \(folder.path) | wc -l) -lt 24 ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done
      [ $n -lt 600 ] && echo '{"pass": true}'
      """
    let check: JSONValue = ["command": ["/bin/sh", "-c", .string(script)], "timeout": "100s"]
    let waiting = try grader(check, allowsCommands: true)
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<24 { group.addTask { await waiting.grade(subject()).judgement.word } }
      for await word in group { #expect(word == "pass") }
    }
  }

  #if os(Linux)
    @Test func noDescriptorReachesTheProgram() async throws {
      let listed = try await verdict(
        #"printf '{"pass": true, "explanation": "%s"}' "$(ls /proc/self/fd | tr '\n' ' ')""#)
      // 3 is the folder that ls reads.
      #expect(listed.explanation == "0 1 2 3 ")
    }
  #endif

  @Test func commandsAreOffUnlessAllowed() throws {
    let refused = try problem(["all": [["command": ["true"]]]])
    #expect(refused.path == "all[0].command")
    #expect(refused.advice?.contains("--allow-commands") == true)
    #expect(try problem(["command": "echo hello"], allowsCommands: true).path == "command")
    #expect(try problem(["command": []], allowsCommands: true).path == "command")
    #expect(try problem(["command": ["./not-there"]], allowsCommands: true).path == "command[0]")
    #expect(try problem(["command": ["true"], "timeout": "soon"], allowsCommands: true).path == "timeout")
  }

  @Test func programsAreNamedAndRunInTheSuitesFolder() async throws {
    let folder = try Folder()
    defer { folder.remove() }
    let file = folder.path + "/grade.sh"
    try "#!/bin/sh\nprintf '{\"pass\": true, \"explanation\": \"%s\"}' \"$(cat data)\"\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    try "here".write(toFile: folder.path + "/data", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    let judged = try await grader(["command": ["./grade.sh"]], allowsCommands: true, directory: folder.path)
      .grade(subject())
    #expect(judged.explanation == "here")
    // The same from a folder that is named relative to the current one.
    let up = String(
      repeating: "../", count: FileManager.default.currentDirectoryPath.split(separator: "/").count)
    let relative = up + folder.path.dropFirst()
    let again = try await grader(["command": ["./grade.sh"]], allowsCommands: true, directory: relative)
      .grade(subject())
    #expect(again.explanation == "here")
  }
}
