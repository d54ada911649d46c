import EvalCore

/// The output items of one Responses answer, and which of their parts have come as deltas, so that the events that
/// repeat them add nothing.
///
/// Servers name an item by `output_index`, by `item_id`, by both or by neither: llama.cpp sends no index, bridges send
/// index 0 for every item, GitHub Copilot sends another id with every event (vercel/ai#18548). So the id counts where it
/// is known, else the index, else the last item that is not done; and each only among items of the event's kind.
struct ResponseItems {
  enum Kind { case message, reasoning, call, other }

  /// A set of part numbers. Beyond 63 they share a place.
  struct Parts {
    private var bits: UInt64 = 0

    func contains(_ part: Int64) -> Bool { bits & Self.bit(part) != 0 }
    /// - Parameter part: `nil` where the server does not number its parts: then there is one.
    mutating func insert(_ part: Int64?) { bits |= part.map(Self.bit) ?? .max }
    private static func bit(_ part: Int64) -> UInt64 { 1 << UInt64(min(max(part, 0), 63)) }
  }

  struct Item {
    var kind: Kind
    var index: Int64?
    var id: String?
    var callID: String?
    var content = Parts()
    var summary = Parts()
    /// The channel in which this item's thought comes. Open models give it in full and as a summary: one is read.
    var thought: Thought?
    var hasName = false
    var hasArguments = false
    var isDone = false
  }

  enum Thought { case full, summary }

  var list: [Item] = []

  /// The item that an event goes on with; a new one when no such item has begun.
  mutating func place(of kind: Kind, in event: JSONView) -> Int {
    let id = event["item_id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let index = event["output_index"]?.int
    if let place = find(kind, id: id, index: index) { return place }
    return append(kind, id: id, index: index)
  }

  /// The item of `output_item.added` or `.done`.
  mutating func place(ofItem item: JSONView, _ kind: Kind, in event: JSONView, isNew: Bool) -> Int {
    let id = item["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let callID = item["call_id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let index = event["output_index"]?.int
    if !isNew, let place = find(kind, id: id ?? callID, index: index) {
      if list[place].callID == nil { list[place].callID = callID }
      return place
    }
    let place = append(kind, id: id, index: index)
    list[place].callID = callID
    return place
  }

  /// The call that a terminal snapshot repeats; `nil` when it did not come among the first `count` items. Bridges give
  /// every item one id, so that of the call decides.
  func call(named callID: String?, id: String?, before count: Int) -> Int? {
    list[..<count].lastIndex { item in
      guard item.kind == .call else { return false }
      if let callID, let known = item.callID { return known == callID }
      return id != nil && item.id == id
    }
  }

  private func find(_ kind: Kind, id: String?, index: Int64?) -> Int? {
    func last(_ isRight: (Item) -> Bool) -> Int? { list.lastIndex { $0.kind == kind && isRight($0) } }
    func isNamed(_ item: Item) -> Bool { item.id == id || item.callID == id }
    if id != nil {
      if let place = last({ isNamed($0) && $0.index == index }) ?? last(isNamed) { return place }
    }
    if let index { return last { $0.index == index } }
    return last { !$0.isDone }
  }

  private mutating func append(_ kind: Kind, id: String?, index: Int64?) -> Int {
    list.append(Item(kind: kind, index: index, id: id))
    return list.count - 1
  }
}
