import EvalCore

/// The tables of `Docs/Routing.md` that the code makes, by name.
package enum RoutingTables {
  package static var all: [(name: String, text: String)] {
    [
      ("signals", SignalRegistry.table), ("answers", SignalRegistry.answerTable), ("errors", errors),
      ("rejections", Rejection.codes.map { "`\($0)`" }.joined(separator: ", ")),
    ]
  }

  /// What falls under each word of `onError`, and what cannot be listed.
  private static var errors: String {
    var text = "| word | errors | meaning |\n|---|---|---|\n"
    for error in RouteError.allCases {
      let classes = error.classes.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      text += "| `\(error.rawValue)` | \(classes.isEmpty ? "—" : classes) | \(error.meaning) |\n"
    }
    let stops = RouteError.alwaysStops.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return text + "| always stops | \(stops) | Cannot be listed. |\n"
  }
}

extension RouteError {
  fileprivate var meaning: String {
    switch self {
    case .unavailable: "The model is not there: not downloaded, not enabled."
    case .contextOverflow: "The input does not fit."
    case .rateLimited: "Too many calls; waiting helps."
    case .quota: "No allowance left; waiting a little does not help."
    case .network: "The network is down or the server was not reached."
    case .service:
      "The server failed, was too busy or too slow, or the stream broke before anything was shown."
    case .firstTokenTimeout: "Nothing came in time; the call may be billed."
    case .parseFailure: "The answer cannot be read."
    case .unsupported: "The arm cannot do what was asked."
    case .guardrail: "A guardrail stopped the prompt or the answer."
    case .refusal: "The model declined, by an error or in words."
    case .empty: "A proper end with nothing generated. Not listed, it is served."
    }
  }
}
