/// One value of a parsed text, read in place. It keeps its document alive, and is valid until the document
/// parses again: using it later traps.
package struct JSONView {
  package enum Kind: Sendable, Hashable { case null, bool, number, string, array, object }

  let document: JSONDocument
  private(set) var index: UInt32
  let generation: UInt32

  @inline(__always)
  init(document: JSONDocument, index: UInt32, generation: UInt32) {
    self.document = document
    self.index = index
    self.generation = generation
  }

  @inline(__always)
  var storage: UnsafeMutablePointer<JSONTapeStorage> {
    let storage = document.storage
    precondition(storage.pointee.generation == generation, "a JSONView outlived its text")
    return storage
  }

  @inline(__always)
  var entry: JSONTapeEntry { storage.pointee.tape[Int(index)] }

  @inline(__always)
  func view(at index: UInt32) -> JSONView {
    JSONView(document: document, index: index, generation: generation)
  }

  package var kind: Kind {
    switch entry.tag.base {
    case JSONTapeEntry.Tag.null.bits: .null
    case JSONTapeEntry.Tag.number.bits: .number
    case JSONTapeEntry.Tag.string.bits: .string
    case JSONTapeEntry.Tag.array.bits: .array
    case JSONTapeEntry.Tag.object.bits: .object
    default: .bool
    }
  }

  package var isNull: Bool { entry.tag == .null }

  /// The value as a Boolean; nil when it is no `true` or `false`.
  package var bool: Bool? {
    let tag = entry.tag
    return tag == .true ? true : tag == .false ? false : nil
  }

  /// Where the value stands, in bytes of the parsed text; a string's range includes its quotes.
  package var range: Range<Int> {
    let entry = entry
    return Int(entry.start)..<Int(entry.end)
  }

  /// The member called `key`, the last one if the key occurs twice; nil when this is no object or has none.
  package subscript(_ key: StaticString) -> JSONView? {
    consuming get {
      let place = place(of: key)
      return moved(to: place)
    }
  }

  /// The member called `key`, the last one if the key occurs twice; nil when this is no object or has none.
  ///
  /// Generic, because a literal key would choose a `String` before a `StaticString`.
  @_disfavoredOverload
  package subscript(_ key: some StringProtocol) -> JSONView? {
    consuming get {
      let place = place(of: String(key))
      return moved(to: place)
    }
  }

  /// The element at `position`, counted from 0; nil when this is no array or has no such element.
  package subscript(_ position: Int) -> JSONView? {
    consuming get {
      let place = place(of: position)
      return moved(to: place)
    }
  }

  /// This view pointed at another node; place 0 is the root, which is nobody's child, and stands for none.
  ///
  /// The subscripts consume their view and pass its reference on, so that a chain of them counts it once.
  @inline(__always)
  private consuming func moved(to place: UInt32) -> JSONView? {
    guard place != 0 else { return nil }
    index = place
    return self
  }

  @inline(__always)
  private func place(of key: StaticString) -> UInt32 {
    if key.hasPointerRepresentation {
      return place(of: UnsafeRawPointer(key.utf8Start), key.utf8CodeUnitCount)
    }
    return key.withUTF8Buffer { place(of: UnsafeRawPointer($0.baseAddress!), $0.count) }
  }

  private func place(of key: String) -> UInt32 {
    var key = key
    return key.withUTF8 { bytes in
      // An empty string may have no address; any will do for no bytes.
      place(of: UnsafeRawPointer(bytes.baseAddress ?? UnsafePointer(storage.pointee.scratch)), bytes.count)
    }
  }

  private func place(of key: UnsafeRawPointer, _ count: Int) -> UInt32 {
    let storage = storage
    let tape = storage.pointee.tape
    guard tape[Int(index)].tag == .object else { return 0 }
    let end = tape[Int(index)].next
    var found: UInt32 = 0
    var cursor = index &+ 1
    while cursor < end {
      if storage.pointee.string(tape[Int(cursor)], equals: key, count) { found = cursor &+ 1 }
      cursor = tape[Int(cursor &+ 1)].next
    }
    return found
  }

  private func place(of position: Int) -> UInt32 {
    let tape = storage.pointee.tape
    let entry = tape[Int(index)]
    guard entry.tag == .array, position >= 0 else { return 0 }
    var cursor = index &+ 1
    var remaining = position
    while cursor < entry.next {
      if remaining == 0 { return cursor }
      remaining &-= 1
      cursor = tape[Int(cursor)].next
    }
    return 0
  }

  /// An owned copy. Of a key that occurs twice, the last value stays, at the first one's place.
  package var value: JSONValue {
    switch kind {
    case .null: return .null
    case .bool: return .bool(entry.tag == .true)
    case .number: return numberValue
    case .string: return .string(string ?? "")
    case .array:
      var elements: [JSONValue] = []
      elements.reserveCapacity(count)
      for element in self.elements { elements.append(element.value) }
      return .array(elements)
    case .object:
      var object = JSONObject()
      for member in members { object[member.key.string ?? ""] = member.value.value }
      return .object(object)
    }
  }
}
