import EvalCore
import Foundation
import Testing

@testable import EvalProviders

struct RecordingFileTests {
  let bench = try! RecordingBench()
  let profile = RecordingBench.profile()

  private func record(_ texts: [String]) async throws {
    let provider = try bench.recording(CannedAnswers([CannedAnswers.stream(["Hi"])]))
    for text in texts { _ = await provider.send(RecordingBench.call(profile, text)) }
  }

  private func answers(_ text: String) async throws -> Bool {
    try await bench.replayer().send(RecordingBench.call(profile, text)).text == "Hi"
  }

  private func fault(_ path: String? = nil) -> Problem? {
    do {
      _ = try Recording(path: path ?? bench.path)
      return nil
    } catch { return error }
  }

  // MARK: Reading

  /// Wherever the kill came, the lines before it are served.
  @Test func aTornLastLineIsAFinding() async throws {
    try await record(["one", "two"])
    let bytes = try bench.bytes
    let start = bytes.dropLast().lastIndex(of: 0x0A)! + 1
    for cut in [start + 1, start + 100, bytes.count - 2] {
      try Data(bytes[..<cut]).write(to: URL(filePath: bench.path))
      let factory = try bench.replaying()
      #expect(factory.findings.map(\.code) == ["recording-torn"], "\(cut)")
      #expect(try await answers("one"))
      #expect(try await !answers("two"))
    }
    // Without its line break only, the line is whole.
    try Data(bytes.dropLast()).write(to: URL(filePath: bench.path))
    #expect(try bench.replaying().findings.isEmpty)
    #expect(try await answers("two"))
  }

  @Test func aCorruptLineIsNamed() async throws {
    try await record(["one", "two", "three"])
    let lines = try bench.lines
    let cases: [(String, String, Int?)] = [
      (String(lines[2].dropLast()), "unexpected end of text", lines[2].utf8.count),
      (lines[2].replacing("\"repeat\":0", with: "\"repeat\":-1"), "'repeat' is no number from 0", nil),
      (lines[2].replacing("\"end\":\"terminal\"", with: "\"end\":\"soon\""), "'end' is no end", nil),
      (lines[2].replacing("\"hash\":\"", with: "\"hash\":\"x"), "'hash' is not 64", nil),
      (lines[2].replacing("Hi", with: "Hello"), "the reads end at byte", nil),
      ("", "unexpected end of text", 1),
    ]
    for (line, words, column) in cases {
      var changed = lines
      changed[2] = line
      try bench.write(changed.joined(separator: "\n") + "\n")
      let problem = try #require(fault(), "\(words)")
      #expect(problem.location?.line == 3 && problem.location?.file == bench.path)
      #expect(problem.message.contains(words), "\(problem.message)")
      if let column {
        #expect(problem.location?.column == column)
      } else {
        // Somewhere inside the line, where the wrong value stands.
        #expect(problem.location!.column > 1)
      }
    }
  }

  @Test func whatIsNoRecordingIsRefused() async throws {
    #expect(fault(bench.folder.appending(path: "none").path)?.message.contains("cannot be read") == true)
    #expect(fault(bench.folder.path)?.message.contains("is no file") == true)
    try bench.write("")
    #expect(fault()?.message.contains("is empty") == true)
    try bench.write("{\"name\": \"a suite\"}\n")
    #expect(fault()?.message == "this is no recording of evalrun")
    try bench.write("{\"format\":\"evalrun-recording\",\"version\":2}\n")
    #expect(fault()?.message.contains("format version 2; this evalrun reads version 1") == true)
    try bench.write("not JSON\n")
    #expect(fault()?.location?.line == 1)
  }

  /// Two recordings put one after the other are one, and so is one that went on after an interruption.
  @Test func headersMayFollow() async throws {
    try await record(["one"])
    let first = try bench.lines
    try await record(["two"])
    #expect(try bench.lines.count == 4)
    #expect(try Array(bench.lines[..<2]) == first)
    let recording = try Recording(path: bench.path)
    #expect(recording.headers.count == 2 && recording.words == RecordingBench.header.words)
    #expect(try await answers("one"))
    #expect(try await answers("two"))
  }

  @Test func memberThatAreNotKnownArePassedOver() async throws {
    try await record(["one"])
    try bench.write(bench.lines.map { "{\"later\":{\"a\":[1]}," + $0.dropFirst() }.joined(separator: "\n"))
    #expect(try await answers("one"))
  }

  @Test func aFileThatChangesUnderAReplayIsAMiss() async throws {
    try await record(["one", "two"])
    let replay = try bench.replayer()
    let lines = try bench.lines
    try bench.write(lines[0] + "\n")
    let reply = await replay.send(RecordingBench.call(profile, "two"))
    #expect(reply.outcome.error?.kind == .notRecorded)
    #expect(reply.outcome.error?.message.contains("test.recording.jsonl:3 cannot be read any more") == true)
  }

