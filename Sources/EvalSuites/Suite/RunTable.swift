import EvalCore

extension RunSettings: Draft {}
extension CallTimeouts: Draft {}
extension RetrySettings: Draft {}

extension ObjectTable where Into == RunSettings {
  static let run = ObjectTable(
    "run", "the run settings",
    [
      Key("repeats", \.repeats, .integer(1...65_535), "Trials of each case and target; 1 unless given."),
      Key(
        "concurrency", \.concurrency, .integer(1...65_535),
        "Trials in flight for a profile that states none; 1 unless given."),
      Key("maxConcurrency", \.maxConcurrency, .integer(1...65_535), "Trials in flight over everything."),
      Key(
        "endpointConcurrency", \.endpointConcurrency, .integer(1...65_535),
        "Calls in flight to one endpoint, over all its profiles."),
      Key(
        "adaptsWidth", \.adaptsWidth, .bool,
        "Whether an endpoint's width yields to 429 and comes back, and rests after 5xx; true unless given."),
      Key("seed", \.seed, .seed, "Orders the plan and everything else that is drawn; 1 unless given."),
      Key(
        "warmup", \.warmup, .integer(0...1000),
        "Calls of each profile before the measurement, kept apart from it."),
      Key("private", \.isPrivate, .bool, "Store no prompt and no answer, only their hash and length."),
      Key(
        "failuresCountAsZero", \.failuresCountAsZero, .bool,
        "Whether the leading score counts an answer that could not be had as 0; true unless given."),
      Key(
        "timeouts", \.timeouts, ObjectTable<CallTimeouts>.timeouts.shape,
        "How long each phase of a call may last."),
      Key(
        "retries", \.retries, ObjectTable<RetrySettings>.retries.shape,
        "When and how often a failed call is sent again."),
    ])
}

extension ObjectTable where Into == CallTimeouts {
  static let timeouts = ObjectTable(
    "timeouts", "the timeouts",
    [
      Key("connect", \.connect, .timeout, "From the start to the connection; 10s unless given."),
      Key("firstToken", \.firstToken, .timeout, "From the start to the first token; 60s unless given."),
      Key("stall", \.stall, .timeout, "Between two tokens; 60s unless given."),
      Key("total", \.total, .timeout, "From the start to the end; 300s unless given."),
    ])
}

extension ObjectTable where Into == RetrySettings {
  static let retries = ObjectTable(
    "retries", "the retry settings",
    [
      Key("limit", \.limit, .integer(0...100), "Retries after the first attempt; 2 unless given."),
      Key(
        "baseDelay", \.baseDelay, .duration,
        "The first back-off, doubled for each further one; 500ms unless given."),
      Key("maxDelay", \.maxDelay, .duration, "The longest back-off; 60s unless given."),
      Key(
        "maxRetryAfter", \.maxRetryAfter, .duration,
        "The longest Retry-After that is waited for; 120s unless given."),
    ])
}

extension Shape where Value == Duration {
  /// `"500ms"`, `"10s"`, `"2m"`, `"1h"`, or seconds as a number; above 0.
  static var duration: Shape {
    Shape([
      "anyOf": [
        ["type": "string", "pattern": .string(DurationText.pattern)],
        ["type": "number", "exclusiveMinimum": 0],
      ]
    ]) {
      view, reader in
      let value = view.string.map(DurationText.parse) ?? view.double.flatMap(DurationText.seconds)
      if let value { return value }
      reader.wrong(view, expected: "a time above 0 such as \"500ms\", \"10s\" or \"2m\"")
      return nil
    }
  }
}

extension Shape where Value == Duration? {
  /// A duration, or `"none"`.
  static var timeout: Shape {
    let duration = Shape<Duration>.duration
    return Shape(["anyOf": [["const": "none"], duration.schema]]) { view, reader in
      if view.stringEquals("none") { return .some(nil) }
      return duration.read(view, reader)
    }
  }
}

/// Durations as people write them.
enum DurationText {
  static let pattern = "^[0-9]+([.][0-9]+)?(ms|s|m|h)$"

  /// `nil` for what is no duration above 0 and below a year.
  static func parse(_ text: String) -> Duration? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), digits.first != ".", digits.last != "." else { return nil }
    switch text.dropFirst(digits.count) {
    case "ms": return seconds(number / 1000)
    case "s": return seconds(number)
    case "m": return seconds(number * 60)
    case "h": return seconds(number * 3600)
    default: return nil
    }
  }

  static func seconds(_ seconds: Double) -> Duration? {
    guard seconds > 0, seconds < 31_536_000 else { return nil }
    return .nanoseconds(Int64((seconds * 1_000_000_000).rounded()))
  }
}
