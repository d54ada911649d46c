import EvalCore
import Synchronization

/// Counts the requests of a run that did not fit in their windows.
final class WindowLog: Sendable {
  private struct Count {
    var trimmed = 0
    var exceeding = 0
  }

  private let counts = Mutex<[Int: Count]>([:])

  func add(_ fitted: HistoryFit.Fitted, profile: Int) {
    guard fitted.droppedTurns > 0 || fitted.exceeds else { return }
    counts.withLock { counts in
      if fitted.droppedTurns > 0 { counts[profile, default: Count()].trimmed += 1 }
      if fitted.exceeds { counts[profile, default: Count()].exceeding += 1 }
    }
  }

  /// What is to be said when the run ends.
  func findings(_ profiles: [Profile]) -> [Finding] {
    let counts = counts.withLock { $0 }
    return counts.keys.sorted().flatMap { index -> [Finding] in
      let name = profiles[index].name
      let count = counts[index] ?? Count()
      var findings: [Finding] = []
      if count.trimmed > 0 {
        findings.append(
          Finding(
            code: "history-trimmed",
            message:
              "\(count.trimmed) \(count.trimmed == 1 ? "request" : "requests") of '\(name)' went without the oldest turns, which did not fit in its window",
            target: name))
      }
      if count.exceeding > 0 {
        let advice =
          profiles[index].trimHistory == .none
          ? "shorten the input, lower 'maxOutputTokens', or set \"trimHistory\": \"oldestTurns\""
          : "shorten the input or lower 'maxOutputTokens'"
        findings.append(
          Finding(
            code: "window-exceeded",
            message:
              "\(count.exceeding) \(count.exceeding == 1 ? "request" : "requests") of '\(name)' went out though input and answer cannot both fit in its window",
            advice: advice, target: name))
      }
      return findings
    }
  }
}
