import EvalCore
import Testing

@Suite struct JSONWriterTests {
  private func write(_ style: JSONStyle) -> String {
    var writer = JSONWriter(style)
    writer.beginObject()
    writer.key("name")
    writer.string("a\"b")
    writer.key("numbers")
    writer.beginArray()
    writer.int(-1)
    writer.int(Int64.max)
    writer.double(0.5)
    writer.double(.nan)
    writer.endArray()
    writer.key("empty")
    writer.beginArray()
    writer.endArray()
    writer.key("none")
    writer.beginObject()
    writer.endObject()
    writer.key("inner")
    writer.raw(["flag": true, "list": [.null, []]])
    writer.key("off")
    writer.bool(false)
    writer.key("null")
    writer.null()
    writer.endObject()
    return writer.text
  }

  @Test func compact() {
    #expect(
      write(.compact)
        == #"{"name":"a\"b","numbers":[-1,9223372036854775807,0.5,null],"empty":[],"none":{},"#
        + #""inner":{"flag":true,"list":[null,[]]},"off":false,"null":null}"#)
  }

  @Test func pretty() {
    #expect(
      write(.pretty) == #"""
        {
          "name": "a\"b",
          "numbers": [
            -1,
            9223372036854775807,
            0.5,
            null
          ],
          "empty": [],
          "none": {},
          "inner": {
            "flag": true,
            "list": [
              null,
              []
            ]
          },
          "off": false,
          "null": null
        }
        """#)
  }

  @Test func escapesWhatMustBeAndNothingElse() {
    let text = String(String.UnicodeScalarView((0...0x2F).compactMap(Unicode.Scalar.init)))
    let expected =
      #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011"#
      + ##"\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f !\"#$%&'()*+,-./""##
    #expect(JSONValue.string(text).serialized() == expected)
    #expect(JSONValue.string("\\é\u{7F}\u{2028}😀</").serialized() == "\"\\\\é\u{7F}\u{2028}😀</\"")
  }

  /// RFC 8785 section 3.2.2 and 3.2.3, with the results of section 3.2.4.
  @Test func canonicalFormIsRFC8785s() throws {
    let input = #"""
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }
      """#
    let output =
      #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
      + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    #expect(try JSONValue.parse(input).serialized(.canonical) == output)
    let keys = #"""
      {"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
       "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
       "\u00f6": "Latin Small Letter O With Diaeresis"}
      """#
    let canonical = try JSONValue.parse(keys).serialized(.canonical)
    #expect(
      try JSONValue.parse(canonical).objectValue?.values == [
        "Carriage Return", "One", "Control", "Latin Small Letter O With Diaeresis", "Euro Sign",
        "Emoji: Grinning Face", "Hebrew Letter Dalet With Dagesh",
      ])
    #expect(
      try JSONValue.parse("[56.0, {\"b\":{\"z\":1,\"y\":2},\"a\":-0}]").serialized(.canonical)
        == #"[56,{"a":0,"b":{"y":2,"z":1}}]"#)
    #expect(JSONValue.integer(9_007_199_254_740_993).serialized(.canonical) == "9007199254740993")
  }
}
