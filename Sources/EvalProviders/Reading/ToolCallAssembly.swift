import EvalCore

/// Puts tool calls together from fragments that servers label with an index, an id, both, or neither.
struct ToolCallAssembly {
  /// One delta of a call, as the wire has it.
  struct Fragment {
    var index: Int?
    var id: String?
    var name: String?
    /// A string in pieces, or the whole arguments as an object.
    var arguments: JSONView?
    /// The call is here in one piece, whatever its labels.
    var isWhole = false
  }

  private struct Part {
    var index: Int?
    var id: String?
    var name = ""
    var arguments = AnswerText()
  }

  private var parts: [Part] = []

  var isEmpty: Bool { parts.allSatisfy { $0.name.isEmpty && $0.arguments.isEmpty } }

  /// - Returns: the call's place, and whether the fragment holds a name or arguments. Both make it output.
  @discardableResult
  mutating func add(_ fragment: Fragment) -> (place: Int, bearsToken: Bool) {
    let place = place(of: fragment)
    var bearsToken = false
    if let id = fragment.id, !id.isEmpty, parts[place].id == nil { parts[place].id = id }
    if let name = fragment.name, !name.isEmpty {
      bearsToken = true
      merge(name: name, at: place)
    }
    if let arguments = fragment.arguments {
      if arguments.kind == .string {
        if parts[place].arguments.append(arguments) { bearsToken = true }
      } else if !arguments.isNull, parts[place].arguments.append(arguments.value.serialized(.compact)) {
        bearsToken = true
      }
    }
    return (place, bearsToken)
  }

  /// The calls in the order in which they began. Empty arguments read as `{}`; text that is not JSON stays text.
  var calls: [ToolCall] {
    parts.filter { !$0.name.isEmpty || !$0.arguments.isEmpty }.map { part in
      ToolCall(id: part.id, name: part.name, arguments: Self.parsed(part.arguments.text))
    }
  }

  static func parsed(_ text: String) -> JSONValue {
    let text = text.trimmed
    if text.isEmpty { return .object([:]) }
    return (try? JSONValue.parse(text)) ?? .string(text)
  }

  /// The call that a fragment goes on with, or a new one.
  private mutating func place(of fragment: Fragment) -> Int {
    let id = fragment.id.flatMap { $0.isEmpty ? nil : $0 }
    if fragment.isWhole { return begin(fragment.index, id) }
    let name = fragment.name.flatMap { $0.isEmpty ? nil : $0 }
    if let id, let known = parts.lastIndex(where: { $0.id == id }),
      fragment.index == nil || parts[known].index == nil || parts[known].index == fragment.index
    {
      return beginsAnew(fragment, name, after: parts[known]) ? begin(fragment.index, id) : known
    }
    let candidate =
      fragment.index == nil
      ? parts.indices.last : parts.lastIndex { $0.index == fragment.index }
    // A new id that comes alone announces a call; one that comes with arguments only was made up for the fragment.
    let announces = name == nil && id != nil && fragment.arguments?.isEmptyString ?? true
    if let candidate, !(announces && parts[candidate].id != nil),
      goesOn(parts[candidate], id: id, name: name, hasIndex: fragment.index != nil)
    {
      return candidate
    }
    return begin(fragment.index, id)
  }

  private mutating func begin(_ index: Int?, _ id: String?) -> Int {
    parts.append(Part(index: index, id: id))
    return parts.count - 1
  }

  /// Servers that give every call one id tell a new call by a name and arguments after arguments that are whole.
  private func beginsAnew(_ fragment: Fragment, _ name: String?, after part: Part) -> Bool {
    guard let name, !part.name.isEmpty,
      name != part.name || fragment.arguments.map({ !$0.isNull && !$0.isEmptyString }) ?? false
    else { return false }
    return (try? JSONValue.parse(part.arguments.text.trimmed))?.objectValue != nil
  }

  /// Servers that give every call index 0, or no index, tell a new call by a new id with a name, or by a name after
  /// arguments that are already whole.
  private func goesOn(_ part: Part, id: String?, name: String?, hasIndex: Bool) -> Bool {
    guard let name else { return true }
    if let id, let known = part.id, id != known { return false }
    if part.name.isEmpty { return true }
    if !hasIndex, id == nil, part.id == nil || name != part.name { return false }
    let text = part.arguments.text.trimmed
    return text.isEmpty || (try? JSONValue.parse(text)) == nil
  }

  /// A name comes once; servers also repeat it, send it in pieces, or send it again grown.
  private mutating func merge(name: String, at place: Int) {
    let known = parts[place].name
    if known.isEmpty || name.hasPrefix(known) {
      parts[place].name = name
    } else if parts[place].arguments.isEmpty {
      parts[place].name += name
    }
  }
}
