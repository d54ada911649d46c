import EvalCore

/// Reads `--inject "network=0.1, rateLimited=0.05, seed=1"`: the share of calls that an error strikes, and the seed that
/// says which.
struct InjectionReader {
  /// The share of calls by error, each in 0…1, together at most 1.
  private(set) var rates: [ErrorClass: Double] = [:]
  /// 1 unless given.
  private(set) var seed: UInt64 = 1

  /// - Throws: everything that is wrong with it, each with its place.
  init(_ text: String, option: String = "--inject") throws(Problems) {
    let whole = OptionText(text, option: option)
    var problems: [Problem] = []
    var hasSeed = false
    for part in whole.split(",") {
      do throws(Problem) {
        guard let (name, value) = part.cut(at: "=") else {
          throw part.problem("expected ERROR=SHARE, such as network=0.1, found '\(part.text)'")
        }
        if name.text == "seed" {
          guard !hasSeed else { throw name.problem("the seed is given twice") }
          hasSeed = true
          seed = try InjectionReader.seed(value)
        } else {
          let kind = try InjectionReader.kind(name)
          guard rates[kind] == nil else { throw name.problem("'\(name.text)' is given twice") }
          rates[kind] = try InjectionReader.share(value)
        }
      } catch { problems.append(error) }
    }
    if problems.isEmpty {
      if rates.isEmpty {
        problems.append(whole.problem("no error to inject", advice: "for instance network=0.1"))
      }
      if rates.values.reduce(0, +) > 1 + 1e-9 {
        problems.append(whole.problem("the shares add up to more than 1: no call could be struck by all"))
      }
    }
    guard problems.isEmpty else { throw Problems(problems) }
  }

  /// Errors that chance brings, not the request, a key or a person.
  static let kinds: [ErrorClass] = ErrorClass.allCases.filter { kind in
    switch kind {
    case .contentFiltered, .refusal: true
    case .cancelled, .contextSizeExceeded, .requestTooLarge: false
    default: kind.blame == .infrastructure && kind != .unknown
    }
  }

  /// Words of a policy's `onError` that stand for one class of error.
  private static let policyWords: [String: ErrorClass] = [
    "quota": .quotaExceeded, "service": .serverError, "parseFailure": .malformedResponse,
    "guardrail": .contentFiltered,
  ]

  private static func kind(_ name: OptionText) throws(Problem) -> ErrorClass {
    if let kind = policyWords[name.text] { return kind }
    if let kind = ErrorClass(rawValue: name.text), kinds.contains(kind) { return kind }
    let names = kinds.map(\.rawValue) + ["seed"]
    let isKnown = ErrorClass(rawValue: name.text) != nil
    throw name.problem(
      isKnown
        ? "'\(name.text)' does not happen by chance: the request decides it"
        : "there is no error '\(name.text)'",
      advice: suggestion(for: name.text, among: names + policyWords.keys.sorted())
        ?? "one of \(names.joined(separator: ", "))")
  }

  private static func share(_ value: OptionText) throws(Problem) -> Double {
    guard let share = OptionNumber.share(value.text), (0...1).contains(share) else {
      throw value.problem("expected a share from 0 to 1, or per cent, found '\(value.text)'")
    }
    return share
  }

  private static func seed(_ value: OptionText) throws(Problem) -> UInt64 {
    guard let seed = UInt64(value.text) else {
      throw value.problem("expected a whole number for the seed, found '\(value.text)'")
    }
    return seed
  }
}

/// Numbers with a unit, as people write them on a command line.
enum OptionNumber {
  /// A finite number in JSON's form.
  static func plain(_ text: String) -> Double? {
    guard let first = text.first, first.isNumber || first == "-" || first == "." else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// `0.4` or `40%`.
  static func share(_ text: String) -> Double? {
    guard text.hasSuffix("%") else { return plain(text) }
    return plain(text.dropLast().trimmed).map { $0 / 100 }
  }

  /// `0.002` or `$0.002`.
  static func dollars(_ text: String) -> Double? {
    plain(text.hasPrefix("$") ? String(text.dropFirst()) : text)
  }
}
