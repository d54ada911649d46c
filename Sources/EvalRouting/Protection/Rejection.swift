import EvalCore

/// Why an arm is not called.
enum Rejection: Sendable, Hashable {
  case unknownArm
  case boundary(Boundary, Boundary, Sensitivity)
  case consent(Boundary)
  case pinned(String)
  /// The words were refused at the second boundary.
  case refused(Boundary, Boundary)
  case visibleOutput
  case alwaysStops(ErrorClass)
  /// Input, reserve, and what the window holds without its margin.
  case window(Int, Int, Int)
  /// Whether it is known that the arm lacks it.
  case capability(String, isKnown: Bool)
  /// The limit's name, what the call may cost, what is left.
  case budget(String, Double, Double)
  case unknownCost(String)
  case tried
  /// It stands before the arm that failed.
  case passed
  case notLarger
  case farther(Boundary)

  /// Every code there is.
  static let codes = [
    Rejection.unknownArm, .boundary(.device, .device, .unknown), .consent(.device), .pinned(""),
    .refused(.device, .device),
    .visibleOutput, .alwaysStops(.unknown), .window(0, 0, 0), .capability("", isKnown: true),
    .budget("", 0, 0),
    .unknownCost(""), .tried, .passed, .notLarger, .farther(.device),
  ].map(\.code)

  /// A closed list of words, for machines.
  var code: String {
    switch self {
    case .unknownArm: "unknownArm"
    case .boundary: "boundary"
    case .consent: "consent"
    case .pinned: "pinned"
    case .refused: "refused"
    case .visibleOutput: "visibleOutput"
    case .alwaysStops: "alwaysStops"
    case .window: "window"
    case .capability: "capability"
    case .budget: "budget"
    case .unknownCost: "unknownCost"
    case .tried: "tried"
    case .passed: "passed"
    case .notLarger: "notLarger"
    case .farther: "farther"
    }
  }

  private var words: String {
    switch self {
    case .unknownArm: "the policy has no such arm"
    case .boundary(let boundary, let most, .unknown):
      "\(boundary.rawValue) is beyond \(most.rawValue), the limit for content that nobody classified"
    case .boundary(let boundary, let most, let sensitivity):
      "\(boundary.rawValue) is beyond \(most.rawValue), the limit for \(sensitivity.rawValue) content"
    case .consent(let boundary): "the person has not agreed to \(boundary.rawValue)"
    case .pinned(let arm): "the person chose \(arm)"
    case .refused(let boundary, let refused):
      "\(boundary.rawValue) is farther than \(refused.rawValue), where the words were refused"
    case .visibleOutput: "part of an answer was shown already"
    case .alwaysStops(let kind): "an error of the class \(kind.rawValue) always stops"
    case .window(let input, let reserve, let room):
      "\(input) tokens and \(reserve) for the answer do not fit in \(room)"
    case .capability(let name, let isKnown): isKnown ? "it has no \(name)" : "it is not known to have \(name)"
    case .budget(let limit, let cost, let left):
      "\(limit) leaves \(dollars(left)), the call may cost \(dollars(cost))"
    case .unknownCost(let limit): "\(limit) is set and its cost is not known"
    case .tried: "it was called already"
    case .passed: "it stands before the arm that was called"
    case .notLarger: "its window is not known to be larger"
    case .farther(let boundary): "it is farther than \(boundary.rawValue)"
    }
  }

  /// `code: words`, as the decision record holds it.
  var text: String { "\(code): \(words)" }
}

/// At most six decimals, as money of single calls needs.
func dollars(_ amount: Double) -> String {
  let micro = (amount * 1e6).rounded()
  guard abs(micro) < 9e15 else { return "$\(amount)" }
  let digits = String(Int64(abs(micro)) % 1_000_000)
  var fraction = String(repeating: "0", count: 6 - digits.count) + digits
  while fraction.count > 2, fraction.hasSuffix("0") { fraction.removeLast() }
  return "\(micro < 0 ? "-" : "")$\(Int64(abs(micro)) / 1_000_000).\(fraction)"
}
