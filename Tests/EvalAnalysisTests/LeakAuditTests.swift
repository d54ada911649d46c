import EvalCore
import Testing

@testable import EvalAnalysis

@Suite struct LeakAuditTests {
  private static func call(
    _ boundary: Boundary?, bytes: Int? = 10, stopped: Bool = false, turn: Int = 0
  ) -> LeakAudit.Call {
    LeakAudit.Call(turn: turn, boundary: boundary, bytesSent: bytes, wasStopped: stopped)
  }

  /// Every sensitivity, boundary and consent against the standard rules, spelled out.
  @Test(arguments: Sensitivity.allCases, Boundary.allCases) func standardRules(
    _ sensitivity: Sensitivity, _ boundary: Boundary
  ) {
    let farthest: [Sensitivity: Int] = [.public: 2, .internal: 1, .private: 1, .secret: 0, .unknown: 0]
    let distance = [Boundary.device, .privateCloud, .thirdParty].firstIndex(of: boundary)!
    for consent in [JSONValue.bool(true), .bool(false), ["thirdParty"], ["privateCloud"], .null, "yes"] {
      let gives = consent == .bool(true) || consent == ["thirdParty"]
      var expected: [Leak.Rule] = []
      if distance > farthest[sensitivity]! { expected.append(.boundary) }
      if distance == 2, !gives { expected.append(.consent) }
      let leaks = LeakAudit(privacy: .standard).leaks(
        of: [LeakAuditTests.call(boundary)],
        signals: ["sensitivity": .string(sensitivity.rawValue), "consent": consent])
      #expect(leaks.map(\.rules) == (expected.isEmpty ? [] : [expected]), "consent \(consent)")
    }
  }

  @Test func whatIsNotSaidIsNotAllowed() {
    let audit = LeakAudit(privacy: .standard)
    #expect(audit.leaks(of: [LeakAuditTests.call(.privateCloud)], signals: [:]).map(\.rules) == [[.boundary]])
    #expect(
      audit.leaks(of: [LeakAuditTests.call(nil)], signals: ["sensitivity": "public"]).map(\.rules) == [
        [.consent]
      ])
    #expect(audit.leaks(of: [LeakAuditTests.call(.device)], signals: [:]).isEmpty)
    let silent = LeakAudit(privacy: PrivacyRules(maxBoundary: [:], consentRequired: []))
    #expect(
      silent.leaks(of: [LeakAuditTests.call(.privateCloud)], signals: ["sensitivity": "public"]).count == 1)
  }

  @Test func whatWasNotSentIsNoLeak() {
    let audit = LeakAudit(privacy: .standard)
    let calls = [LeakAuditTests.call(.thirdParty, bytes: 0), LeakAuditTests.call(.thirdParty, bytes: nil)]
    #expect(audit.leaks(of: calls, signals: [:]).map(\.attempt) == [1], "unknown counts as sent")
  }

  @Test func nothingGoesFartherAfterAStop() {
    let audit = LeakAudit(privacy: .standard)
    let open: JSONObject = ["sensitivity": "public", "consent": true]
    let stop = LeakAuditTests.call(.privateCloud, stopped: true)
    #expect(
      audit.leaks(of: [stop, LeakAuditTests.call(.thirdParty)], signals: open).map(\.rules) == [[.afterStop]])
    #expect(audit.leaks(of: [stop, LeakAuditTests.call(.privateCloud)], signals: open).isEmpty)
    #expect(audit.leaks(of: [stop, LeakAuditTests.call(.device)], signals: open).isEmpty)
    #expect(
      audit.leaks(of: [stop, LeakAuditTests.call(.thirdParty, turn: 1)], signals: open).isEmpty,
      "another turn is another request")
    #expect(
      audit.leaks(
        of: [LeakAuditTests.call(.thirdParty), LeakAuditTests.call(.device, stopped: true)], signals: open
      )
      .isEmpty, "before the stop")
  }

  /// A policy that promised more than the suite asks is held to it.
  @Test func thePolicysOwnLimitsHoldToo() {
    var strict = PrivacyRules.standard
    strict.maxBoundary[.public] = .device
    let audit = LeakAudit(privacy: .standard, constraints: strict)
    let open: JSONObject = ["sensitivity": "public", "consent": true]
    #expect(audit.leaks(of: [LeakAuditTests.call(.thirdParty)], signals: open).map(\.rules) == [[.boundary]])
    var wide = PrivacyRules.standard
    wide.maxBoundary[.secret] = .thirdParty
    wide.consentRequired = []
    #expect(
      LeakAudit(privacy: .standard, constraints: wide)
        .leaks(of: [LeakAuditTests.call(.thirdParty)], signals: ["sensitivity": "secret"])
        .map(\.rules) == [[.boundary, .consent]], "a wider policy does not widen the suite")
  }

  /// The naive policy of every hybrid app: whatever fails goes to the cloud.
  @Test func aReplayFindsTheLeaksOfANaivePolicy() {
    var table = TestTable(2, signals: { ["sensitivity": $0 == 0 ? "private" : "public", "consent": true] })
    for index in 0..<2 {
      table.fail(index, 0, .contentFiltered)
      table.answer(index, 1)
    }
    let naive = TestPolicy.always("near", "far", onError: [.contentFiltered: .next])
    let traces = Replayer(table.table).traces(of: naive)
    #expect(traces[0].leaks.map(\.rules) == [[.boundary, .afterStop]])
    #expect(traces[1].leaks.map(\.rules) == [[.afterStop]])
    #expect(traces[1].leaks.map(\.attempt) == [1])
  }
}
