import EvalCore
import Synchronization

/// Explains a request that is not recorded by the recorded one that is nearest to it.
final class RecordedNeighbours: Sendable {
  private let recording: Recording
  /// One for each entry of the recording; made at the first miss, so that a replay without one does not pay.
  private let sketches = Mutex<[RequestSketch]?>(nil)

  init(_ recording: Recording) { self.recording = recording }

  func explain(_ request: ExchangeRequest, includeFailures: Bool) -> String {
    let hash = ContentHash(hex: request.hash)
    let same = recording.entries.filter { $0.hash == hash }
    if !same.isEmpty { return explain(request, same, includeFailures: includeFailures) }
    guard let place = nearest(to: request), let nearest = exchange(place) else {
      return "not in the recording, which holds no request"
    }
    let line = recording.entries[place].line
    let differences = RequestDifference.find(recorded: nearest, asked: request)
    return
      "not in the recording; nearest is line \(line) (\(nearest.profile), repeat \(nearest.repeatIndex)): "
      + RequestDifference.words(differences)
  }

  /// The request itself is there, but not so that it may answer.
  private func explain(
    _ request: ExchangeRequest, _ same: [Recording.Entry], includeFailures: Bool
  ) -> String {
    let ofRepeat = same.filter { Int($0.repeatIndex) == request.repeatIndex }
    guard let last = ofRepeat.last else {
      let repeats = Self.list(same.map(\.repeatIndex))
      return "not in the recording for repeat \(request.repeatIndex): "
        + "nearest is line \(same[0].line), the same request; it is recorded for repeat \(repeats)"
    }
    if includeFailures {
      let attempts = Self.list(ofRepeat.map(\.attemptIndex))
      return "not in the recording for attempt \(request.attemptIndex): "
        + "nearest is line \(last.line), the same request; it failed in attempt \(attempts)"
    }
    let outcome = (try? recording.exchange(at: last))?.outcome ?? "failed"
    return "not in the recording as an answer: nearest is line \(last.line), the same request, "
      + "which failed (\(outcome)); failures are not replayed"
  }

  private static func list(_ numbers: [Int32]) -> String {
    let sorted = Set(numbers).sorted()
    let shown = sorted.prefix(8).map(String.init).joined(separator: ", ")
    return sorted.count > 8 ? shown + ", …" : shown
  }

  private func nearest(to request: ExchangeRequest) -> Int? {
    let asked = RequestSketch(endpoint: request.endpoint, model: request.model, body: request.body)
    return sketches.withLock { sketches in
      let all = sketches ?? recording.entries.indices.map(sketch)
      sketches = all
      return all.indices.max { all[$0].likeness(to: asked) < all[$1].likeness(to: asked) }
    }
  }

  private func sketch(_ place: Int) -> RequestSketch {
    guard let exchange = exchange(place) else { return RequestSketch(endpoint: "", model: "", body: .null) }
    return RequestSketch(
      endpoint: exchange.endpoint, model: exchange.model, body: exchange.body ?? .null)
  }

  private func exchange(_ place: Int) -> RecordedExchange? {
    try? recording.exchange(at: recording.entries[place])
  }
}

/// A request boiled down to eight numbers, so that one can be held against a hundred thousand.
struct RequestSketch: Sendable {
  private var slots = SIMD8<UInt32>()

  /// Members that hold the prompt, by dialect.
  static let promptMembers = ["messages", "input", "contents", "prompt"]

  /// The same prompt with other parameters is nearer than another prompt with the same; most of all the last message,
  /// because the ones before it are the same in many cases.
  private static let weights = SIMD8<UInt32>(2, 2, 8, 8, 1, 1, 1, 1)

  init(endpoint: String, model: String, body: JSONValue) {
    slots[0] = Self.hash(endpoint.utf8)
    slots[1] = Self.hash(model.utf8)
    for member in body.objectValue?.members ?? [] {
      let value = Self.hash(member.value.bytes(.canonical))
      if Self.promptMembers.contains(member.key) {
        slots[2] ^= value
        slots[3] ^= member.value.arrayValue?.last.map { Self.hash($0.bytes(.canonical)) } ?? value
      } else {
        let key = Self.hash(member.key.utf8)
        slots[4 + Int(key % 4)] ^= key &+ value
      }
    }
  }

  func likeness(to other: RequestSketch) -> UInt32 {
    Self.weights.replacing(with: 0, where: slots .!= other.slots).wrappedSum()
  }

  /// FNV-1a (Fowler, Noll, Vo); it never leaves the process.
  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
