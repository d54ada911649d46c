import EvalCore
import Testing

@Suite struct JSONStringTests {
  /// The string that `literal`, given with its quotes, decodes to.
  private func decode(_ literal: [UInt8]) throws -> (string: String?, bytes: [UInt8]) {
    let view = try JSONDocument(parsing: literal).root
    var bytes: [UInt8] = []
    view.appendUTF8(to: &bytes)
    return (view.string, bytes)
  }

  @Test(arguments: [
    (#""""#, ""), (#""abc""#, "abc"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\u0000""#, "\0"), (#""\ud83d\ude00!""#, "😀!"), (#""\uD83D\uDE00\uD83D\uDE01""#, "😀😁"),
    (#""日本 é 😀""#, "日本 é 😀"), (#""é\n日\u65e5""#, "é\n日日"), (#""\\ud83d""#, "\\ud83d"),
    // Halves without their other half.
    (#""\ud83d""#, "\u{FFFD}"), (#""a\ud83db""#, "a\u{FFFD}b"), (#""\ude00""#, "\u{FFFD}"),
    (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
    (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83dude00""#, "\u{FFFD}ude00"),
  ])
  func decodesEscapes(_ literal: String, _ expected: String) throws {
    let (string, bytes) = try decode(Array(literal.utf8))
    #expect(string.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
    #expect(bytes == Array(expected.utf8))
  }

  /// Swift's own decoder follows the Unicode recommendation on maximal subparts.
  @Test func replacesInvalidUTF8AsTheStandardLibraryDoes() throws {
    var random = SplitMix(state: 7)
    let interesting: [UInt8] = [
      0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
      0xEE, 0xEF,
      0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<20_000 {
      let content = (0..<Int(random.next() % 12)).map { _ in interesting[Int(random.next() % 25)] }
      let expected = String(decoding: content, as: UTF8.self)
      let plain = try decode([0x22] + content + [0x22])
      #expect(plain.string == expected && plain.bytes == Array(expected.utf8), "\(content)")
      // An escape sends the string through the other decoder.
      let escaped = try decode([0x22] + content + Array(#"\n""#.utf8))
      #expect(
        escaped.string == expected + "\n" && escaped.bytes == Array(expected.utf8) + [0x0A], "\(content)")
    }
  }

  @Test func escapesAtEveryOffsetOfAWord() throws {
    for prefix in 0..<20 {
      for suffix in 0..<20 {
        let text = String(repeating: "x", count: prefix) + "é\"\\" + String(repeating: "y", count: suffix)
        let literal = JSONValue.string(text).bytes()
        #expect(try decode(literal).string == text)
        #expect(try decode(literal).bytes == Array(text.utf8))
      }
    }
  }

  @Test(
    arguments: [
      (#""abc\ud83d""#, nil, 0xD83D), (#""\ud83d""#, nil, 0xD83D), (#""\ude00abc""#, 0xDE00, nil),
      (#""\ude00""#, 0xDE00, nil), (#""\ude00 \uDBFF""#, 0xDE00, 0xDBFF), (#""\ud83d\ude00""#, nil, nil),
      (#""\\ud83d""#, nil, nil), (#""\\\ud83d""#, nil, 0xD83D), (#""\\ude00""#, nil, nil),
      (#""\n""#, nil, nil),
      (#""""#, nil, nil), (#""ud83d""#, nil, nil), (#""x\ude00""#, nil, nil), ("17", nil, nil),
    ] as [(String, UInt16?, UInt16?)])
  func tellsWhichHalvesAreCutOff(_ literal: String, _ low: UInt16?, _ high: UInt16?) throws {
    let document = try JSONDocument(parsing: Array(literal.utf8))
    #expect(document.root.leadingLowSurrogate == low)
    #expect(document.root.trailingHighSurrogate == high)
  }

  @Test(
    arguments: [
      ([#""a\ud83d""#, #""\ude00b""#], "a😀b", nil), ([#""\ud83d""#, #""""#, "null", #""\ude00""#], "😀", nil),
      ([#""\ud83d""#, #""x""#], "\u{FFFD}x", nil),
      ([#""\ud83d""#, #""\ud83d""#, #""\ude00""#], "\u{FFFD}😀", nil),
      ([#""\ud83d""#, #""\ude00\ud83d""#, #""\ude01""#], "😀😁", nil),
      ([#""é""#, #""\n\ud83d""#], "é\n", 0xD83D),
      ([#""\ude00""#], "\u{FFFD}", nil), ([#""\ud83d\ude00""#], "😀", nil),
    ] as [([String], String, UInt16?)])
  func joinsPairsCutOverTwoStrings(_ literals: [String], _ expected: String, _ left: UInt16?) throws {
    var bytes: [UInt8] = []
    var pending: UInt16?
    let document = JSONDocument()
    for literal in literals {
      try document.parse(Array(literal.utf8))
      document.root.appendUTF8(to: &bytes, joining: &pending)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
    #expect(pending == left)
  }

  @Test func comparesWithoutDecoding() throws {
    let text = #"["stop","st\u006fp","",null,"é","\u00e9","stop "]"#
    let root = try JSONDocument(parsing: Array(text.utf8)).root
    #expect(root.elements.map { $0.stringEquals("stop") } == [true, true, false, false, false, false, false])
    #expect(root.elements.map { $0.stringEquals("") } == [false, false, true, false, false, false, false])
    #expect(root.elements.map { $0.stringEquals("é") } == [false, false, false, false, true, true, false])
    #expect(root.elements.map(\.isEmptyString) == [false, false, true, false, false, false, false])
  }
}

/// Steele, Lea and Flood's SplitMix64: the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
