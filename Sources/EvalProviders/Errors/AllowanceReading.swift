import EvalCore

/// Reads what a server says of its own limits in the head of a response, a success's as well as a failure's:
/// `x-ratelimit-*` (OpenAI and most others), `anthropic-ratelimit-*` and `ratelimit-*`.
struct AllowanceReading {
  var headers: HTTPHeaders
  /// Unix seconds, used where the response has no `Date`.
  var clientTime: Double

  /// `nil` when no bucket says how much is left.
  var allowance: RateAllowance? {
    let clock = ServerClock(headers, clientTime: clientTime)
    var buckets: [String: Bucket] = [:]
    for (name, value) in headers.fields(containing: "ratelimit-") {
      guard let field = Field(name) else { continue }
      switch field.part {
      case .limit: buckets[field.bucket, default: Bucket(field.unit)].limit = Self.count(value)
      case .remaining: buckets[field.bucket, default: Bucket(field.unit)].remaining = Self.count(value)
      case .reset:
        buckets[field.bucket, default: Bucket(field.unit)].reset = clock.milliseconds(until: value)
      }
    }
    let requests = Self.tightest(buckets, .requests)
    let tokens = Self.tightest(buckets, .tokens)
    return requests == nil && tokens == nil ? nil : RateAllowance(requests: requests, tokens: tokens)
  }

  private enum Unit { case requests, tokens }

  private struct Bucket {
    var unit: Unit
    var limit: Int?
    var remaining: Int?
    var reset: Double?

    init(_ unit: Unit) { self.unit = unit }

    var window: RateAllowance.Window? {
      guard let remaining else { return nil }
      // Weeks are as good as for ever, and fit in an integer.
      let nanoseconds = reset.map { Int64((min($0, 2_000_000_000) * 1_000_000).rounded()) }
      return RateAllowance.Window(
        limit: limit.flatMap { $0 > 0 ? $0 : nil }, remaining: remaining, resetNanoseconds: nanoseconds)
    }
  }

  /// Of several buckets of one unit (a minute's and a day's, input's and output's) the one that binds first: the one with
  /// the least left, and of equals the one that turns last.
  private static func tightest(_ buckets: [String: Bucket], _ unit: Unit) -> RateAllowance.Window? {
    buckets.values.filter { $0.unit == unit }.compactMap(\.window).min { left, right in
      if left.remaining != right.remaining { return left.remaining < right.remaining }
      return (left.resetNanoseconds ?? 0) > (right.resetNanoseconds ?? 0)
    }
  }

  /// Azure has sent -1 for "unknown"; the older drafts of the IETF add the policy behind a comma.
  private static func count(_ value: String) -> Int? {
    let number = value.prefix { $0 != "," && $0 != ";" }
    return RetryHint.decimal(String(number)).flatMap { $0 < 1e15 ? Int($0) : nil }
  }
}

extension AllowanceReading {
  private enum Part: String { case limit, remaining, reset }

  /// A header's name taken apart: `x-ratelimit-remaining-tokens`, `anthropic-ratelimit-input-tokens-remaining`.
  private struct Field {
    var part: Part
    var unit: Unit
    /// The name without its part, which keeps the buckets of one response apart.
    var bucket: String

    init?(_ name: String) {
      let prefixes = ["x-ratelimit-", "anthropic-ratelimit-", "ratelimit-"]
      guard let prefix = prefixes.first(where: name.hasPrefix) else { return nil }
      var words = name.dropFirst(prefix.count).split(separator: "-")
      guard let place = words.firstIndex(where: { Part(rawValue: String($0)) != nil }),
        let part = Part(rawValue: String(words.remove(at: place)))
      else { return nil }
      self.part = part
      bucket = words.joined(separator: "-")
      if bucket.contains("token") {
        unit = .tokens
      } else if bucket.isEmpty || bucket.contains("req") {
        unit = .requests
      } else {
        return nil
      }
    }
  }
}
