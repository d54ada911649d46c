import EvalCore
import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

/// Real programs, each started for one call.
@Suite(.timeLimit(.minutes(2))) struct CommandProviderTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  // MARK: What is read

  @Test func deltasReasoningToolsAndUsage() async throws {
    let reply = try await bench.ask(
      """
      cat > request
      printf '%s\\n' '{"model": "m-1", "id": "r-1"}' '{"reasoning": "Hm"}' '{"text": "Par"}' '{"text": "is"}'
      printf '%s\\n' '{"toolCall": {"id": "1", "name": "f", "arguments": {"x": 1}}}'
      printf '%s\\n' '{"usage": {"input": 7, "output": 4, "reasoning": 1, "cachedInput": 2, "cacheWrite": 0}}'
      printf '%s\\n' '{"state": {"k": 1}}' '{"note": "warm"}' '{"finish": "stop"}'
      """)
    #expect(reply.outcome == .ok)
    #expect(reply.text == "Paris")
    #expect(reply.reasoning == "Hm")
    #expect(reply.toolCalls == [ToolCall(id: "1", name: "f", arguments: ["x": 1])])
    #expect(reply.finish == .toolCalls && reply.rawFinish == "stop")
    #expect(reply.usage == Usage(input: 7, cachedInput: 2, cacheWrite: 0, output: 4, reasoning: 1))
    #expect(reply.servedModel == "m-1" && reply.responseID == "r-1")
    #expect(reply.providerState == [["k": 1]])
    #expect(reply.notes == ["warm"])
    #expect(reply.timeline.firstReasoning != nil && reply.timeline.firstTool != nil)
    #expect(reply.timeline.tokenReads.reduce(0) { $0 + $1.events } == 4)
    #expect(reply.provenance == .live && reply.connection.isCold == nil)
  }

  @Test func snapshotsAreDiffedAndCountNoTokens() async throws {
    let counters = LiveCounters()
    let reply = try await bench.ask(
      #"printf '%s\n' '{"snapshot": ""}' '{"snapshot": "Pa"}' '{"snapshot": "Pa"}' '{"snapshot": "Paris"}' '{"finish": "stop"}'"#
    ) {
      _ in
    } call: {
      $0.counters = counters
    }
    #expect(reply.outcome == .ok)
    #expect(reply.text == "Paris")
    #expect(reply.usage == nil)
    #expect(counters.tokenEvents == 0)
    #expect(reply.timeline.tokenReads.reduce(0) { $0 + $1.events } == 2)
    #expect(reply.notes.isEmpty)
  }

  @Test func theProgramReadsTheRequestInTheSuitesFolder() async throws {
    try bench.write(
      "p.sh", "#!/bin/sh\ncat > request\nprintf '%s\\n' '{\"text\": \"ok\", \"finish\": \"stop\"}'\n")
    let reply = try await bench.send(
      bench.profile(["./p.sh"]) {
        $0.model = "m"
        $0.instructions = "Be brief."
        $0.parameters.temperature = 0.5
        $0.tools = [ToolDefinition(name: "f", summary: "does", parameters: ["type": "object"])]
        $0.toolChoice = .tool("f")
        $0.extraBody = ["mine": [1]]
      },
      [
        Message(.user, "A"),
        Message(
          role: .assistant, parts: [], toolCalls: [ToolCall(id: "1", name: "f", arguments: ["x": 1])],
          providerState: ["s"]),
        Message(role: .tool, parts: [.text("42")], toolCallID: "1", toolName: "f"),
        Message(
          role: .user, parts: [.text("B"), .image(ImageContent(mediaType: "image/png", base64: "AA=="))]),
      ])
    #expect(reply.outcome == .ok)
    let request = try JSONValue.parse(bench.text("request"))
    let expected: JSONValue = [
      "version": 1, "model": "m", "instructions": "Be brief.", "prompt": "B", "stream": true,
      "messages": [
        ["role": "user", "text": "A"],
        [
          "role": "assistant", "text": "", "state": ["s"],
          "toolCalls": [["id": "1", "name": "f", "arguments": ["x": 1]]],
        ],
        ["role": "tool", "text": "42", "toolCallID": "1", "toolName": "f"],
        [
          "role": "user", "text": "B",
          "parts": [["text": "B"], ["image": ["mediaType": "image/png", "base64": "AA=="]]],
        ],
      ],
      "parameters": ["temperature": 0.5],
      "tools": [["name": "f", "description": "does", "parameters": ["type": "object"]]],
      "toolChoice": ["tool": "f"], "mine": [1],
    ]
    #expect(request == expected, "\(request.serialized())")
  }

  // MARK: Plain text

  @Test func textIsTheAnswerWithoutItsLastLineBreak() async throws {
    var profile = bench.profile([
      "printf", "%s:%s:%s\\n\\n", "{{prompt}}", "{{instructions}}", "{{maxOutputTokens}}",
    ]) {
      $0.options["output"] = "text"
      $0.instructions = "brief"
      $0.parameters.maxOutputTokens = 9
    }
    profile.model = "m"
    let reply = try await bench.send(profile, [Message(.user, "a 'b' \"c\" $HOME `id` {{x}}")])
    #expect(reply.outcome == .ok)
    #expect(reply.text == "a 'b' \"c\" $HOME `id` {{x}}:brief:9\n")
    #expect(reply.usage == nil)
    #expect(reply.finish == .unknown && reply.rawFinish == nil)
    #expect(reply.timeline.firstContent != nil)
  }

  @Test func textReadsThePromptFromStandardInput() async throws {
    #expect(try await bench.ask("tr a-z A-Z", text: true).text == "HI")
    let nothing = try await bench.ask("cat >/dev/null", text: true)
    #expect(nothing.outcome == .empty && nothing.text == "")
    let onlyABreak = try await bench.ask("echo", text: true)
    #expect(onlyABreak.outcome == .empty && onlyABreak.timeline.firstToken == nil)
    let talk = try await bench.ask(
      "cat", text: true, messages: [Message(.user, "a"), Message(.assistant, "b"), Message(.user, "c")])
    #expect(talk.failure == .unsupportedCapability)
    #expect(talk.outcome.error?.message.contains("\"input\": \"request\"") == true)
  }

  @Test func piecesOfTextEndAtWholeCharacters() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: StreamPiece.self)
    let reply = try await bench.ask(
      #"printf 'F\303'; sleep 0.3; printf '\274\303\237'; sleep 0.3; printf 'e\n'"#, text: true
    ) {
      _ in
    } call: {
      $0.onPiece = { continuation.yield($0) }
    }
    continuation.finish()
    var pieces: [StreamPiece] = []
    for await piece in stream { pieces.append(piece) }
    #expect(reply.text == "Füße")
    #expect(pieces == [.text("F"), .text("üß"), .text("e")])
  }

  @Test func invalidUTF8IsReplaced() async throws {
    let plain = try await bench.ask(#"printf 'a\377b\303'"#, text: true)
    #expect(plain.text == "a\u{FFFD}b\u{FFFD}")
    let events = try await bench.ask(#"printf '{"text": "a\377b"}\n{"finish": "stop"}\n'"#)
    #expect(events.text == "a\u{FFFD}b" || events.failure == .malformedResponse)
    #expect(events.text.utf8.count < 10)
  }

  // MARK: How it ends

  @Test func errorsByClass() async throws {
    let known = try await bench.ask(
      #"printf '%s\n' '{"text": "a"}' '{"error": {"class": "contextSizeExceeded", "message": "too long", "promptTokens": 5000, "contextSize": 4096}}'; exit 1"#
    )
    let error = try #require(known.outcome.error)
    #expect(error.kind == .contextSizeExceeded && error.message == "too long" && error.inBand)
    #expect(error.promptTokens == 5000 && error.contextSize == 4096 && error.status == nil)
    #expect(known.text == "a")
    for (word, kind) in [
      ("guardrailViolation", ErrorClass.contentFiltered), ("exceededContextWindowSize", .contextSizeExceeded),
      ("rateLimited", .rateLimited), ("unavailable", .unavailable), ("assetsUnavailable", .unavailable),
      ("unsupportedGuide", .unsupportedCapability), ("nonsense", .unknown), ("cancelled", .unknown),
      ("notRecorded", .unknown),
    ] {
      let reply = try await bench.ask(
        #"printf '%s\n' '{"error": {"class": "\#(word)", "retryAfterMs": 250}}'"#)
      #expect(reply.failure == kind, "\(word)")
      #expect(reply.outcome.error?.retryable == (kind == .rateLimited), "\(word)")
      #expect(reply.outcome.error?.retryAfterMilliseconds == 250)
    }
    #expect(try await bench.ask(#"echo '{"error": "no luck"}'"#).outcome.error?.message == "no luck")
  }

  @Test func programsThatFail() async throws {
    let failed = try await bench.ask("echo 'no module named x' >&2; exit 3")
    #expect(failed.failure == .unknown)
    #expect(failed.outcome.error?.message == "the program ended with 3; it wrote 'no module named x'")
    #expect(failed.outcome.error?.code == "exit 3" && failed.outcome.error?.retryable == false)
    let killed = try await bench.ask(#"echo '{"text": "a"}'; kill -9 $$"#)
    #expect(killed.outcome.error?.code == "signal 9" && killed.text == "a")
    let late = try await bench.ask(#"echo '{"text": "a", "finish": "stop"}'; exit 4"#)
    #expect(late.outcome == .ok)
    #expect(late.notes == ["after the end of the answer: the program ended with 4"])
    let text = try await bench.ask("echo half; exit 1", text: true)
    #expect(text.failure == .unknown && text.text == "half")
  }

  @Test func programsThatAreNotThere() async throws {
    for program in ["no-such-program-here", "./no-such-program-here", "/"] {
      let reply = try await bench.send(bench.profile([program]))
      #expect(reply.failure == .unavailable, "\(program)")
      #expect(reply.outcome.error?.message.contains("cannot be started") == true)
      #expect(reply.timeline.firstByte == nil)
    }
    let long = try await bench.send(
      bench.profile(["printf", "%s", "{{prompt}}"]) { $0.options["output"] = "text" },
      [Message(.user, String(repeating: "x", count: 8 << 20))])
    #expect(long.failure == .requestTooLarge)
  }

  @Test func answersThatAreNone() async throws {
    let noise = try await bench.ask(
      #"printf '%s\n' '{"text": "a"}' 'Loading the model ...' '{"finish": "stop"}'"#)
    #expect(noise.failure == .malformedResponse)
    #expect(noise.outcome.error?.message == "a line is no JSON: Loading the model ...")
    #expect(noise.text == "a")
    let long = try await bench.ask(
      #"printf '{"text": "a"} '; awk 'BEGIN { for (i = 0; i < 5000; i++) printf "x" }'; echo"#)
    #expect((190...260).contains(long.outcome.error?.message.count ?? 0))
    #expect(long.outcome.error?.message.hasSuffix("…") == true)
    #expect(
      try await bench.ask(#"echo '{"text": 5}'"#).outcome.error?.message.contains("'text' of an event")
        == true)
    #expect(try await bench.ask("echo '[1]'").failure == .malformedResponse)
    for script in ["true", #"echo '{"text": "a"}'"#, #"printf '{"text": "a"}\n{"fini'"#] {
      let reply = try await bench.ask(script)
      #expect(reply.failure == .truncated, "\(script)")
      #expect(reply.finish == nil)
    }
    let unknown = try await bench.ask(#"printf '%s\n' '{"txt": "a"}' '{"finish": "stop"}'"#)
    #expect(unknown.outcome == .empty)
    #expect(unknown.notes == ["the program writes 'txt', which events do not have"])
    #expect(try await bench.ask(#"printf '{"text": "a"}\n{"finish": "stop"}'"#).outcome == .ok)
    #expect(try await bench.ask(#"echo '{"text": "a", "finish": "contentFilter"}'"#).outcome == .refused)
    #expect(try await bench.ask(#"echo '{"refusal": "no", "finish": "stop"}'"#).outcome == .refused)
  }

  // MARK: Time

  #if os(Linux)
    /// Python's clock is ours: each event says when it was written.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func stampsAreTakenAsBytesArrive() async throws {
      try bench.write(
        "slow.py",
        """
        import json, time
        def say(**event): print(json.dumps(event), flush=True)
        time.sleep(0.4)
        say(text=f"{time.monotonic_ns()}")
        time.sleep(0.8)
        say(text=f" {time.monotonic_ns()}")
        time.sleep(0.8)
        say(finish="stop", note=f"{time.monotonic_ns()}")
        """)
      let reply = try await bench.send(bench.profile(["/usr/bin/python3", "slow.py"]))
      let written = reply.text.split(separator: " ").compactMap { Int64($0) }
      let end = try #require(reply.notes.first.flatMap { Int64($0) })
      try #require(written.count == 2 && reply.timeline.tokenReads.count == 2)
      let stamps = reply.timeline.tokenReads.map(\.at)
      #expect(reply.timeline.firstToken == stamps[0] && reply.timeline.lastToken == stamps[1])
      // Never before it was written, and before the next was.
      #expect(written[0] <= stamps[0] && stamps[0] < written[1])
      #expect(written[1] <= stamps[1] && stamps[1] < end)
      #expect(try #require(reply.timeline.terminal) >= end)
      #expect(try #require(reply.timeline.timeToFirstToken) >= 400_000_000)
    }
  #endif

  @Test func eventsOfOneReadShareItsStamp() async throws {
    let reply = try await bench.ask(
      #"printf '{"text": "a"}\n{"text": "b"}\n{"text": "c"}\n{"finish": "stop"}\n'"#)
    #expect(reply.text == "abc")
    #expect(reply.timeline.tokenReads.count == 1 && reply.timeline.tokenReads[0].events == 3)
    #expect(reply.timeline.firstToken == reply.timeline.terminal)
  }

  @Test func anAnswerInOnePieceHasNoFirstToken() async throws {
    var limits = CallTimeouts()
    limits.firstToken = .milliseconds(50)
    limits.stall = .milliseconds(50)
    let reply = try await bench.ask(#"sleep 0.3; echo '{"text": "a", "finish": "stop"}'"#) {
      $0.stream = false
    } call: {
      $0.timeouts = limits
    }
    #expect(reply.outcome == .ok)
    #expect(reply.timeline.firstToken == nil && reply.timeline.tokenReads.isEmpty)
    #expect(reply.timeline.firstByte != nil && reply.timeline.terminal != nil)
  }

  @Test func timeLimits() async throws {
    func limited(_ script: String, _ change: (inout CallTimeouts) -> Void) async throws -> ProviderReply {
      var limits = CallTimeouts()
      change(&limits)
      return try await bench.ask(script) {
        _ in
      } call: {
        $0.timeouts = limits
      }
    }
    // Notes and usage are no token, and lines without output no progress.
    let first = try await limited(#"while :; do echo '{"note": "loading"}'; sleep 0.05; done"#) {
      $0.firstToken = .milliseconds(300)
    }
    #expect(first.failure == .firstTokenTimeout)
    let stall = try await limited(
      #"echo '{"text": "a"}'; while :; do echo '{"text": ""}'; sleep 0.05; done"#
    ) { $0.stall = .milliseconds(300) }
    #expect(stall.failure == .stallTimeout && stall.text == "a")
    let total = try await limited(#"while :; do echo '{"text": "a"}'; sleep 0.05; done"#) {
      $0.total = .milliseconds(500)
    }
    #expect(total.failure == .totalTimeout && total.text.hasPrefix("a"))
    #expect(try #require(total.timeline.done) - total.timeline.start! >= 500_000_000)
  }

  @Test func aTimeOutEndsTheWholeGroup() async throws {
    // The shell ignores TERM, and its child holds the pipes open.
    let reply = try await bench.ask(
      #"trap '' TERM; sleep 300 & echo "{\"text\": \"$$ $!\"}"; wait; sleep 300"#
    ) {
      _ in
    } call: {
      $0.timeouts.total = .milliseconds(500)
    }
    #expect(reply.failure == .totalTimeout)
    let ids = reply.text.split(separator: " ").compactMap { Int32($0) }
    try #require(ids.count == 2)
    for id in ids { try await expectGone(id) }
  }

  @Test func cancellingEndsTheWholeGroup() async throws {
    let counters = LiveCounters()
    let bench = bench
    let task = Task {
      try await bench.ask(#"sleep 300 & echo "{\"text\": \"$$ $!\"}"; wait"#) {
        _ in
      } call: {
        $0.counters = counters
      }
    }
    while counters.tokenEvents == 0 { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let reply = try await task.value
    #expect(reply.failure == .cancelled)
    for id in reply.text.split(separator: " ").compactMap({ Int32($0) }) { try await expectGone(id) }
  }

  @Test func whoLingersAfterTheEndIsNotWaitedFor() async throws {
    let start = Monotonic.now()
    let reply = try await bench.ask(
      #"echo '{"text": "a"}'; echo '{"finish": "stop"}'; echo '{"usage": {"input": 1, "output": 1}}'; sleep 300"#
    )
    #expect(reply.outcome == .ok)
    #expect(reply.usage == Usage(input: 1, output: 1))
    #expect(Monotonic.now() - start < 60_000_000_000)
    let left = try await bench.ask(#"sleep 300 & echo "{\"text\": \"$!\", \"finish\": \"stop\"}""#)
    #expect(left.outcome == .ok)
    try await expectGone(try #require(Int32(left.text)))
  }

  // MARK: Much

  @Test func manyEventsAndMuchText() async throws {
    let events = try await bench.ask(
      #"awk 'BEGIN { for (i = 0; i < 50000; i++) print "{\"text\": \"abcdefgh\"}"; print "{\"finish\": \"stop\"}" }'"#
    )
    #expect(events.outcome == .ok)
    #expect(events.text.utf8.count == 400_000)
    #expect(events.timeline.tokenReads.reduce(0) { $0 + $1.events } == 50_000)
    let text = try await bench.ask("yes abcdefg | head -c 4000000", text: true)
    #expect(text.outcome == .ok)
    #expect(text.text.utf8.count == 3_999_999)
    #expect(text.connection.bytesReceived == 4_000_000)
  }

  @Test func muchInputAndAProgramThatReadsNone() async throws {
    let prompt = [Message(.user, String(repeating: "x", count: 2 << 20))]
    let read = try await bench.ask("tr -cd x | wc -c | tr -d ' '", text: true, messages: prompt)
    #expect(read.text == "\(2 << 20)")
    // More than a pipe holds, to a program that closes it at once: a write to it raises SIGPIPE.
    let unread = try await bench.ask("exec <&-; echo hi", text: true, messages: prompt)
    #expect(unread.text == "hi")
    let errors = try await bench.ask("yes error | head -c 3000000 >&2; exit 1")
    #expect(errors.failure == .unknown)
    #expect((errors.outcome.error?.message.count ?? 0) < 500)
  }
}
