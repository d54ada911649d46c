import EvalCore

/// One exchange as a recording keeps it: what was asked, every byte that came with its moment, and how it ended.
///
/// All moments are nanoseconds since the start of the exchange.
struct RecordedExchange: Sendable {
  /// Bytes that came with one read.
  struct Read: Sendable, Equatable {
    /// Exclusive end, in bytes of the stream.
    var end: Int
    var at: Int64
  }

  struct Stamps: Sendable, Equatable {
    var connectionReady: Int64?
    var firstByte: Int64?
    /// The end of the response's head.
    var head: Int64?
    var done: Int64
  }

  // What it is known by.
  var hash: ContentHash
  var endpoint: String
  var model: String
  var repeatIndex: Int
  var attemptIndex: Int

  var profile: String
  /// Seconds since 1970 at the start, for an error whose retry hint is a date.
  var startedAt: Double
  /// How the answer was read when it was recorded: `Outcome.label`.
  var outcome: String
  /// The request body without secrets; `nil` where there was none.
  var body: JSONValue?

  /// `nil` when no response came, and for a program.
  var status: Int?
  var headers: [(name: String, value: String)] = []
  /// The response body, content decoding undone, as far as it was read.
  var stream: [UInt8] = []
  var reads: [Read] = []
  var stamps: Stamps
  var end: TransferEnd
  var connection = ConnectionInfo()

  /// Whether it may answer a request: an answer that came in whole, be it a refusal.
  var isComplete: Bool { Self.isComplete(outcome: outcome) }

  static func isComplete(outcome: String) -> Bool {
    [Outcome.ok, .refused, .empty].contains { $0.label == outcome }
  }
}

/// The response headers that a reading can use. Others say who the account is, or set cookies, and stay out of a file
/// that people hand on.
enum RecordedHeaders {
  private static let names: Set<String> = [
    "content-type", "date", "location", "retry-after", "retry-after-ms", "x-should-retry", "x-request-id",
    "request-id", "openai-processing-ms",
  ]

  static func keeps(_ name: String) -> Bool { names.contains(name) || name.contains("ratelimit") }
}
