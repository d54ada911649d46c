/// The members of a JSON object in insertion order, each key once. `==` and `hash` ignore the order.
package struct JSONObject: Sendable {
  private var storage: [(key: String, value: JSONValue)] = []
  /// The place of each key, kept only where a linear search would be slow.
  private var places: [ExactKey: Int] = [:]

  private static let indexedFrom = 16

  /// A key compared scalar by scalar, so that no two keys of a text become one.
  private struct ExactKey: Hashable {
    let string: String
    static func == (left: ExactKey, right: ExactKey) -> Bool { left.string.hasSameScalars(as: right.string) }
    func hash(into hasher: inout Hasher) { hasher.combine(string) }
  }

  package init() {}

  /// Of a key that occurs twice, the last value stays, at the first one's place.
  package init(_ members: [(key: String, value: JSONValue)]) {
    storage.reserveCapacity(members.count)
    for member in members { self[member.key] = member.value }
  }

  package var members: [(key: String, value: JSONValue)] {
    get { storage }
    set { self = JSONObject(newValue) }
  }

  package var keys: [String] { storage.map(\.key) }
  package var values: [JSONValue] { storage.map(\.value) }
  package var count: Int { storage.count }
  package var isEmpty: Bool { storage.isEmpty }

  /// The value of `key`; setting nil removes the member, setting a new key appends it.
  package subscript(_ key: String) -> JSONValue? {
    get { place(of: key).map { storage[$0].value } }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if let place = place(of: key) {
        storage[place].value = newValue
      } else {
        storage.append((key, newValue))
        if storage.count == Self.indexedFrom {
          index()
        } else if storage.count > Self.indexedFrom {
          places[ExactKey(string: key)] = storage.count - 1
        }
      }
    }
  }

  /// Removes the member called `key`, if there is one, and returns its value.
  @discardableResult
  package mutating func removeValue(forKey key: String) -> JSONValue? {
    guard let place = place(of: key) else { return nil }
    let value = storage.remove(at: place).value
    if storage.count >= Self.indexedFrom { index() } else { places = [:] }
    return value
  }

  private func place(of key: String) -> Int? {
    if storage.count >= Self.indexedFrom { return places[ExactKey(string: key)] }
    return storage.firstIndex { $0.key.hasSameScalars(as: key) }
  }

  private mutating func index() {
    places = [:]
    for (place, member) in storage.enumerated() { places[ExactKey(string: member.key)] = place }
  }
}

extension JSONObject: Hashable {
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.storage.allSatisfy { right[$0.key] == $0.value }
  }

  package func hash(into hasher: inout Hasher) {
    var sum = 0
    for member in storage {
      var inner = Hasher()
      inner.combine(member.key)
      inner.combine(member.value)
      sum ^= inner.finalize()
    }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }
}
