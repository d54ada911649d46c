import EvalCore

/// How long a server asks to wait.
///
/// `retry-after-ms`, else `Retry-After`, else the body's RetryInfo, else the reset of an exhausted rate bucket, else
/// "try again in …" in the message. What is negative or cannot be read is absent: clients that made it 0 retried at
/// once, for ever (openai/openai-java#878).
struct RetryHint {
  var headers: HTTPHeaders
  var body: ErrorBody
  /// Unix seconds, used where the response has no `Date`.
  var clientTime: Double

  /// - Parameter kind: buckets and words count for an error that waiting can help.
  func milliseconds(for kind: ErrorClass) -> Double? {
    if let value = headers["retry-after-ms"].flatMap(Self.decimal) { return value }
    if let value = headers["retry-after"].flatMap(retryAfter) { return value }
    if let delay = body.retryDelay, let seconds = GoDuration.seconds(delay) {
      return ServerClock.wholeMilliseconds(seconds)
    }
    guard kind == .rateLimited || kind == .overloaded || kind == .serverError else { return nil }
    if let value = exhaustedBucket { return value }
    return [body.message, body.relayed].lazy.compactMap { $0.flatMap(Self.inMessage) }.first
      .map(ServerClock.wholeMilliseconds)
  }

  private var clock: ServerClock { ServerClock(headers, clientTime: clientTime) }

  private func retryAfter(_ value: String) -> Double? {
    if let seconds = Self.decimal(value) { return seconds * 1000 }
    return HTTPDate.unixSeconds(value).map { max(0, $0 - clock.now) * 1000 }
  }

  /// Digits with or without a fraction: no sign, no exponent, no `inf`.
  static func decimal(_ text: String) -> Double? {
    let text = text.trimmed
    guard text.first?.isASCII == true, text.utf8.count <= 20,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(text)
  }
}

// MARK: - Rate buckets

extension RetryHint {
  /// The longest reset among the buckets with nothing remaining.
  private var exhaustedBucket: Double? {
    let fields = headers.fields + body.headers
    var longest: Double?
    for (name, value) in fields {
      guard let reset = Self.resetField(forRemaining: name), Self.decimal(value) == 0,
        let until = fields.first(where: { $0.name == reset }).flatMap({ clock.milliseconds(until: $0.value) })
      else { continue }
      longest = max(longest ?? 0, until)
    }
    return longest
  }

  /// `x-ratelimit-remaining-tokens` → `x-ratelimit-reset-tokens`;
  /// `anthropic-ratelimit-tokens-remaining` → `anthropic-ratelimit-tokens-reset`.
  private static func resetField(forRemaining name: String) -> String? {
    guard
      name.hasPrefix("x-ratelimit-") || name.hasPrefix("anthropic-ratelimit-") || name.hasPrefix("ratelimit-")
    else { return nil }
    guard let range = name.firstRange(of: "remaining") else { return nil }
    return name[..<range.lowerBound] + "reset" + name[range.upperBound...]
  }

  /// "try again in 6.57s", "retry in 20 seconds", "try again in 1m30s".
  private static func inMessage(_ message: String) -> Double? {
    let text = message.lowercased()
    for anchor in ["try again in ", "retry in ", "retry after ", "again after "] {
      guard let found = text.firstRange(of: anchor) else { continue }
      let rest = text[found.upperBound...]
      let word = rest.prefix { $0.isNumber || $0.isLetter || $0 == "." }
      if let seconds = GoDuration.seconds(String(word.reversed().drop { $0 == "." }.reversed())) {
        return seconds
      }
      let number = rest.prefix { $0.isNumber || $0 == "." }
      let unit = rest.dropFirst(number.count).drop { $0 == " " }.prefix { $0.isLetter }
      if let value = decimal(String(number)), let scale = scales[String(unit)] { return value * scale }
    }
    return nil
  }

  private static let scales: [String: Double] = [
    "ms": 0.001, "milliseconds": 0.001, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "min": 60,
    "mins": 60, "minute": 60, "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600,
    "day": 86400, "days": 86400,
  ]
}

/// Go's `time.Duration` text, of which a protobuf duration is the case with one unit: `1h2m3.5s`, `120ms`, `34.07s`.
enum GoDuration {
  /// - Returns: seconds; `nil` for a negative one, for a number without unit, and for anything else.
  static func seconds(_ text: String) -> Double? {
    var rest = text.trimmed[...]
    if rest.isEmpty { return nil }
    var sum = 0.0
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let value = Double(number) else { return nil }
      rest = rest.dropFirst(number.count)
      guard let unit = units.first(where: { rest.hasPrefix($0.0) }) else { return nil }
      rest = rest.dropFirst(unit.0.count)
      sum += value * unit.1
    }
    return sum.isFinite ? sum : nil
  }

  private static let units: [(String, Double)] = [
    ("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("μs", 1e-6), ("ms", 1e-3), ("s", 1), ("m", 60), ("h", 3600),
    ("d", 86400),
  ]
}
