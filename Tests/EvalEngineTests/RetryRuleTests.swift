import EvalCore
import Testing

@testable import EvalEngine

@Suite struct RetryRuleTests {
  var random = SeededRandom(seed: 1)
  var rule = RetryRule(settings: RetrySettings())

  @Test(arguments: [
    ErrorClass.authentication, .permission, .notFound, .invalidRequest, .contextSizeExceeded,
    .requestTooLarge,
    .quotaExceeded, .contentFiltered, .refusal, .malformedResponse, .redirect, .cancelled,
    .unsupportedCapability,
    .unavailable, .notRecorded, .unknown,
  ])
  mutating func `What a retry cannot mend is not retried`(kind: ErrorClass) {
    let decision1 = rule.decide(ProviderError(kind, ""), retries: 0, random: &random)
    #expect(decision1 == .giveUp)
  }

  @Test mutating func `A server's hint is waited for to the millisecond`() {
    let error = ProviderError(.rateLimited, "", retryAfterMilliseconds: 1234.5)
    let decision2 = rule.decide(error, retries: 0, random: &random)
    #expect(decision2 == .retry(after: 1_234_500_000))
  }

  @Test mutating func `A hint beyond the limit gives up instead of sleeping for hours`() {
    let error = ProviderError(.rateLimited, "", retryAfterMilliseconds: 120_001)
    let decision3 = rule.decide(error, retries: 0, random: &random)
    #expect(decision3 == .giveUp)
  }

  @Test mutating func `Retries end at the limit`() {
    let error = ProviderError(.overloaded, "", retryAfterMilliseconds: 1)
    let decision4 = rule.decide(error, retries: 1, random: &random)
    #expect(decision4 != .giveUp)
    let decision5 = rule.decide(error, retries: 2, random: &random)
    #expect(decision5 == .giveUp)
  }

  @Test mutating func `Back-off doubles under full jitter and stays under its ceiling`() {
    rule = RetryRule(settings: RetrySettings())
    var limit = RetrySettings()
    limit.limit = 40
    rule = RetryRule(settings: limit)
    for retries in 0..<40 {
      let ceiling = min(60_000_000_000, 500_000_000 * Double(1 << min(retries, 30)))
      for _ in 0..<50 {
        guard
          case .retry(let wait) = rule.decide(
            ProviderError(.serverError, ""), retries: retries, random: &random)
        else {
          Issue.record("no retry")
          return
        }
        #expect((0...Int64(ceiling)).contains(wait))
      }
    }
  }

  @Test mutating func `A rate limit without a hint waits longer than any other error may`() {
    for _ in 0..<200 {
      guard case .retry(let wait) = rule.decide(ProviderError(.rateLimited, ""), retries: 0, random: &random)
      else {
        Issue.record("no retry")
        return
      }
      #expect((750_000_000...1_250_000_000).contains(wait))
    }
  }

  @Test mutating func `A server that says not to retry is believed`() {
    let error = ProviderError(.overloaded, "", retryable: false)
    let decision6 = rule.decide(error, retries: 0, random: &random)
    #expect(decision6 == .giveUp)
  }
}
