import EvalCore

/// What an object is read into: everything as if the object were empty.
protocol Draft: SendableMetatype {
  init()
  /// Told where the value of a key stands, for problems that show up later.
  mutating func note(_ key: String, at view: JSONView, in origin: Origin)
}

extension Draft {
  mutating func note(_ key: String, at view: JSONView, in origin: Origin) {}
}

/// One key of an object of the suite: its name, what it takes, what it means, and where its value goes.
struct Key<Into: Draft>: Sendable {
  let name: StaticString
  let schema: JSONValue
  /// One sentence for the schema and the documentation.
  let summary: String
  var isRequired = false
  /// An object here is added to the inherited one member by member.
  var isMerged = false
  /// Of the keys of one group an object has one, and it hides the others that would be inherited.
  var group: String?
  let apply: @Sendable (inout Into, JSONView, Reader) -> Void

  var text: String { "\(name)" }

  /// A key whose value goes to one property.
  init<Value>(
    _ name: StaticString, _ path: any WritableKeyPath<Into, Value> & Sendable, _ shape: Shape<Value>,
    _ summary: String
  ) {
    self.init(name, schema: shape.schema, summary) { draft, view, reader in
      if let value = shape.read(view, reader) { draft[keyPath: path] = value }
    }
  }

  /// A key whose value goes to one property that may be absent.
  init<Value>(
    _ name: StaticString, _ path: any WritableKeyPath<Into, Value?> & Sendable, _ shape: Shape<Value>,
    _ summary: String
  ) {
    self.init(name, schema: shape.schema, summary) { draft, view, reader in
      if let value = shape.read(view, reader) { draft[keyPath: path] = value }
    }
  }

  init(
    _ name: StaticString, schema: JSONValue, _ summary: String,
    apply: @escaping @Sendable (inout Into, JSONView, Reader) -> Void
  ) {
    self.name = name
    self.schema = schema
    self.summary = summary
    self.apply = apply
  }

  func required() -> Key { with { $0.isRequired = true } }
  func merged() -> Key { with { $0.isMerged = true } }
  func oneOf(_ group: String) -> Key { with { $0.group = group } }

  private func with(_ change: (inout Key) -> Void) -> Key {
    var copy = self
    change(&copy)
    return copy
  }
}

/// An object of the suite: the one list of its keys, from which it is read, from which the JSON Schema and the
/// documentation are made.
struct ObjectTable<Into: Draft>: Sendable {
  /// Its name under `$defs`.
  let name: String
  let summary: String
  let keys: [Key<Into>]
  /// Further members of its JSON Schema.
  let extra: JSONObject

  init(_ name: String, _ summary: String, extra: JSONObject = [:], _ keys: [Key<Into>]) {
    self.name = name
    self.summary = summary
    self.keys = keys
    self.extra = extra
  }

  /// The same table without some keys, under another name.
  func without(_ names: Set<String>, name: String, summary: String) -> ObjectTable {
    ObjectTable(name, summary, keys.filter { !names.contains($0.text) })
  }

  /// A value of this kind, read with nothing inherited.
  var shape: Shape<Into> {
    Shape(Shape<Into>.reference(name)) { view, reader in
      let before = reader.diagnostics.errorCount
      let draft = readAnyway(view, reader)
      return reader.diagnostics.errorCount == before ? draft : nil
    }
  }

  /// A value of this kind, with what can be read of one that is wrong, for objects that only hold others.
  var tolerantShape: Shape<Into> {
    Shape(Shape<Into>.reference(name)) { view, reader in readAnyway(view, reader) }
  }

  /// Reads what can be read, after noting what is wrong; `nil` only for what is no object.
  func readAnyway(_ view: JSONView, _ reader: Reader) -> Into? {
    guard let layer = scan(view, reader) else { return nil }
    var draft = Into()
    noteMissing([layer], reader)
    read([layer], reader, into: &draft)
    return draft
  }

