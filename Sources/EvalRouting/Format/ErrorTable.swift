package import EvalCore

/// What went wrong with an arm, in the words of a policy's `onError`.
package enum RouteError: String, Sendable, Hashable, CaseIterable {
  case unavailable, contextOverflow, rateLimited, quota, network, service, firstTokenTimeout, parseFailure,
    unsupported, guardrail, refusal, empty

  /// `nil` for an error that always stops, whatever the policy says.
  package init?(_ kind: ErrorClass) {
    switch kind {
    case .unavailable: self = .unavailable
    case .contextSizeExceeded, .requestTooLarge: self = .contextOverflow
    case .rateLimited: self = .rateLimited
    case .quotaExceeded: self = .quota
    case .network, .connectTimeout: self = .network
    case .overloaded, .serverError, .serverTimeout, .totalTimeout, .stallTimeout, .truncated: self = .service
    case .firstTokenTimeout: self = .firstTokenTimeout
    case .malformedResponse: self = .parseFailure
    case .unsupportedCapability: self = .unsupported
    case .contentFiltered: self = .guardrail
    case .refusal: self = .refusal
    case .authentication, .permission, .notFound, .invalidRequest, .redirect, .cancelled, .notRecorded,
      .unknown:
      return nil
    }
  }

  /// The classes of errors that a policy cannot list, for messages and the documentation.
  package static var alwaysStops: [ErrorClass] { ErrorClass.allCases.filter { RouteError($0) == nil } }

  /// The classes that fall under it.
  package var classes: [ErrorClass] { ErrorClass.allCases.filter { RouteError($0) == self } }

  /// Whether the same call can end otherwise.
  var canRetry: Bool {
    switch self {
    case .contextOverflow, .quota, .unsupported, .empty: false
    default: true
    }
  }
}

/// What a policy does after an error, once retries are used up.
enum ErrorAction: String, Sendable, Hashable, CaseIterable {
  case stop
  /// The next arm of the rule.
  case next
  /// The next one with a window that is known to be larger.
  case nextLarger
  /// The next one that is not farther than the arm that failed.
  case nextSameBoundary
}

/// One line of `onError`.
struct ErrorRule: Sendable, Hashable {
  /// Calls again of the same arm.
  var retries = 0
  var then: ErrorAction

  var text: String { retries == 0 ? then.rawValue : "retry \(retries), then \(then.rawValue)" }
}

/// `onError`: what is not listed stops, but for an empty answer, which is served.
typealias ErrorTable = [RouteError: ErrorRule]
