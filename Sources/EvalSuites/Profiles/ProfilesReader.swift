import EvalCore

/// A profile that was read, with what later steps need to speak about it.
struct ReadProfile {
  var draft: ProfileDraft
  /// The key under which the suite has it.
  var nameView: JSONView
  /// What it says itself.
  var ownView: JSONView
  /// False when what it extends is not there: then what it lacks says nothing.
  var isComplete = true
  var profile: Profile { draft.profile }
  var name: String { draft.profile.name }
}

/// Reads the suite's profiles: defaults, what each extends, and its own keys, one over the other.
struct ProfilesReader {
  private let reader: Reader
  private let defaults: Layer?
  private var names: [String] = []
  private var nameViews: [String: JSONView] = [:]
  private var layers: [String: Layer] = [:]

  init(_ view: JSONView, defaults: JSONView?, _ reader: Reader) {
    self.reader = reader
    self.defaults = defaults.flatMap { ObjectTable.profileDefaults.scan($0, reader)?.asProfile }
    for member in view.members {
      let name = member.key.string ?? ""
      if name.isEmpty { reader.error("a profile needs a name", at: member.key) }
      if nameViews[name] != nil {
        reader.error("two profiles are called '\(name)'", at: member.key, advice: "rename one")
        continue
      }
      names.append(name)
      nameViews[name] = member.key
      layers[name] = ObjectTable.profile.scan(member.value, reader)
    }
  }

  func read() -> [ReadProfile] {
    noteExtends()
    var profiles: [ReadProfile] = []
    for name in names {
      guard let view = nameViews[name], let own = layers[name]?.view else { continue }
      var draft = ProfileDraft()
      ObjectTable.profile.read(chain(of: name).map(\.layer), reader, into: &draft)
      draft.profile.name = name
      draft.profile.location = reader.location(of: view)
      draft.profile.instructions = draft.instructions?.text
      profiles.append(ReadProfile(draft: draft, nameView: view, ownView: own, isComplete: isComplete(name)))
    }
    return profiles
  }

  /// The layers of a profile from the defaults up to its own; a cycle is followed once.
  private func chain(of name: String) -> [(name: String, layer: Layer)] {
    var chain: [(name: String, layer: Layer)] = []
    var next: String? = name
    while let name = next, let layer = layers[name], !chain.contains(where: { $0.name == name }) {
      chain.append((name, layer))
      next = extends(layer)?.string
    }
    if let defaults { chain.append(("", defaults)) }
    return chain.reversed()
  }

  private func isComplete(_ name: String) -> Bool {
    chain(of: name).allSatisfy { link in
      link.name.isEmpty || extends(link.layer).map { nameViews[$0.string ?? ""] != nil } ?? true
    }
  }

  private func extends(_ layer: Layer) -> JSONView? { layer.values[0] }

  private func noteExtends() {
    var told: Set<String> = []
    for name in names {
      guard let layer = layers[name], let view = extends(layer), let base = view.string else { continue }
      guard nameViews[base] != nil else {
        reader.error(
          "there is no profile '\(base)' to extend", at: view,
          advice: suggestion(for: base, among: names.filter { $0 != name }))
        continue
      }
      guard let cycle = cycle(from: name), told.isDisjoint(with: cycle) else { continue }
      told.formUnion(cycle)
      reader.error(
        "profiles extend each other in a circle: \((cycle + [name]).joined(separator: " → "))", at: view,
        advice: "remove one 'extends'")
    }
  }

  /// The profiles from `name` back to itself; `nil` when its chain ends.
  private func cycle(from name: String) -> [String]? {
    var seen = [name]
    var next = layers[name].flatMap { extends($0)?.string }
    while let base = next, base != name {
      if seen.contains(base) { return nil }
      seen.append(base)
      next = layers[base].flatMap { extends($0)?.string }
    }
    return next == nil ? nil : seen
  }
}

extension Layer {
  /// The defaults' members, in the order of a profile's keys.
  fileprivate var asProfile: Layer {
    var layer = Layer(view: view, origin: origin, count: 0)
    layer.values = ObjectTable.profile.keys.map { key in
      let index = ObjectTable.profileDefaults.keys.firstIndex { $0.text == key.text }
      return index.flatMap { values[$0] }
    }
    return layer
  }
}
