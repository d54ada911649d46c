import EvalCore

/// What every decoding step needs besides the value in hand: where the value stands, what may be named, and where
/// to put what is wrong.
final class Reader {
  let vocabulary: SuiteVocabulary
  let environment: [String: String]
  var diagnostics = Diagnostics()
  let checks: CheckReader
  /// The tools of all profiles; `nil` while they are not known.
  var offeredTools: [String]?
  /// The text in hand.
  var origin: Origin
  /// The case in hand, for templates; `nil` outside cases, where strings are taken as they are.
  var scope: TemplateScope?

  init(vocabulary: SuiteVocabulary, environment: [String: String], checks: CheckReader, origin: Origin) {
    self.vocabulary = vocabulary
    self.environment = environment
    self.checks = checks
    self.origin = origin

  }

  func location(of view: JSONView) -> SourceLocation { origin.locate(view.range.lowerBound) }

  func path(of view: JSONView) -> String? { origin.path(to: view.range.lowerBound) }

  /// Notes an error at a value or a key.
  /// - Parameter below: a path that continues the view's own.
  func error(
    _ message: String, at view: JSONView, below: String = "", advice: String? = nil, group: String? = nil
  ) {
    note(.error, message, at: view, below: below, advice: advice, group: group)
  }

  func warning(_ message: String, at view: JSONView, advice: String? = nil, group: String? = nil) {
    note(.warning, message, at: view, below: "", advice: advice, group: group)
  }

  private func note(
    _ severity: Problem.Severity, _ message: String, at view: JSONView, below: String, advice: String?,
    group: String?
  ) {
    let path = JSONPath.join(path(of: view), below)
    diagnostics.add(
      Problem(severity, message, at: location(of: view), path: path, advice: advice), group: group)
  }

  /// Notes that a value is not what its key takes.
  func wrong(_ view: JSONView, expected: String, advice: String? = nil) {
    error("expected \(expected), found \(Reader.describe(view))", at: view, advice: advice)
  }

  /// Runs `body` with another text in hand.
  func with<Result>(_ origin: Origin, _ body: () -> Result) -> Result {
    let former = self.origin
    self.origin = origin
    defer { self.origin = former }
    return body()
  }

  /// A value in words, short enough for a message.
  static func describe(_ view: JSONView) -> String {
    switch view.kind {
    case .null: "null"
    case .bool: view.bool == true ? "true" : "false"
    case .number: view.value.serialized(.compact)
    case .string: "the string \(JSONValue.string(shortened(view.string ?? "")).serialized(.compact))"
    case .array: view.count == 0 ? "an empty array" : "an array"
    case .object: view.count == 0 ? "an empty object" : "an object"
    }
  }

  private static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }
}

/// The names that a template of the case in hand may use.
struct TemplateScope {
  /// The case's id, `nil` when it has none of its own.
  var id: String?
  var names: JSONObject

  init(id: String?, variables: JSONObject, reference: JSONValue?) {
    self.id = id
    names = variables
    if let id, names["id"] == nil { names["id"] = .string(id) }
    if let reference, names["reference"] == nil { names["reference"] = reference }
  }

  /// How messages call the case.
  var caseName: String { id.map { "the case '\($0)'" } ?? "this case" }
}

extension Reader {
  /// Fills in a text from the case in hand; `nil` after noting a variable that is not given.
  func render(_ text: String, at view: JSONView) -> String? {
    guard let scope, origin.takesTemplates, Template.isTemplate(text) else { return text }
    do throws(Template.Missing) {
      return try Template.render(text, scope.names)
    } catch {
      note(error, at: view, caseName: scope.caseName)
      return nil
    }
  }

  /// Fills in every string of a value; `nil` after noting a variable that is not given.
  func render(_ value: JSONValue, at view: JSONView) -> JSONValue? {
    guard let scope, origin.takesTemplates, Template.isTemplate(value) else { return value }
    do throws(Template.Missing) {
      return try Template.render(value, scope.names)
    } catch {
      note(error, at: Reader.place(of: error.name, in: view), caseName: scope.caseName)
      return nil
    }
  }

  func note(_ missing: Template.Missing, at view: JSONView, caseName: String) {
    let advice =
      missing.advice ?? #"give it in the case's 'variables', or write \\{{ where two braces are meant"#
    error(
      "the variable '\(missing.name)' is not given by \(caseName)", at: view, advice: advice,
      group: "\(location(of: view)) \(missing.name)")
  }

  /// The first string that asks for a name.
  private static func place(of name: String, in view: JSONView) -> JSONView {
    switch view.kind {
    case .string: return view
    case .array, .object:
      let children = view.kind == .array ? Array(view.elements) : view.members.map(\.value)
      let guilty = children.first { child in
        child.value.templateNames.contains(name)
      }
      return guilty.map { place(of: name, in: $0) } ?? view
    default: return view
    }
  }
}

extension JSONValue {
  /// Every name that the strings of this value ask for.
  var templateNames: [String] {
    switch self {
    case .string(let text): Template.names(in: text)
    case .array(let items): items.flatMap(\.templateNames)
    case .object(let object): object.members.flatMap(\.value.templateNames)
    default: []
    }
  }
}
