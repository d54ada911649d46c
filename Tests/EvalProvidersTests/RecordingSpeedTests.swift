import EvalCore
import Testing

@testable import EvalProviders

struct RecordingSpeedTests {
  /// A thousand answers of sixteen tokens, which took 17 s when they were recorded. Each is read, parsed, hashed, found
  /// and composed; a debug build on a quiet machine takes half a second. The limit leaves room for the other tests.
  @Test func anInstantReplayDoesNotWait() async throws {
    let bench = try RecordingBench()
    let profile = RecordingBench.profile()
    let answer = CannedAnswers.stream((0..<16).map { " token\($0)" })
    let recorder = try bench.recording(CannedAnswers([answer]))
    for index in 0..<1000 { _ = await recorder.send(RecordingBench.call(profile, "case \(index)")) }
    var best = Int64.max
    for _ in 0..<3 where best > 1_000_000_000 {
      let began = Monotonic.now()
      let replay = try bench.replayer()
      var tokens = 0
      for index in 0..<1000 {
        let reply = await replay.send(RecordingBench.call(profile, "case \(index)"))
        tokens += reply.timeline.tokenReads.count
      }
      #expect(tokens == 16_000)
      best = min(best, Monotonic.now() - began)
    }
    #expect(best < 8_000_000_000)
  }
}
