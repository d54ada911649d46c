extension JSONView {
  /// The elements of an array in text order; empty when the value is no array.
  package var elements: JSONElements {
    JSONElements(view: self, end: entry.tag == .array ? entry.next : 0)
  }

  /// The members of an object in text order, duplicates included; empty when the value is no object.
  package var members: JSONMembers {
    JSONMembers(view: self, end: entry.tag == .object ? entry.next : 0)
  }

  /// The number of elements or members, duplicates included; 0 for any other value.
  package var count: Int {
    let tape = storage.pointee.tape
    let entry = entry
    let step: UInt32
    switch entry.tag {
    case .array: step = 0
    case .object: step = 1
    default: return 0
    }
    var count = 0
    var cursor = index &+ 1
    while cursor < entry.next {
      cursor = tape[Int(cursor &+ step)].next
      count += 1
    }
    return count
  }
}

/// The elements of a JSON array.
package struct JSONElements: Sequence {
  let view: JSONView
  let end: UInt32

  package struct Iterator: IteratorProtocol {
    let view: JSONView
    let end: UInt32
    var cursor: UInt32

    package mutating func next() -> JSONView? {
      guard cursor < end else { return nil }
      let element = view.view(at: cursor)
      cursor = element.entry.next
      return element
    }
  }

  package func makeIterator() -> Iterator { Iterator(view: view, end: end, cursor: view.index &+ 1) }
  package var underestimatedCount: Int { end == 0 ? 0 : view.count }
}

/// The members of a JSON object; each key is a view of kind string.
package struct JSONMembers: Sequence {
  let view: JSONView
  let end: UInt32

  package struct Iterator: IteratorProtocol {
    let view: JSONView
    let end: UInt32
    var cursor: UInt32

    package mutating func next() -> (key: JSONView, value: JSONView)? {
      guard cursor < end else { return nil }
      let key = view.view(at: cursor)
      let value = view.view(at: cursor &+ 1)
      cursor = value.entry.next
      return (key, value)
    }
  }

  package func makeIterator() -> Iterator { Iterator(view: view, end: end, cursor: view.index &+ 1) }
  package var underestimatedCount: Int { end == 0 ? 0 : view.count }
}
