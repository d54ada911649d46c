import EvalCore
import Testing

@testable import EvalEngine

@Suite struct DispatchStateTests {
  func state(
    cases: Int, targets: Int, width: [Int], endpoint: [Int] = [1000], endpointOf: [Int]? = nil,
    total: Int = .max, block: Int = 2
  ) -> DispatchState {
    var trials: [PlannedTrial] = []
    for index in 0..<cases {
      for target in 0..<targets {
        trials.append(
          PlannedTrial(caseIndex: index, targetIndex: target, repeatIndex: 0, block: index / block))
      }
    }
    return DispatchState(
      trials: trials, profileOfTarget: Array(0..<targets), routeWidth: Array(repeating: 1, count: targets),
      widths: Widths(
        profile: width, endpointOfProfile: endpointOf ?? Array(repeating: 0, count: targets),
        endpoint: endpoint.map { EndpointPace(endpoint: "e", ceiling: $0) },
        total: total))
  }

  @Test func `A profile's width is held and freed`() {
    var state = state(cases: 10, targets: 1, width: [3], block: 100)
    var running: [PlannedTrial] = []
    while let trial = state.startNext(at: 0) { running.append(trial) }
    #expect(running.map(\.caseIndex) == [0, 1, 2])
    state.endCall(of: 0)
    let next = state.startNext(at: 0)
    let none = state.startNext(at: 0)
    #expect(next?.caseIndex == 3 && none == nil)
  }

  @Test func `Two profiles on one endpoint share its width`() {
    var state = state(cases: 10, targets: 2, width: [3, 3], endpoint: [4], block: 100)
    var count = 0
    while state.startNext(at: 0) != nil { count += 1 }
    #expect(count == 4)
  }

  @Test func `The total width bounds everything`() {
    var state = state(
      cases: 10, targets: 2, width: [8, 8], endpoint: [1000, 1000], endpointOf: [0, 1], total: 5, block: 100)
    var count = 0
    while state.startNext(at: 0) != nil { count += 1 }
    #expect(count == 5)
    let granted = state.startCall(of: 0, at: 0)
    #expect(!granted)
  }

  @Test func `A slow target is passed, but by one block at most`() {
    var state = state(
      cases: 8, targets: 2, width: [1, 1], endpoint: [1000, 1000], endpointOf: [0, 1], block: 2)
    // Target 0 starts its first case and never ends it.
    var started: [UInt32] = []
    while let trial = state.startNext(at: 0) {
      if trial.targetIndex == 1 {
        started.append(trial.caseIndex)
        state.endCall(of: 1)
        state.endTrial(trial)
      }
    }
    // Case 1 of target 0 waits in block 0, so target 1 may do blocks 0 and 1 and no more.
    #expect(started == [0, 1, 2, 3])
  }

  @Test func `Every trial is started once whatever the order of endings`() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<20 {
      var state = state(
        cases: 30, targets: 3, width: [1, 2, 3], endpoint: [3, 1000], endpointOf: [0, 1, 0], total: 5,
        block: 4)
      var running: [PlannedTrial] = []
      var seen: Set<PlannedTrial> = []
      while !state.isExhausted || !running.isEmpty {
        while let trial = state.startNext(at: 0) {
          let isNew = seen.insert(trial).inserted
          #expect(isNew)
          running.append(trial)
        }
        #expect(running.count <= 5)
        guard !running.isEmpty else { break }
        let ended = running.remove(at: random.below(running.count))
        state.endCall(of: Int(ended.targetIndex))
        state.endTrial(ended)
      }
      #expect(seen.count == 90)
    }
  }
}