  /// Finds the known members of an object and notes those that are unknown or given twice.
  /// - Returns: `nil` when the value is no object.
  func scan(_ view: JSONView, _ reader: Reader, ignoresUnknown: Bool = false) -> Layer? {
    guard view.kind == .object else {
      reader.wrong(view, expected: "an object")
      return nil
    }
    var layer = Layer(view: view, origin: reader.origin, count: keys.count)
    for member in view.members {
      if let index = keys.firstIndex(where: { member.key.stringEquals($0.name) }) {
        if layer.values[index] != nil { noteTwice(member.key, reader) }
        layer.values[index] = member.value
      } else if !ignoresUnknown {
        noteUnknown(member.key, reader)
      }
    }
    noteGroups(layer, reader)
    return layer
  }

  /// Reads layers from the bottom up: of each key the topmost value counts, objects of merged keys are added up, and
  /// `null` is as if nothing had been given.
  /// - Parameter part: the keys to read, all unless given.
  func read(_ layers: [Layer], _ reader: Reader, part: Range<Int>? = nil, into draft: inout Into) {
    for index in part ?? keys.indices {
      if !layers.indices.contains(where: { layers[$0].values[index] != nil }) { continue }
      let key = keys[index]
      for layer in effective(layers, index: index) {
        guard let view = layer.values[index] else { continue }
        reader.with(layer.origin) { key.apply(&draft, view, reader) }
        draft.note(key.text, at: view, in: layer.origin)
      }
    }
  }

  /// Notes the required keys that no layer has, at the topmost layer.
  func noteMissing(_ layers: [Layer], _ reader: Reader) {
    guard let top = layers.last else { return }
    for (index, key) in keys.enumerated() where key.isRequired {
      let isThere = layers.contains { $0.values[index].map { !$0.isNull } ?? false }
      if isThere { continue }
      reader.with(top.origin) { reader.error("'\(key.text)' is missing", at: top.view, advice: key.summary) }
    }
  }

  /// The layers whose value of a key counts, lowest first.
  private func effective(_ layers: [Layer], index: Int) -> ArraySlice<Layer> {
    let key = keys[index]
    var start = layers.count
    while start > 0 {
      start -= 1
      if let view = layers[start].values[index] {
        if view.isNull { return layers[(start + 1)...] }
        if !key.isMerged || view.kind != .object { return layers[start...] }
      } else if let group = key.group, hasOther(in: group, than: index, layers[start]) {
        return layers[(start + 1)...]
      }
    }
    return layers[...]
  }

  private func hasOther(in group: String, than index: Int, _ layer: Layer) -> Bool {
    keys.indices.contains { other in
      other != index && keys[other].group == group && layer.values[other].map { !$0.isNull } ?? false
    }
  }

  private func noteTwice(_ key: JSONView, _ reader: Reader) {
    reader.error("'\(key.string ?? "")' is given twice", at: key, advice: "keep one of them")
  }

  private func noteUnknown(_ key: JSONView, _ reader: Reader) {
    let name = key.string ?? ""
    let names = keys.map(\.text)
    let advice = suggestion(for: name, among: names) ?? "the keys here are \(names.joined(separator: ", "))"
    reader.error("'\(name)' is not a key of \(summary)", at: key, advice: advice)
  }

  private func noteGroups(_ layer: Layer, _ reader: Reader) {
    var first: [String: Int] = [:]
    for (index, key) in keys.enumerated() {
      guard let group = key.group, let view = layer.values[index], !view.isNull else { continue }
      guard let other = first[group] else {
        first[group] = index
        continue
      }
      reader.error(
        "'\(key.text)' cannot stand beside '\(keys[other].text)'", at: view, advice: "keep one of them")
    }
  }
}

/// One object's members by the keys of its table.
struct Layer {
  let view: JSONView
  let origin: Origin
  var values: [JSONView?]
  /// Members of a case's `variables` or `signals` that a case file maps one by one.
  var members: [MappedMember] = []

  init(view: JSONView, origin: Origin, count: Int) {
    self.view = view
    self.origin = origin
    values = [JSONView?](repeating: nil, count: count)
  }
}

/// One variable or signal that comes from a column of its own.
struct MappedMember {
  enum Object: String { case variables, signals }

  var object: Object
  var name: String
  var view: JSONView
}
