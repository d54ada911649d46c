import EvalCore

/// Decides what a failed call was: one decision for every dialect (`Docs/Providers.md`, "Errors").
///
/// In order: the status, refined by structured codes and, for window overflow, by words; inside a 200 stream the code
/// as if it had been a status, then the words, else a server error.
struct ErrorReading {
  /// The HTTP status of the response.
  var status: Int
  var headers: HTTPHeaders
  /// Unix seconds of the client, for a response without a `Date`.
  var clientTime: Double

  /// The error of a response whose status is not 2xx.
  ///
  /// - Parameter body: whatever came: JSON in any shape, HTML, text, or nothing.
  func httpError(_ body: [UInt8]) -> ProviderError {
    if (300..<400).contains(status) {
      let target = headers["location"].map { " to \($0)" } ?? ""
      return ProviderError(
        .redirect, "the server redirects\(target); redirects are not followed", status: status)
    }
    let body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body[3...]) : body
    let value = (try? JSONValue.parse(body)) ?? Self.firstEvent(of: body) ?? .null
    return error(ErrorBody(value), status: status, inBand: false, fallback: Self.plainText(body))
  }

  /// The error of a server that has turned to an event stream before it failed.
  private static func firstEvent(of body: [UInt8]) -> JSONValue? {
    var splitter = SSESplitter()
    return body.withUnsafeBytes { bytes in
      var position = 0
      let event = splitter.next(in: bytes, from: &position) ?? splitter.finish()
      guard let event else { return nil }
      return try? JSONValue.parse(event.inPlace.map { Array(bytes[$0]) } ?? splitter.joined)
    }
  }

  /// The error that came inside a 2xx response.
  func inBandError(_ value: JSONValue) -> ProviderError {
    error(ErrorBody(value), status: nil, inBand: true, fallback: nil)
  }

  private func error(_ body: ErrorBody, status: Int?, inBand: Bool, fallback: String?) -> ProviderError {
    let kind = kind(of: body, status: status)
    var message = body.message ?? fallback ?? "the server gave no reason"
    if let parameter = body.parameter, !message.contains(parameter) { message += " (\(parameter))" }
    if let relayed = body.relayed, !message.contains(relayed) { message += ": \(relayed.prefix(500))" }
    let code = body.spelledCode
    var error = ProviderError(
      kind, message, status: self.status, code: code,
      retryAfterMilliseconds: RetryHint(headers: headers, body: body, clientTime: clientTime)
        .milliseconds(for: kind),
      retryable: retryable(kind), inBand: inBand)
    if kind == .contextSizeExceeded {
      let counts = OverflowWords.counts(in: message)
      error.promptTokens = body.promptTokens ?? counts.promptTokens
      error.contextSize = body.contextSize ?? counts.contextSize
    }
    return error
  }

  /// What the server says of retrying goes before our own rule, but an empty account is not retried.
  private func retryable(_ kind: ErrorClass) -> Bool {
    switch headers["x-should-retry"]?.lowercased() {
    case "true"?: kind != .quotaExceeded
    case "false"?: false
    default: kind.isRetryable
    }
  }

  private func kind(of body: ErrorBody, status: Int?) -> ErrorClass {
    let words = ([body.code, body.type].compactMap(\.self) + body.hints)
    let classes = words.compactMap(ErrorWords.errorClass(of:))
    // A status inside the body stands in for the HTTP status of an error that came after it.
    let status = status ?? body.number.flatMap { (400..<600).contains($0) ? $0 : nil }
    let base =
      status.flatMap(Self.kind(ofStatus:)) ?? classes.first { $0 != .invalidRequest } ?? classes.first
    return refine(base ?? .serverError, status: status, classes: classes, body: body)
  }

  /// What a code says beyond the status.
  private func refine(
    _ base: ErrorClass, status: Int?, classes: [ErrorClass], body: ErrorBody
  ) -> ErrorClass {
    if classes.contains(.quotaExceeded) || Self.isEmptyAccount(body) { return .quotaExceeded }
    if base == .rateLimited {
      // Google counts by the minute and by the day under one status.
      return body.hints.contains { $0.lowercased().contains("perday") } ? .quotaExceeded : .rateLimited
    }
    if classes.contains(.unavailable) { return .unavailable }
    if classes.contains(.contextSizeExceeded) { return .contextSizeExceeded }
    if classes.contains(.contentFiltered), status.map({ $0 < 500 }) ?? true { return .contentFiltered }
    switch base {
    case .authentication, .permission, .notFound, .overloaded, .serverTimeout, .contentFiltered: return base
    case .requestTooLarge where classes.contains(.rateLimited): return base
    default: break
    }
    let words = [body.message, body.relayed].compactMap(\.self)
    if words.contains(where: OverflowWords.match) { return .contextSizeExceeded }
    if base == .invalidRequest, Self.isTooLarge(body) { return .requestTooLarge }
    if base == .invalidRequest, let finer = classes.first(where: Self.refinesBadRequest) { return finer }
    return base
  }

  /// Classes that servers report with a 400.
  private static func refinesBadRequest(_ kind: ErrorClass) -> Bool {
    switch kind {
    case .authentication, .permission, .notFound, .requestTooLarge, .rateLimited, .unsupportedCapability,
      .refusal:
      true
    default: false
    }
  }

  /// Anthropic's words for an account without money, which come with a 400.
  private static func isEmptyAccount(_ body: ErrorBody) -> Bool {
    body.message?.lowercased().contains("credit balance is too low") == true
  }

  /// Google's words for too many bytes, which come with a 400.
  private static func isTooLarge(_ body: ErrorBody) -> Bool {
    body.message?.lowercased().contains("payload size exceeds") == true
  }

  static func kind(ofStatus status: Int) -> ErrorClass? {
    switch status {
    case 401: .authentication
    case 402: .quotaExceeded
    case 403: .permission
    case 404: .notFound
    case 408, 504: .serverTimeout
    case 413: .requestTooLarge
    case 429: .rateLimited
    // Gateways say so when a guardrail stopped the request.
    case 446: .contentFiltered
    case 503, 529: .overloaded
    case 400..<500: .invalidRequest
    case 500..<600: .serverError
    default: nil
    }
  }

  /// The words of a body that is no JSON: a page's title, or the text.
  static func plainText(_ body: [UInt8]) -> String? {
    let text = String(decoding: body.prefix(4096), as: UTF8.self).trimmed
    if text.isEmpty { return nil }
    guard text.hasPrefix("<") else { return String(text.prefix(500)) }
    let lowered = text.lowercased()
    if let open = lowered.firstRange(of: "<title>"),
      let close = lowered[open.upperBound...].firstRange(of: "</title>")
    {
      return "a web page: " + lowered[open.upperBound..<close.lowerBound].trimmed
    }
    return "a web page"
  }
}
