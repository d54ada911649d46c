import EvalCore

/// The answer came within a length of time. A recording has no time of its own, so it is never judged.
struct LimitGrader: Grader {
  enum Event: String, Sendable {
    case answer
    case firstToken = "first token"
  }

  static let latency = descriptor(
    "latency", "The whole answer came within this time; only of live answers.", .answer)
  static let firstToken = descriptor(
    "firstToken", "The first token came within this time; only of live, streamed answers.", .firstToken)

  private static func descriptor(
    _ name: String, _ summary: String, _ event: Event
  ) -> GraderDescriptor {
    GraderDescriptor(
      name: name, summary: summary, argument: AtMost.shape(TimeSpan.shape),
      example: .object(JSONObject([(key: name, value: .object(["atMost": "2s"]))]))
    ) { spec, _ throws(GraderProblem) in
      let (value, path) = try AtMost.value(CheckReader(spec))
      return LimitGrader(event: event, limit: try TimeSpan.nanoseconds(value, at: path))
    }
  }

  fileprivate let event: Event
  /// Nanoseconds.
  fileprivate let limit: Int64

  func grade(_ subject: Subject) async -> Verdict {
    guard subject.provenance == .live else {
      return Verdict(.unscored(.notMeasured, "the answer is a recording, its time was not measured now"))
    }
    let time = event == .answer ? subject.totalLatency : subject.firstTokenLatency
    guard let time else {
      return Verdict(.unscored(.notMeasured, "the time to the \(event.rawValue) was not measured"))
    }
    return Verdict(
      .verdict(time <= limit),
      "expected the \(event.rawValue) within \(TimeSpan.words(limit)), it took \(TimeSpan.words(time))")
  }
}
