/// Why a call failed, in one vocabulary for every provider: the one that policies route on.
package enum ErrorClass: String, Sendable, Hashable, CaseIterable {
  case authentication, permission, notFound, invalidRequest
  /// The prompt does not fit in the model's window.
  case contextSizeExceeded
  /// Too many bytes, whatever the tokens.
  case requestTooLarge
  case rateLimited
  /// No money or no allowance left: waiting a little does not help.
  case quotaExceeded
  case overloaded, serverError
  /// A status that says the server gave up waiting (408, 504).
  case serverTimeout
  case network
  case connectTimeout, firstTokenTimeout, stallTimeout, totalTimeout
  /// A guardrail stopped the prompt or the answer.
  case contentFiltered
  case refusal
  case malformedResponse
  /// The answer ended without its end marker.
  case truncated
  case redirect
  case cancelled
  case unsupportedCapability
  /// The model is not there: not downloaded, not enabled, the program is missing.
  case unavailable
  /// Neither money nor luck was tried: a replay has no recording of this request.
  case notRecorded
  case unknown

  /// Who is to blame, which decides whether a failure counts against the model.
  package enum Blame: String, Sendable, Hashable { case infrastructure, model, configuration, person }

  package var blame: Blame {
    switch self {
    case .authentication, .permission, .notFound, .invalidRequest, .unsupportedCapability, .redirect,
      .notRecorded:
      .configuration
    case .contextSizeExceeded, .requestTooLarge, .contentFiltered, .refusal: .model
    case .cancelled: .person
    case .rateLimited, .quotaExceeded, .overloaded, .serverError, .serverTimeout, .network, .connectTimeout,
      .firstTokenTimeout, .stallTimeout, .totalTimeout, .malformedResponse, .truncated, .unavailable,
      .unknown:
      .infrastructure
    }
  }

  /// Whether sending the same request again can help. An unknown error is unknown, never retryable.
  package var isRetryable: Bool {
    switch self {
    case .rateLimited, .overloaded, .serverError, .serverTimeout, .network, .connectTimeout,
      .firstTokenTimeout,
      .stallTimeout, .truncated:
      true
    default: false
    }
  }
}

/// A failed call, read from the wire.
package struct ProviderError: Error, Sendable, Hashable {
  package var kind: ErrorClass
  /// The server's or transport's words.
  package var message: String
  /// The HTTP status, `nil` when none came.
  package var status: Int?
  /// The provider's own code, as it spelled it.
  package var code: String?
  /// How long the server asks to wait, in milliseconds; `nil` when it does not say.
  package var retryAfterMilliseconds: Double?
  /// Whether a retry can help here; follows `kind` unless the server says otherwise.
  package var retryable: Bool
  /// The counts of a window overflow, where the server gives them.
  package var promptTokens: Int?
  package var contextSize: Int?
  /// True when the error came inside a 200 stream.
  package var inBand: Bool

  package init(
    _ kind: ErrorClass, _ message: String, status: Int? = nil, code: String? = nil,
    retryAfterMilliseconds: Double? = nil, retryable: Bool? = nil, promptTokens: Int? = nil,
    contextSize: Int? = nil, inBand: Bool = false
  ) {
    self.kind = kind
    self.message = message
    self.status = status
    self.code = code
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.retryable = retryable ?? kind.isRetryable
    self.promptTokens = promptTokens
    self.contextSize = contextSize
    self.inBand = inBand
  }
}