  @Test func linesLongerThanAPieceAreRead() async throws {
    let long = String(repeating: "long answer ", count: 60_000)
    let provider = try bench.recording(CannedAnswers([CannedAnswers.stream([long])]))
    for text in ["one", "two", "three"] { _ = await provider.send(RecordingBench.call(profile, text)) }
    let replay = try bench.replayer()
    for text in ["three", "one", "two"] {
      #expect(await replay.send(RecordingBench.call(profile, text)).text == long)
    }
  }

  // MARK: Writing

  @Test func aRecordingGoesOnAfterAKill() async throws {
    try await record(["one", "two"])
    try Data(bench.bytes.dropLast(30)).write(to: URL(filePath: bench.path))
    let recorder = try StreamRecorder(
      CannedAnswers([CannedAnswers.stream(["Hi"])]), to: bench.path, header: RecordingBench.header
    ) { [] }
    #expect(recorder.findings.map(\.code) == ["recording-repaired"])
    let provider = try ProviderFactory(exchange: recorder, environment: [:]).make(profile)
    _ = await provider.send(RecordingBench.call(profile, "three"))
    #expect(try bench.replaying().findings.isEmpty)
    #expect(try await answers("one"))
    #expect(try await !answers("two"))
    #expect(try await answers("three"))
  }

  @Test func anotherFileIsNeverOverwritten() throws {
    let precious = "{\"name\": \"my suite\"}\n"
    try bench.write(precious)
    #expect(throws: Problem.self) { try bench.recording() }
    #expect(try bench.bytes == Array(precious.utf8))
    #expect(throws: Problem.self) { try RecordingFile(path: bench.folder.path) }
    #expect(throws: Problem.self) { try RecordingFile(path: "/dev/zero") }
  }

  @Test func twoRecordersDoNotShareAFile() throws {
    let first = try bench.recording()
    #expect { try bench.recording() } throws: { error in
      (error as? Problem)?.message.contains("another process records to") == true
    }
    withExtendedLifetime(first) {}
  }

  /// A full disk, which a file size limit stands for: what is there stays whole, and the person is told.
  @Test func aFullDiskLeavesWholeLines() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4000, rlim_max: 4000)
      #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #else
        setrlimit(RLIMIT_FSIZE, &limit)
      #endif
      let bench = try RecordingBench()
      let profile = RecordingBench.profile()
      let recorder = try StreamRecorder(
        CannedAnswers([CannedAnswers.stream(["Hi"])]), to: bench.path, header: RecordingBench.header
      ) { [] }
      let provider = try ProviderFactory(exchange: recorder, environment: [:]).make(profile)
      for index in 0..<6 { _ = await provider.send(RecordingBench.call(profile, "\(index)")) }
      let recording = try Recording(path: bench.path)
      let isRight =
        recorder.findings.map(\.code) == ["recording-stopped"] && recording.findings.isEmpty
        && (1...5).contains(recording.entries.count)
      exit(isRight ? 0 : 1)
    }
  }

  @Test func everyKindOfExchangeComesBack() throws {
    let ends: [TransferEnd] = [
      .complete, .stoppedBySink, .cancelled, .timeout(.stall), .failed(code: 18, message: "a \"cut\""),
      .exited(code: -9, message: "killed"),
    ]
    let streams: [[UInt8]] = [
      [], Array("plain \u{0} \u{2028} \"text\"\r\n".utf8), [0xFF, 0x00, 0xC3], [0xFE, 1], [0x80], [],
    ]
    for (end, stream) in zip(ends, streams) {
      var exchange = RecordedExchange(
        hash: ContentHash(of: "x", kind: "test"), endpoint: "http://h/v1", model: "m", repeatIndex: 2,
        attemptIndex: 1, profile: "p", startedAt: 1_796_022_933.25, outcome: "ok",
        body: ["big": .integer(9_007_199_254_740_993)], stamps: .init(firstByte: 5, head: 6, done: 9),
        end: end)
      exchange.status = stream.isEmpty ? nil : 206
      exchange.headers = stream.isEmpty ? [] : [("retry-after", "3"), ("retry-after", "4")]
      exchange.stream = stream
      exchange.reads = stream.isEmpty ? [] : [.init(end: stream.count, at: 7)]
      exchange.connection = ConnectionInfo(isCold: true, httpVersion: "2", bytesSent: 1, bytesReceived: 2)
      let line = exchange.line
      #expect(line.last == 0x0A && line.dropLast().contains(0x0A) == false)
      let back = try JSONDocument.reading(line) { root throws(RecordingFault) in
        try RecordedExchange(reading: root)
      }
      #expect(back.line == line)
      #expect(back.stream == stream && back.end == end && back.reads == exchange.reads)
      #expect(back.stamps == exchange.stamps && back.status == exchange.status)
      #expect(back.body == exchange.body && back.connection == exchange.connection)
      #expect(back.headers.map(\.value) == exchange.headers.map(\.value))
    }
  }

  @Test func badBase64IsRefused() {
    #expect(Base64.decode("AAEC/w==") == [0, 1, 2, 0xFF])
    #expect(Base64.decode("") == [])
    for text in ["A", "AAE", "A===", "AA=A", "AA C", "=AAA", "AAEC\n"] {
      #expect(Base64.decode(text) == nil, "\(text)")
    }
  }
}
