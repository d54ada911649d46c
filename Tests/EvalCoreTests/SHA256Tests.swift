import EvalCore
import Testing

@Suite struct SHA256Tests {
  /// FIPS 180-4 examples, from NIST's "SHA256.pdf" and "SHA2_Additional.pdf".
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func matchesNISTVectors(_ text: String, _ digest: String) {
    #expect(SHA256.hexOf(text) == digest)
  }

  @Test func matchesNISTVectorOfAMillionLetters() {
    #expect(
      SHA256.hexOf(String(repeating: "a", count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func piecesHashLikeTheWhole() {
    let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for size in [1, 55, 56, 63, 64, 65, 128, 299] {
      var hash = SHA256()
      var rest = bytes[...]
      while !rest.isEmpty {
        hash.update(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      let digest = hash.finalize()
      #expect(digest.count == 32)
      var whole = SHA256()
      bytes.withUnsafeBytes { whole.update($0) }
      #expect(digest == whole.finalize(), "pieces of \(size)")
      #expect(SHA256.hex(digest) == SHA256.hexOf(bytes))
    }
  }

  @Test func contentHashNamesWhatTheJSONMeans() throws {
    let one = try ContentHash(of: .parse(#"{"b": 1.0, "a": [true]}"#), kind: "case")
    let two = try ContentHash(of: .parse(#"{"a":[true],"b":1}"#), kind: "case")
    #expect(one == two)
    #expect(one.hex == SHA256.hexOf("case\u{0}{\"a\":[true],\"b\":1}"))
    #expect(one.short.count == 12 && one.hex.hasPrefix(one.short))
    #expect(one != ContentHash(of: ["a": [true], "b": 1], kind: "profile"))
    #expect(one != ContentHash(of: ["a": [true], "b": 2], kind: "case"))
    #expect(ContentHash(hex: one.hex) == one)
    #expect(ContentHash(hex: one.hex.uppercased()) == nil)
    #expect(ContentHash(hex: one.short) == nil)
  }
}
