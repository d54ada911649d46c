/// The server's clock, against which the moments in its headers count.
struct ServerClock {
  /// Unix seconds.
  var now: Double

  /// - Parameter clientTime: Unix seconds, for a response without a `Date`.
  init(_ headers: HTTPHeaders, clientTime: Double) {
    now = headers["date"].flatMap(HTTPDate.unixSeconds) ?? clientTime
  }

  /// Milliseconds until the moment that a header names: a Go duration, an instant, plain seconds, or a Unix time in
  /// seconds or milliseconds. What is past is 0.
  ///
  /// - Returns: `nil` for what is negative or none of these.
  func milliseconds(until value: String) -> Double? {
    if let number = RetryHint.decimal(value) {
      if number > 100_000_000_000 { return max(0, number - now * 1000) }
      if number > 1_000_000_000 { return max(0, number - now) * 1000 }
      return number * 1000
    }
    if let seconds = GoDuration.seconds(value) { return Self.wholeMilliseconds(seconds) }
    return HTTPDate.unixSeconds(value).map { max(0, $0 - now) * 1000 }
  }

  /// Rounded up, so that the wait is never too short; nanoseconds are noise of the conversion.
  static func wholeMilliseconds(_ seconds: Double) -> Double {
    ((seconds * 1_000_000).rounded() / 1000).rounded(.up)
  }
}
