import EvalCore
import Testing

@testable import EvalEngine

@Suite struct EndpointPaceTests {
  let second: Int64 = 1_000_000_000

  func report(
    _ started: Int64, _ ended: Int64, _ error: ErrorClass? = nil, tokens: Int = 0,
    allowance: RateAllowance? = nil
  ) -> EndpointPace.Report {
    EndpointPace.Report(started: started, ended: ended, error: error, tokens: tokens, allowance: allowance)
  }

  @Test func `A burst of 429 narrows once, a later one again, never below one`() {
    var pace = EndpointPace(endpoint: "e", ceiling: 10)
    let first = pace.end(report(0, 10, .rateLimited))
    #expect(first?.width == 7 && first?.reason == .rateLimited)
    let same = pace.end(report(5, 12, .rateLimited))
    #expect(same == nil && pace.width == 7, "it was under way when the width fell: it says the same thing")
    var now: Int64 = 20
    for _ in 0..<20 {
      _ = pace.end(report(now, now + 1, .rateLimited))
      now += 10
    }
    #expect(pace.width == 1)
  }

  @Test func `Width comes back by one for each full width of answers, up to what was asked`() {
    var pace = EndpointPace(endpoint: "e", ceiling: 4)
    _ = pace.end(report(0, 1, .rateLimited))
    #expect(pace.width == 2)
    var widths: [Int] = []
    for index in 0..<20 {
      _ = pace.end(report(Int64(10 + index), Int64(11 + index)))
      widths.append(pace.width)
    }
    #expect(widths.prefix(5) == [2, 3, 3, 3, 4] && widths.last == 4)
  }

  @Test func `A 5xx rests the endpoint, longer each time, and leaves the width`() {
    var pace = EndpointPace(endpoint: "e", ceiling: 4)
    var now: Int64 = 0
    var rests: [Int64] = []
    for _ in 0..<10 {
      rests.append(pace.end(report(now, now + 1, .overloaded))?.pause ?? -1)
      now = pace.ready(at: now + 1) + 1
    }
    #expect(rests.prefix(3) == [250_000_000, 500_000_000, second])
    #expect(rests.last == EndpointPace.longestPause && pace.width == 4)
    _ = pace.end(report(now, now + 1))
    let again = pace.end(report(now + 2, now + 3, .serverError))
    #expect(again?.pause == 250_000_000, "an answer ends the trouble")
  }

  @Test func `Other errors and a fixed width change nothing`() {
    var pace = EndpointPace(endpoint: "e", ceiling: 4)
    for error in [ErrorClass.invalidRequest, .network, .truncated, .stallTimeout] {
      let change = pace.end(report(0, 1, error))
      #expect(change == nil)
    }
    var fixed = EndpointPace(endpoint: "e", ceiling: 4, isAdaptive: false)
    let change = fixed.end(report(0, 1, .rateLimited))
    #expect(change == nil && fixed.width == 4)
  }

  @Test func `Requests a minute are kept in every minute`() {
    var pace = EndpointPace(endpoint: "e", ceiling: 100, limit: RateLimit(requestsPerMinute: 120))
    var now: Int64 = 0
    var starts: [Int64] = []
    while starts.count < 400 {
      now = pace.ready(at: now)
      pace.start(at: now)
      starts.append(now)
    }
    for (index, start) in starts.enumerated() where index + 122 < starts.count {
      #expect(starts[index + 122] - start >= 59 * second, "122 calls within a minute from call \(index)")
    }
    #expect(starts[399] < 200 * second, "and the allowance is used")
  }

  @Test func `Tokens a minute are paid after the call and waited for`() {
    var pace = EndpointPace(endpoint: "e", ceiling: 100, limit: RateLimit(tokensPerMinute: 6000))
    pace.start(at: 0)
    _ = pace.end(report(0, 1, tokens: 1100))
    // A hundred a second: the bucket held 100, so a thousand are owed, and one more is needed to start.
    #expect(abs(pace.ready(at: 1) - 10_010_000_000) < 20_000_000)
  }

  @Test func `What the server says is left is spread, and nothing left is waited for`() {
    var pace = EndpointPace(endpoint: "e", ceiling: 100)
    func allowance(_ remaining: Int) -> RateAllowance {
      RateAllowance(
        requests: .init(limit: 100, remaining: remaining, resetNanoseconds: 10 * second), tokens: nil)
    }
    pace.start(at: 0)
    _ = pace.end(report(0, 1, allowance: allowance(50)))
    #expect(pace.ready(at: 1) == 1, "half is left: no hurry to slow down")
    _ = pace.end(report(0, 1, allowance: allowance(5)))
    #expect(pace.ready(at: 1) == 2 * second)
    _ = pace.end(report(0, 1, allowance: allowance(0)))
    #expect(pace.ready(at: 1) == 10 * second + 1)
  }
}
