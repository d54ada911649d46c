/// The identity of a value by its content: SHA-256 of the kind and the canonical JSON.
///
/// The kind separates domains, so that a case and a profile of the same JSON are not the same thing. Held as four words,
/// not as text: a large run keeps one for every case.
package struct ContentHash: Sendable, Hashable, CustomStringConvertible {
  fileprivate let words: (UInt64, UInt64, UInt64, UInt64)

  /// Hashes `kind`, a zero byte and the canonical form of `value`.
  package init(of value: JSONValue, kind: String) {
    var hash = SHA256()
    hash.update(kind.utf8)
    hash.update(CollectionOfOne(0))
    hash.update(value.bytes(.canonical))
    self.init(digest: hash.finalize())
  }

  /// Reads 64 lowercase hexadecimal digits; `nil` for anything else.
  package init?(hex: String) {
    let digits = Array(hex.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for pair in stride(from: 0, to: 64, by: 2) {
      guard let high = ContentHash.value(digits[pair]), let low = ContentHash.value(digits[pair + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.init(digest: bytes)
  }

  /// - Parameter digest: 32 bytes.
  package init(digest: [UInt8]) {
    precondition(digest.count == 32)
    func word(_ at: Int) -> UInt64 { digest[at..<at + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    words = (word(0), word(8), word(16), word(24))
  }

  /// The 32 bytes.
  package var digest: [UInt8] {
    [words.0, words.1, words.2, words.3].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// 64 lowercase hexadecimal digits.
  package var hex: String { SHA256.hex(digest) }

  /// The first 12 digits, for people.
  package var short: String { String(hex.prefix(12)) }

  /// The first 8 bytes as a number, for tables and draws that need no more.
  package var firstWord: UInt64 { words.0 }

  package var description: String { hex }

  package static func == (left: ContentHash, right: ContentHash) -> Bool { left.words == right.words }

  package func hash(into hasher: inout Hasher) {
    // The words are already mixed; one is enough to spread them.
    hasher.combine(words.0)
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// The hash of a collection whose order does not count: the sum of its members' hashes, word by word (Bellare and
/// Micciancio, "A New Paradigm for Collision-Free Hashing", EUROCRYPT 1997, the additive construction).
///
/// It tells apart what people change, it does not withstand somebody who forges members.
package struct UnorderedHash: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private var count: Int64 = 0

  package init() {}

  package init(_ members: some Sequence<ContentHash>) {
    for member in members { add(member) }
  }

  package mutating func add(_ member: ContentHash) {
    add(member.words)
  }

  /// Adds a member that consists of a hash and a number, which are mixed so that members cannot swap their numbers.
  package mutating func add(_ member: ContentHash, with number: UInt64) {
    func mixed(_ word: UInt64) -> UInt64 {
      var random = SeededRandom(seed: word ^ number)
      return random.next()
    }
    add((mixed(member.words.0), mixed(member.words.1), mixed(member.words.2), mixed(member.words.3)))
  }

  private mutating func add(_ other: (UInt64, UInt64, UInt64, UInt64)) {
    words.0 &+= other.0
    words.1 &+= other.1
    words.2 &+= other.2
    words.3 &+= other.3
    count += 1
  }

  /// The sum and the number of members, to go into another hash.
  package var json: JSONValue {
    let text = [words.0, words.1, words.2, words.3].map { String($0, radix: 16) }.joined(separator: ".")
    return ["sum": .string(text), "count": .integer(count)]
  }
}
