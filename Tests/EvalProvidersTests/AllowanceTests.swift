import EvalCore
import Testing

@testable import EvalProviders

struct AllowanceTests {
  private func read(_ fields: [(String, String)]) -> RateAllowance? {
    // Wed, 02 Dec 2026 12:00:00 GMT
    let date = ("Date", "Wed, 02 Dec 2026 12:00:00 GMT")
    return AllowanceReading(headers: HTTPHeaders([date] + fields), clientTime: 0).allowance
  }

  private func window(_ limit: Int?, _ remaining: Int, milliseconds: Int64?) -> RateAllowance.Window {
    RateAllowance.Window(
      limit: limit, remaining: remaining, resetNanoseconds: milliseconds.map { $0 * 1_000_000 })
  }

  @Test func openAIsGoDurations() {
    let allowance = read([
      ("x-ratelimit-limit-requests", "500"), ("x-ratelimit-remaining-requests", "499"),
      ("x-ratelimit-reset-requests", "120ms"), ("X-RateLimit-Limit-Tokens", "30000"),
      ("X-RateLimit-Remaining-Tokens", "29511"), ("X-RateLimit-Reset-Tokens", "1m30.5s"),
    ])
    #expect(
      allowance
        == RateAllowance(
          requests: window(500, 499, milliseconds: 120), tokens: window(30000, 29511, milliseconds: 90_500)))
  }

  @Test func anthropicsInstantsAndTheTightestBucket() {
    let allowance = read([
      ("anthropic-ratelimit-requests-limit", "50"), ("anthropic-ratelimit-requests-remaining", "49"),
      ("anthropic-ratelimit-requests-reset", "2026-12-02T12:00:01Z"),
      ("anthropic-ratelimit-input-tokens-limit", "40000"),
      ("anthropic-ratelimit-input-tokens-remaining", "39000"),
      ("anthropic-ratelimit-input-tokens-reset", "2026-12-02T12:00:02Z"),
      ("anthropic-ratelimit-output-tokens-limit", "8000"),
      ("anthropic-ratelimit-output-tokens-remaining", "0"),
      ("anthropic-ratelimit-output-tokens-reset", "2026-12-02T13:00:30+01:00"),
      ("anthropic-ratelimit-unified-5h-remaining", "0"),
    ])
    #expect(
      allowance
        == RateAllowance(
          requests: window(50, 49, milliseconds: 1000), tokens: window(8000, 0, milliseconds: 30_000)))
  }

  @Test(arguments: [
    ("2.5", Int64(2500)), ("6m0s", 360_000), ("1796212830", 30_000), ("1796212830000", 30_000),
    ("2026-12-02T11:59:59Z", 0), ("0", 0), ("-1", nil), ("soon", nil), ("", nil), ("1e9", nil),
    ("99999999999999999", 2_000_000_000),
  ])
  func resets(value: String, milliseconds: Int64?) {
    let allowance = read([("x-ratelimit-remaining", "7"), ("x-ratelimit-reset", value)])
    #expect(allowance?.requests == window(nil, 7, milliseconds: milliseconds))
    #expect(allowance?.tokens == nil)
  }

  @Test func bucketsOfAMinuteAndADay() {
    let allowance = read([
      ("x-ratelimit-limit-req-minute", "60"), ("x-ratelimit-remaining-req-minute", "59"),
      ("x-ratelimit-limit-requests-day", "1000"), ("x-ratelimit-remaining-requests-day", "3"),
      ("x-ratelimit-reset-requests-day", "33011.38"), ("x-ratelimit-remaining-tokens-minute", "0"),
      ("x-ratelimit-reset-tokens-minute", "11.4"), ("x-ratelimit-remaining-tokens-month", "0"),
    ])
    #expect(allowance?.requests == window(1000, 3, milliseconds: 33_011_380))
    #expect(allowance?.tokens == window(nil, 0, milliseconds: 11_400))
  }

  @Test func whatCannotBeReadIsAbsent() {
    #expect(read([]) == nil)
    // Azure's word for "unknown".
    #expect(read([("x-ratelimit-remaining-requests", "-1"), ("x-ratelimit-limit-requests", "-1")]) == nil)
    #expect(read([("x-ratelimit-limit-requests", "10"), ("x-ratelimit-reset-requests", "1s")]) == nil)
    #expect(read([("x-ratelimit-remaining-images", "4"), ("x-ratelimit-used", "4")]) == nil)
    #expect(read([("x-ratelimit-remaining-tokens", "9e99")]) == nil)
    #expect(
      read([("RateLimit-Limit", "100, 100;w=60"), ("RateLimit-Remaining", "0"), ("RateLimit-Reset", "5")])?
        .requests == window(100, 0, milliseconds: 5000))
    #expect(
      read([("x-ratelimit-limit-requests", "0"), ("x-ratelimit-remaining-requests", "3")])?.requests
        == window(nil, 3, milliseconds: nil))
  }

  @Test func successesAndFailuresCarryIt() async throws {
    let fields = [("x-ratelimit-remaining-requests", "3"), ("x-ratelimit-reset-requests", "2s")]
    let exchange = ScriptedExchange([
      .init(headers: [("Content-Type", "text/event-stream")] + fields, reads: chatStream(["Hi"])),
      .json(429, #"{"error":{"message":"slow down"}}"#, headers: fields),
      .init(reads: chatStream(["Hi"])),
    ])
    let provider = try ProviderFactory(exchange: exchange, environment: [:]).make(chatProfile())
    let expected = RateAllowance(requests: window(nil, 3, milliseconds: 2000), tokens: nil)
    let success = await provider.send(call(chatProfile()))
    #expect(success.outcome == .ok && success.allowance == expected)
    let failure = await provider.send(call(chatProfile()))
    #expect(failure.outcome.error?.kind == .rateLimited && failure.allowance == expected)
    #expect(await provider.send(call(chatProfile())).allowance == nil)
  }
}
