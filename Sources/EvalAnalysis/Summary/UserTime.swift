import EvalCore

/// What a user waited for one call: its attempts' own disjoint intervals added up, so that the sum cannot go negative
/// whatever ran beside them.
struct UserTime {
  /// Milliseconds to the first token; `nil` when the answer did not stream.
  var firstToken: Double?
  /// Milliseconds to the end; `nil` when nothing says when.
  var total: Double?

  /// - Parameter attempts: of one turn and step; the last is the served one.
  /// - Returns: `nil` when an attempt before has no end.
  init?(_ attempts: ArraySlice<AttemptRecord>) {
    guard let served = attempts.last else { return nil }
    var before = served.wait + (served.timeline.queue ?? 0)
    for attempt in attempts.dropLast() {
      guard let duration = attempt.timeline.duration else { return nil }
      before += attempt.wait + (attempt.timeline.queue ?? 0) + duration
    }
    firstToken = served.timeline.timeToFirstToken.map { milliseconds(before + $0) }
    total = served.timeline.total.map { milliseconds(before + $0) }
  }

  /// Visits the measured attempts of a trial call by call: those of one turn and step together.
  static func forEachCall(_ attempts: [AttemptRecord], _ body: (ArraySlice<AttemptRecord>) -> Void) {
    var start = 0
    for index in attempts.indices where attempts[index].phase == .measured {
      let attempt = attempts[index]
      if attempts[start].turn != attempt.turn || attempts[start].step != attempt.step
        || attempts[start].phase != .measured
      {
        start = index
      }
      let next = index + 1
      let isServed =
        next == attempts.count || attempts[next].turn != attempt.turn || attempts[next].step != attempt.step
      if isServed { body(attempts[start...index]) }
    }
  }
}
