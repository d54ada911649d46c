import EvalCore

extension TransferEnd {
  /// The error of a transfer that did not end well; `nil` when it did.
  ///
  /// - Parameter sawBody: whether bytes of an answer had come: then what is lost is the rest of it.
  func error(sawBody: Bool) -> ProviderError? {
    switch self {
    case .complete, .stoppedBySink: nil
    case .cancelled: ProviderError(.cancelled, "the call was cancelled")
    case .timeout(.connect): ProviderError(.connectTimeout, "no connection within the connect time limit")
    case .timeout(.firstToken):
      ProviderError(.firstTokenTimeout, "no token within the first-token time limit")
    case .timeout(.stall): ProviderError(.stallTimeout, "the stream stood still for the stall time limit")
    case .timeout(.total): ProviderError(.totalTimeout, "not finished within the total time limit")
    case .failed(let code, let message): Self.curlError(code, message, sawBody: sawBody)
    case .exited(let code, let message): Self.exitError(code, message)
    }
  }

  /// A program that says nothing of a class has failed for a reason that nobody knows.
  private static func exitError(_ code: Int, _ message: String) -> ProviderError {
    let words = code < 0 ? "the program was ended by signal \(-code)" : "the program ended with \(code)"
    return ProviderError(
      .unknown, message.isEmpty ? words : "\(words); it wrote '\(message)'",
      code: code < 0 ? "signal \(-code)" : "exit \(code)")
  }

  /// libcurl's codes (libcurl-errors(3)). Faults of the request or of a certificate are not mended by a retry.
  private static func curlError(_ code: Int, _ message: String, sawBody: Bool) -> ProviderError {
    let name = "curl \(code)"
    switch code {
    case 1, 3, 4, 43: return ProviderError(.invalidRequest, message, code: name)
    case 28: return ProviderError(.totalTimeout, message, code: name)
    case 61: return ProviderError(.malformedResponse, message, code: name)
    case 51, 53, 54, 58, 59, 60, 66, 77, 80, 82, 83, 90, 91:
      return ProviderError(.network, message, code: name, retryable: false)
    case 2, 23, 26, 27, 41, 42, 48: return ProviderError(.unknown, message, code: name)
    default: return ProviderError(sawBody ? .truncated : .network, message, code: name)
    }
  }
}
