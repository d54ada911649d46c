/// Turns texts into arrays of numbers, one for each character, so that equal numbers mean canonically equivalent
/// characters and nothing slower than integers is compared.
///
/// A number is the character's scalar where there is only one, and a running number above Unicode's range for the
/// rest. Both texts of a comparison go through one table. CR LF counts as two characters.
struct SymbolTable {
  private var clusters: [Character: UInt32] = [:]

  /// The characters below U+0300, found by any of their spellings.
  private static let latin: [Character: UInt32] = {
    var table: [Character: UInt32] = [:]
    for value in UInt32(0)..<0x300 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      table[Character(scalar)] = value
    }
    return table
  }()

  mutating func symbols(of text: String) -> [UInt32] {
    if text.isPlain { return text.unicodeScalars.map(\.value) }
    var symbols: [UInt32] = []
    symbols.reserveCapacity(text.utf8.count)
    for character in text {
      if let ascii = character.asciiValue, character != "\r\n" {
        symbols.append(UInt32(ascii))
      } else if character == "\r\n" {
        symbols += [0x0D, 0x0A]
      } else {
        symbols.append(symbol(of: character))
      }
    }
    return symbols
  }

  private mutating func symbol(of character: Character) -> UInt32 {
    let scalars = character.unicodeScalars
    if scalars.count == 1, let only = scalars.first, only.isPlain { return only.value }
    if let value = SymbolTable.latin[character] { return value }
    if let known = clusters[character] { return known }
    let next = 0x11_0000 + UInt32(clusters.count)
    clusters[character] = next
    return next
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a whole character in its only spelling, whatever plain scalars stand beside it.
  fileprivate var isPlain: Bool { value < 0x300 || (value >= 0x2010 && value <= 0x2026) }
}

extension String {
  /// Whether every scalar is a character of its own in its only spelling: true of Latin text with typographic
  /// quotes and dashes. For such texts comparing bytes is comparing characters.
  var isPlain: Bool {
    var bytes = utf8.makeIterator()
    while let byte = bytes.next() {
      if byte < 0xCC { continue }
      guard byte == 0xE2, bytes.next() == 0x80, let last = bytes.next(), last >= 0x90, last <= 0xA6 else {
        return false
      }
    }
    return true
  }
}

/// Finds texts in texts by canonical equivalence.
enum TextSearch {
  /// Whether `needle` occurs in `text`, character by character; the empty text occurs in every text.
  static func contains(_ text: String, _ needle: String) -> Bool {
    if needle.isEmpty { return true }
    if text.isPlain, needle.isPlain { return bytesContain(text, needle) }
    var table = SymbolTable()
    let pattern = table.symbols(of: needle)
    let symbols = table.symbols(of: text)
    guard pattern.count <= symbols.count else { return false }
    return (0...(symbols.count - pattern.count)).contains { start in
      symbols[start] == pattern[0] && symbols[start...].starts(with: pattern)
    }
  }

  private static func bytesContain(_ text: String, _ needle: String) -> Bool {
    var text = text
    var needle = needle
    return text.withUTF8 { bytes in
      needle.withUTF8 { pattern in
        guard pattern.count <= bytes.count else { return false }
        return (0...(bytes.count - pattern.count)).contains { start in
          guard bytes[start] == pattern[0] else { return false }
          var offset = 1
          while offset < pattern.count, bytes[start + offset] == pattern[offset] { offset += 1 }
          return offset == pattern.count
        }
      }
    }
  }
}
