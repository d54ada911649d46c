import EvalCore

/// Calls before the measurement: other prompts than the measured ones, kept apart, so that connections are made and
/// models loaded.
struct WarmUp: Sendable {
  let floor: Floor
  let dispatcher: Dispatcher

  func run() async {
    let calls = floor.settings.warmup
    guard calls > 0 else { return }
    await withDiscardingTaskGroup { group in
      for profile in floor.profiles.indices where floor.isPlanned(profile) {
        // As many at once as the measurement will make: one warm connection does not warm eight.
        let width = min(calls, floor.widths.profile[profile])
        for lane in 0..<width {
          group.addTask {
            for index in stride(from: lane, to: calls, by: width) where floor.parts.control.isRunning {
              await call(profile, index: index)
            }
          }
        }
      }
    }
  }

  private func call(_ profile: Int, index: Int) async {
    let text = "Warm-up \(index + 1): reply with the word ready."
    let key = TrialKey(
      caseHash: ContentHash(of: .string(text), kind: "warmup"), targetHash: floor.profileHashes[profile],
      repeatIndex: index)
    let snapshot = RequestSnapshot(instructions: nil, messages: [Message(.user, text)])
    var once = floor.settings.retries
    once.limit = 0
    let result = await CallRunner(floor: floor, dispatcher: dispatcher, profile: profile).run(
      snapshot, at: .init(key: key, turn: 0, step: 0, phase: .warmup, decision: nil), cause: .first,
      hasSlot: false, numbered: 0, retries: once)
    if result.holdsSlot { dispatcher.endCall(of: profile) }
  }
}
