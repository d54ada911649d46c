import EvalCore
import EvalEngine
import Synchronization

/// The line that says where a run stands.
struct ProgressText: Sendable {
  /// Tokens a second over the last moments; `nil` before there are any.
  var tokensPerSecond: Double?
  /// Seconds since the run began in this process.
  var elapsed: Double
  var isUTF8: Bool

  /// Done of planned, failures, cost, tokens per second, time left.
  func line(_ snapshot: RunProgress.Snapshot, width: Int) -> String {
    let done = snapshot.alreadyDone + snapshot.done
    var parts = ["\(done)/\(snapshot.planned)"]
    if snapshot.failed > 0 { parts.append("\(snapshot.failed) failed") }
    if snapshot.retries > 0 { parts.append("\(snapshot.retries) retries") }
    if snapshot.dollars > 0 || snapshot.unpriced > 0 {
      parts.append("$\(short(snapshot.dollars, places: 4))" + (snapshot.unpriced > 0 ? "+?" : ""))
    }
    if let tokensPerSecond, tokensPerSecond >= 0.5 { parts.append("\(Int(tokensPerSecond.rounded())) tok/s") }
    if let left = secondsLeft(snapshot) { parts.append("\(clock(left)) left") }
    let separator = isUTF8 ? " · " : " | "
    let text = parts.joined(separator: separator)
    let room = width - text.count - 4
    guard room >= 10 else { return String(text.prefix(max(1, width - 1))) }
    return "\(bar(done, of: snapshot.planned, width: min(room, 24))) \(text)"
  }

  private func secondsLeft(_ snapshot: RunProgress.Snapshot) -> Double? {
    guard snapshot.done > 0, snapshot.remaining > 0 else { return nil }
    return elapsed / Double(snapshot.done) * Double(snapshot.remaining)
  }

  private func bar(_ done: Int, of planned: Int, width: Int) -> String {
    let full = planned > 0 ? min(width, done * width / planned) : 0
    let (on, off) = isUTF8 ? ("█", "░") : ("#", ".")
    return String(repeating: on, count: full) + String(repeating: off, count: width - full)
  }
}

/// A number with fixed places.
func short(_ value: Double, places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = Int64((value * scale).rounded())
  let whole = scaled / Int64(scale)
  let fraction = String(scaled % Int64(scale))
  return "\(whole)." + String(repeating: "0", count: places - fraction.count) + fraction
}

/// `45s`, `3m 20s`, `2h 05m`.
func clock(_ seconds: Double) -> String {
  let total = Int(seconds.rounded(.up))
  if total < 60 { return "\(total)s" }
  if total < 3600 { return "\(total / 60)m \(padLeft(String(total % 60), to: 2).replacing(" ", with: "0"))s" }
  return "\(total / 3600)h \(padLeft(String(total % 3600 / 60), to: 2).replacing(" ", with: "0"))m"
}

/// Prints the progress of a run until it is stopped: a live line on a terminal, a plain line now and then elsewhere.
final class ProgressReporter: Sendable {
  private let console: Console
  private let progress: RunProgress
  private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

  init(console: Console, progress: RunProgress) {
    self.console = console
    self.progress = progress
  }

  func start() {
    let (console, progress) = (console, progress)
    let task = Task {
      var meter = Meter(began: .now)
      while !Task.isCancelled {
        let snapshot = progress.snapshot
        let text = meter.text(tokens: progress.counters.tokenEvents, isUTF8: console.errors.isUTF8)
        if console.errors.isLive {
          console.live(text.line(snapshot, width: console.errors.width))
        } else if meter.isLineDue(done: snapshot.done, planned: snapshot.planned) {
          console.note(text.line(snapshot, width: 80))
        }
        try? await Task.sleep(for: .milliseconds(100))
      }
      console.live("")
    }
    self.task.withLock { $0 = task }
  }

  /// Returns once the live line is gone.
  func stop() async {
    let task = task.withLock { $0.take() }
    task?.cancel()
    await task?.value
  }

  private struct Meter {
    let began: ContinuousClock.Instant
    private var last: (at: ContinuousClock.Instant, tokens: Int)?
    private var rate: Double?
    private var nextLine: Double = 10

    init(began: ContinuousClock.Instant) { self.began = began }

    private var elapsed: Double { (ContinuousClock.now - began) / .seconds(1) }

    mutating func text(tokens: Int, isUTF8: Bool) -> ProgressText {
      let now = ContinuousClock.now
      if let last, now - last.at >= .seconds(1) {
        let measured = Double(tokens - last.tokens) / ((now - last.at) / .seconds(1))
        rate = rate.map { 0.5 * $0 + 0.5 * measured } ?? measured
        self.last = (now, tokens)
      } else if last == nil {
        last = (now, tokens)
      }
      return ProgressText(tokensPerSecond: rate, elapsed: elapsed, isUTF8: isUTF8)
    }

    /// Ten seconds after the last line, then at growing distance, so that a long run in CI does not flood its log.
    mutating func isLineDue(done: Int, planned: Int) -> Bool {
      guard elapsed >= nextLine, done < planned else { return false }
      nextLine = elapsed + min(60, max(10, elapsed / 4))
      return true
    }
  }
}
