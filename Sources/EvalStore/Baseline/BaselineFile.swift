package import EvalCore

/// A run as one small JSON file that can be committed: what comparing and gating need, no texts.
///
/// `Docs/Baselines.md` describes the format. It is a source of trials like a run in the database: scores are exact to six
/// decimals, times to three and dollars to four significant digits, and all calls of a trial have become one.
package struct BaselineFile: TrialSource {
  static let format = "evalrun.baseline"
  static let version: Int64 = 1

  /// What the baseline is called.
  package let name: String
  package let run: RunInfo
  private let document: JSONDocument
  private let checkSets: [String: [CheckShape]]

  /// Reads a whole file, every line of it.
  /// - Parameter path: what messages call it.
  /// - Throws: what is wrong with it, each with its line; at most twenty problems.
  package init(bytes: [UInt8], path: String) throws(Problems) {
    var problems = BaselineProblems(path: path, bytes: bytes)
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      problems.add(error.message, at: error.offset, advice: "export the baseline again")
      throw problems.asError
    }
    guard let head = BaselineHead(document.root, &problems) else { throw problems.asError }
    name = head.name
    run = head.run
    checkSets = head.checkSets
    var seen: Set<String> = []
    forEachCase { cases, view in
      _ = cases.trials(of: view, &problems)
      if let hash = view["hash"]?.string, !seen.insert(hash).inserted {
        problems.add("this case is there twice", view)
      }
    }
    if !problems.isEmpty { throw problems.asError }
  }

  /// Visits case by case in the order of the file, in a case by target and repeat.
  package func forEachTrial(_ body: (TrialRecord) throws -> Void) throws {
    // The file was found right when it was opened.
    var problems = BaselineProblems(path: "", bytes: [])
    try forEachCase { cases, view in
      for trial in cases.trials(of: view, &problems) { try body(trial) }
    }
  }

  private func forEachCase<Failure: Error>(
    _ body: (BaselineCases, JSONView) throws(Failure) -> Void
  ) throws(Failure) {
    let cases = BaselineCases(run: run, checkSets: checkSets)
    guard let list = document.root["cases"] else { return }
    for view in list.elements { try body(cases, view) }
  }
}

/// A check without its answers: what a baseline's cases share.
struct CheckShape: Hashable {
  var name: String
  var kind: String
  var weight: Double
  var turn: Int?

  init(_ score: ScoreRecord) {
    name = score.check
    kind = score.kind
    weight = score.weight
    turn = score.turn
  }

  init(name: String, kind: String, weight: Double, turn: Int?) {
    self.name = name
    self.kind = kind
    self.weight = weight
    self.turn = turn
  }

  func record(_ judgement: Judgement) -> ScoreRecord {
    ScoreRecord(check: name, kind: kind, weight: weight, turn: turn, judgement: judgement, explanation: nil)
  }

  var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    object["kind"] = kind == name ? nil : .string(kind)
    object["weight"] = weight == 1 ? nil : .number(weight)
    object["turn"] = turn.map { .integer(Int64($0)) }
    return .object(object)
  }
}

/// What is wrong with a file, with the line of each.
struct BaselineProblems {
  private static let limit = 20
  private let path: String
  private let bytes: [UInt8]
  private var text: SourceText?
  private var all: [Problem] = []

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  var isEmpty: Bool { all.isEmpty }
  var asError: Problems { Problems(all) }

  mutating func add(_ message: String, _ view: JSONView, advice: String? = nil) {
    add(message, at: view.range.lowerBound, advice: advice)
  }

  mutating func add(_ message: String, at offset: Int, advice: String? = nil) {
    guard all.count < BaselineProblems.limit else { return }
    // Lines are counted only when something is wrong.
    let source = text ?? SourceText(name: path, bytes: bytes)
    text = source
    let (line, column) = source.position(of: offset)
    all.append(
      Problem(
        .error, message, at: SourceLocation(file: path, line: line, column: column), advice: advice))
  }

  /// Refuses members that the format does not have, and says whether there is an object at all.
  mutating func expectObject(_ view: JSONView, _ what: String, keys: [String]) -> Bool {
    guard view.kind == .object else {
      add("\(what) is not an object", view)
      return false
    }
    for member in view.members {
      let key = member.key.string ?? ""
      if !keys.contains(key) {
        add("\(what) has no member '\(key)'", member.key, advice: suggestion(for: key, among: keys))
      }
    }
    return true
  }

  mutating func string(_ view: JSONView, _ key: String) -> String? {
    guard let member = required(view, key) else { return nil }
    if let text = member.string { return text }
    add("'\(key)' is not a string", member)
    return nil
  }

  mutating func optionalString(_ view: JSONView, _ key: String) -> String? {
    guard let member = view[key], !member.isNull else { return nil }
    if let text = member.string { return text }
    add("'\(key)' is not a string", member)
    return nil
  }

  mutating func count(_ view: JSONView, _ key: String, atLeast least: Int = 0) -> Int? {
    guard let member = required(view, key) else { return nil }
    if let number = member.int, number >= Int64(least), number <= Int64(Int32.max) { return Int(number) }
    add("'\(key)' is not a whole number of at least \(least)", member)
    return nil
  }

  mutating func hash(_ view: JSONView, _ key: String) -> ContentHash? {
    guard let text = string(view, key) else { return nil }
    if let hash = ContentHash(hex: text) { return hash }
    add("'\(key)' is not a hash of 64 hexadecimal digits", view[key] ?? view)
    return nil
  }

  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ view: JSONView, _ key: String, _: Word.Type
  ) -> Word? where Word.RawValue == String {
    guard let text = string(view, key) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    add("'\(key)' is one of \(words.joined(separator: ", ")), not '\(text)'", view[key] ?? view)
    return nil
  }

  private mutating func required(_ view: JSONView, _ key: String) -> JSONView? {
    if let member = view[key] { return member }
    add("'\(key)' is missing", view)
    return nil
  }
}
