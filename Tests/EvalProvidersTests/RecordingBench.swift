import EvalCore
import EvalTestSupport
import Foundation
import Synchronization

@testable import EvalProviders

/// A folder with a recording, and the ways to make and replay it.
final class RecordingBench: Sendable {
  let folder: URL
  let path: String
  private let transport = HTTPTransport.forTests(64)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "test.recording.jsonl").path
  }

  deinit {
    transport.shutdown()
    try? FileManager.default.removeItem(at: folder)
  }

  static let header = RecordingHeader(
    toolVersion: "0.0.1", description: "two cores; tiny = tiny-1", now: 1_796_022_933)

  static func profile(_ endpoint: String = "http://127.0.0.1:9/v1") -> Profile {
    var profile = Profile(name: "tiny", provider: "openai-chat", model: "tiny-1")
    profile.endpoint = endpoint
    profile.server = "generic"
    profile.parameters.temperature = 0
    profile.parameters.maxOutputTokens = 48
    return profile
  }

  static func call(_ profile: Profile, _ text: String = "Hello", repeatIndex: Int = 0, attempt: Int = 0)
    -> ProviderCall
  {
    ProviderCall(
      profile: profile, instructions: "Be brief.", messages: [Message(.user, text)],
      timeouts: CallTimeouts(), repeatIndex: repeatIndex, attemptIndex: attempt,
      scheduled: Monotonic.now())
  }

  /// Records over the network.
  func recording(environment: [String: String] = [:]) throws -> ProviderFactory {
    try ProviderFactory(
      .recording(to: path, header: Self.header, isPrivate: false), transport: transport,
      environment: environment)
  }

  /// Records what `answers` gives.
  func recording(_ answers: CannedAnswers) throws -> any Provider {
    let recorder = try StreamRecorder(answers, to: path, header: Self.header) { [] }
    return try ProviderFactory(exchange: recorder, environment: [:]).make(Self.profile())
  }

  func replaying(
    _ pace: ReplayPace = .instant, includeFailures: Bool = false
  ) throws -> ProviderFactory {
    try ProviderFactory(
      .replaying(path, pace: pace, includeFailures: includeFailures), transport: transport,
      environment: [:])
  }

  func replayer(includeFailures: Bool = false) throws -> any Provider {
    try replaying(includeFailures: includeFailures).make(Self.profile())
  }

  var bytes: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: path))) } }
  var lines: [String] {
    get throws { try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
  }

  func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
}

/// Stands for the network: each request gets the next answer; the last one answers all that follow.
final class CannedAnswers: Exchange {
  struct Answer: Sendable {
    var status = 200
    var headers = [("Content-Type", "text/event-stream")]
    var reads: [String]
    /// Nanoseconds between reads.
    var gap: Int64 = 1_000_000
    var end: TransferEnd?
  }

  private let answers: Mutex<[Answer]>

  init(_ answers: [Answer]) { self.answers = Mutex(answers.reversed()) }

  func perform(_ request: ExchangeRequest, sink: any ResponseSink) async -> ExchangeResult {
    let answer = answers.withLock { $0.count > 1 ? $0.removeLast() : $0[0] }
    let start = Monotonic.now()
    var end = TransferEnd.complete
    sink.head(status: answer.status, headers: HTTPHeaders(answer.headers), at: start + 500_000)
    for (index, read) in answer.reads.enumerated() {
      let verdict = Array(read.utf8).withUnsafeBytes {
        sink.body($0, at: start + Int64(index + 1) * answer.gap, readSequence: index)
      }
      if verdict == .done {
        end = .stoppedBySink
        break
      }
    }
    return ExchangeResult(
      TransferResult(
        stamps: .init(
          start: start, connReady: start + 100_000, firstByte: start + 500_000,
          done: start + Int64(answer.reads.count) * answer.gap),
        end: answer.end ?? end, newConnection: false, httpVersion: "1.1", bytesSent: 10, bytesReceived: 20,
        requestBodyBytes: 5))
  }

  /// A whole stream of Chat Completions.
  static func stream(_ pieces: [String]) -> Answer {
    let chunks = pieces.map { piece in
      let delta = JSONValue.string(piece).serialized()
      return
        "data: {\"id\":\"c\",\"model\":\"tiny-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\(delta)}}]}\n\n"
    }
    return Answer(reads: chunks + [ending])
  }

  static let ending = """
    data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

    data: {"id":"c","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}

    data: [DONE]


    """

  static func failure(_ status: Int, _ message: String = "no") -> Answer {
    Answer(
      status: status, headers: [("Content-Type", "application/json")],
      reads: [#"{"error":{"message":"\#(message)"}}"#])
  }
}

extension ProviderReply {
  /// Every moment since the start; what a replay must reproduce to the nanosecond.
  var moments: [Int64?] {
    guard let start = timeline.start else { return [] }
    let stamps = [
      timeline.connectionReady, timeline.firstByte, timeline.firstEvent, timeline.firstReasoning,
      timeline.firstContent, timeline.firstTool, timeline.lastToken, timeline.terminal, timeline.done,
    ]
    return (stamps + timeline.tokenReads.map(\.at)).map { $0.map { $0 - start } }
  }
}
