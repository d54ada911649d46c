import EvalCore
import Testing

@Suite struct RedactorTests {
  let secret = #"sk-p@ss"wörd/+=1"#

  @Test func `A secret goes in every spelling that an echo may use`() {
    let redactor = Redactor(secrets: [secret])
    let json = JSONValue.string(secret).serialized()
    let encoded = "sk-p%40ss%22w%C3%B6rd%2F%2B%3D1"
    let basic = (0..<3).map { base64(Array("\(String(repeating: "u", count: $0)):\(secret):tail".utf8)) }
    for text in [secret, json, encoded, encoded.lowercased(), base64(Array(secret.utf8))] + basic {
      let clean = redactor.redact("before \(text) after")
      #expect(clean.contains(Redactor.mark) && clean.hasPrefix("before ") && clean.hasSuffix(" after"))
      #expect(!clean.contains(secret) && !clean.contains("sk-p") && !clean.contains(text))
    }
  }

  @Test func `A secret that holds another leaves no rest`() {
    let redactor = Redactor(secrets: ["abcd", "abcdefgh"])
    #expect(redactor.redact("x abcdefgh y abcd z") == "x [redacted] y [redacted] z")
  }

  @Test func `Texts without a secret stay as they are`() {
    let redactor = Redactor(secrets: ["hunter2"])
    #expect(redactor.redact("nothing here") == "nothing here")
    #expect(Redactor(secrets: ["abc"]).redact("abc abc") == "abc abc", "too short to be a secret")
    #expect(Redactor(secrets: []).redact("x") == "x")
  }

  @Test(arguments: 1...24) func `A text that comes in pieces shows no secret, however it is cut`(size: Int) {
    let redactor = Redactor(secrets: ["secret-abcdef", "secret-abcdefghi", "ghi-jkl-mno"])
    let text = "a secret-abcdefghi b secret-abcdef, sec secret-abcdefghi-jkl-mno secret-abcde é ghi-jkl-mn"
    var bytes = Array(text.utf8)[...]
    var held: [UInt8] = []
    var shown: [UInt8] = []
    while !bytes.isEmpty {
      held += bytes.prefix(size)
      bytes = bytes.dropFirst(size)
      let count = redactor.settled(held)
      shown += redactor.redact(Array(held[..<count]))
      held.removeFirst(count)
    }
    shown += redactor.redact(held)
    #expect(String(decoding: shown, as: UTF8.self) == redactor.redact(text))
  }

  @Test func `Nothing is held back that cannot become a secret`() {
    let redactor = Redactor(secrets: ["hunter2"])
    #expect(redactor.settled(Array("plain text".utf8)) == 10)
    #expect(redactor.settled(Array("plain hunt".utf8)) == 6)
    #expect(redactor.settled(Array("plain hunter2".utf8)) == 13)
  }

  @Test func `Keys and values of JSON are cleaned alike`() {
    let value: JSONValue = ["hunter2": ["a hunter2 b", 1, .null]]
    #expect(Redactor(secrets: ["hunter2"]).redact(value) == ["[redacted]": ["a [redacted] b", 1, .null]])
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `Base64 is RFC 4648's`(text: String, expected: String) {
    #expect(base64(Array(text.utf8)) == expected)
  }
}
