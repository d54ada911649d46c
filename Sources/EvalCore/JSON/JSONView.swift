/// One value of a parsed text, read in place. It keeps its document alive, and is valid until the document
/// parses again: using it later traps.
package struct JSONView {
  package enum Kind: Sendable, Hashable { case null, bool, number, string, array, object }

  let document: JSONDocument
  let index: UInt32
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
    if key.hasPointerRepresentation {
      return member(UnsafeRawPointer(key.utf8Start), key.utf8CodeUnitCount)
    }
    return key.withUTF8Buffer { member(UnsafeRawPointer($0.baseAddress!), $0.count) }
  }

  /// The member called `key`, the last one if the key occurs twice; nil when this is no object or has none.
  @_disfavoredOverload
  package subscript(_ key: String) -> JSONView? {
    var key = key
    return key.withUTF8 { bytes in
      // An empty string may have no address; any will do for no bytes.
      member(UnsafeRawPointer(bytes.baseAddress ?? UnsafePointer(storage.pointee.scratch)), bytes.count)
    }
  }

  private func member(_ key: UnsafeRawPointer, _ count: Int) -> JSONView? {
    let storage = storage
    let tape = storage.pointee.tape
    guard tape[Int(index)].tag == .object else { return nil }
    let end = tape[Int(index)].next
    var found: UInt32 = 0
    var cursor = index &+ 1
    while cursor < end {
      if storage.pointee.string(tape[Int(cursor)], equals: key, count) { found = cursor &+ 1 }
      cursor = tape[Int(cursor &+ 1)].next
    }
    return found == 0 ? nil : view(at: found)
  }

  /// The element at `position`, counted from 0; nil when this is no array or has no such element.
  package subscript(_ position: Int) -> JSONView? {
    let tape = storage.pointee.tape
    let entry = tape[Int(index)]
    guard entry.tag == .array, position >= 0 else { return nil }
    var cursor = index &+ 1
    var remaining = position
    while cursor < entry.next {
      if remaining == 0 { return view(at: cursor) }
      remaining &-= 1
      cursor = tape[Int(cursor)].next
    }
    return nil
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
