import EvalCore

/// Reads checks: decodes them against the registry and makes each one once, so that a wrong pattern is refused at
/// its place before anything runs.
final class CheckReader {
  private let graders: [GraderDescriptor]
  /// `nil` reads checks that were made before.
  private var context: GraderContext?
  private let allowsCommands: Bool
  private let directory: String
  /// What the checks that were made ask of judges.
  private(set) var judging = JudgingUse()
  /// Hashes of the checks that were made: with a hundred thousand cases their text would not fit.
  private var made: Set<Int> = []

  /// Reads checks that were made before.
  init(graders: [GraderDescriptor]) {
    self.graders = graders
    (allowsCommands, directory) = (false, "")
  }

  init(graders: [GraderDescriptor], allowsCommands: Bool, directory: String) {
    self.graders = graders
    self.allowsCommands = allowsCommands
    self.directory = directory
    use(JudgingContext())
  }

  /// Takes in the rubrics and judges that checks may name from now on.
  func use(_ judging: JudgingContext) {
    context = CheckReader.context(
      graders: graders, allowsCommands: allowsCommands, directory: directory, judging: judging)
  }

  /// The context in which graders are made, with combinators making what they hold.
  private static func context(
    graders: [GraderDescriptor], allowsCommands: Bool, directory: String, judging: JudgingContext
  ) -> GraderContext {
    // A maker needs the context that holds it.
    let make: @Sendable (CheckSpec) throws(GraderProblem) -> any Grader = { spec throws(GraderProblem) in
      guard let descriptor = graders.first(where: { $0.name == spec.kind }) else {
        throw GraderProblem("'\(spec.kind)' is not a kind of check", path: spec.kind)
      }
      return try descriptor.make(
        spec,
        context(graders: graders, allowsCommands: allowsCommands, directory: directory, judging: judging))
    }
    return GraderContext(
      allowsCommands: allowsCommands, directory: directory, judging: judging, makeNested: make)
  }

  /// The check with its templates filled in; `nil` after noting what is wrong.
  func read(_ view: JSONView, _ reader: Reader) -> CheckSpec? {
    guard let json = reader.render(view.value, at: view) else { return nil }
    return decode(json, view, reader)
  }

  private func decode(_ json: JSONValue, _ view: JSONView, _ reader: Reader) -> CheckSpec? {
    do throws(GraderProblem) {
      var spec = try CheckSpec.decode(json, graders: graders)
      spec.location = reader.location(of: view)
      try make(spec)
      return spec
    } catch {
      note(error, view, reader)
      return nil
    }
  }

  private func make(_ spec: CheckSpec) throws(GraderProblem) {
    guard let context else { return }
    let json = spec.json
    guard made.insert(json.hashValue).inserted else { return }
    _ = try context.makeNested(spec)
    judging.note(json, at: spec.location)
  }

  private func note(_ problem: GraderProblem, _ view: JSONView, _ reader: Reader) {
    let place = JSONPath.resolve(problem.path, from: view)
    // An unknown member is pointed at by its key.
    let key = view.members.first { $0.key.string == problem.path }?.key
    let isUnknown = !graders.contains { $0.name == problem.path }
    let at = isUnknown ? key ?? place : place
    let isShared = reader.scope != nil
    reader.error(
      problem.message, at: at, advice: problem.advice,
      group: isShared ? "\(reader.location(of: at)) \(problem.message)" : nil)
  }
}

/// The checks that look at every case.
struct SharedChecks {
  private struct Check {
    /// Read once; `nil` when the check is a template.
    var spec: CheckSpec?
    var view: JSONView
  }

  private let origin: Origin?
  /// Some could not be read.
  private(set) var hasFaults = false
  private var checks: [Check] = []
  /// Every check, when none is a template.
  private(set) var fixed: [CheckSpec]? = []

  /// No checks.
  init() { origin = nil }

  init(_ view: JSONView, _ reader: Reader) {
    origin = reader.origin
    let errors = reader.diagnostics.errorCount
    defer { hasFaults = reader.diagnostics.errorCount > errors }
    guard view.kind == .array else {
      reader.wrong(view, expected: "an array of checks")
      return
    }
    for item in view.elements {
      if Template.isTemplate(item.value) {
        checks.append(Check(spec: nil, view: item))
      } else if let spec = reader.checks.read(item, reader) {
        checks.append(Check(spec: spec, view: item))
      }
    }
    guard checks.allSatisfy({ $0.spec != nil }) else {
      fixed = nil
      return
    }
    var specs = checks.compactMap(\.spec)
    reader.noteTwice(&specs)
    fixed = specs
  }

  var isEmpty: Bool { checks.isEmpty }

  /// The checks for the case in hand.
  func specs(_ reader: Reader) -> [CheckSpec] {
    if let fixed { return fixed }
    guard let origin else { return [] }
    return reader.with(origin) {
      checks.compactMap { $0.spec ?? reader.checks.read($0.view, reader) }
    }
  }
}

extension [CheckSpec] {
  /// Gives checks without a name of their own a number where two of a kind meet.
  /// - Returns: a name that was given twice.
  fileprivate mutating func makeNamesUnique() -> CheckSpec? {
    guard count > 1 else { return nil }
    var counts: [String: Int] = [:]
    var twice: CheckSpec?
    for index in indices {
      let name = self[index].name
      let number = (counts[name] ?? 0) + 1
      counts[name] = number
      guard number > 1 else { continue }
      if name != self[index].kind { twice = twice ?? self[index] }
      self[index].name = "\(name) \(number)"
    }
    return twice
  }
}

extension Reader {
  /// Makes the names of the checks of one answer unique and notes a name that was given twice.
  func noteTwice(_ checks: inout [CheckSpec]) {
    guard let twice = checks.makeNamesUnique() else { return }
    diagnostics.add(
      Problem(
        .error, "two checks of one answer are called '\(twice.name)'", at: twice.location,
        advice: "give one of them another 'name'"))
  }
}
