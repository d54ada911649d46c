import EvalCore
import Testing

@Suite struct JSONSyntaxTests {
  static let accepted = [
    "null", "true", "false", "0", "-0", "-1", "123", "1.5", "-0.0", "1e5", "1E+5", "1.25e-3", "\"\"", "\"a\"",
    " \t\r\n1 \n", "[]", "[ ]", "{}", "{ }", "[1]", "[1,2]", "[1 , 2 ]", "[[]]", "[[],[]]", "{\"a\":1}",
    "{\"a\":1,\"a\":2}", "{\"\":0}", "{\"a\" : [ ] , \"b\":{} }", "[null,true,false,\"x\",1,{\"k\":[{}]}]",
    #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\uD83D\uDE00""#, #""\uD83D""#, #""\uDE00x""#, "\"\u{7F}\"",
    "\"\u{2028}é😀\"", "9223372036854775807", "123456789012345678901234567890", "[1e-400]",
    "1.7976931348623157e308",
    #"{"\u0061":1}"#, "[\"/*not a comment*/\",\"//\"]",
  ]

  static let refused: [(text: String, offset: Int, message: String)] = [
    ("", 0, "unexpected end of text"), ("  ", 2, "unexpected end of text"),
    ("1 2", 2, "unexpected '2' after the value"), ("[1] x", 4, "unexpected 'x' after the value"),
    ("{} {}", 3, "unexpected '{' after the value"), ("null,", 4, "unexpected ',' after the value"),
    ("oops", 0, "unexpected 'oops'"), ("[oops]", 1, "unexpected 'oops'"), ("nul", 0, "unexpected 'nul'"),
    ("nullx", 0, "unexpected 'nullx'"), ("True", 0, "unexpected 'True'"), ("NaN", 0, "unexpected 'NaN'"),
    ("[Infinity]", 1, "unexpected 'Infinity'"), ("-Infinity", 0, "expected a digit after '-'"),
    ("'a'", 0, "unexpected ''', expected a value"), ("[,1]", 1, "unexpected ',', expected a value"),
    ("[1,,2]", 3, "unexpected ',', expected a value"), ("]", 0, "unexpected ']', expected a value"),
    ("[é]", 1, "unexpected 'é', expected a value"),
    ("\u{1}", 0, "unexpected control character U+0001, expected a value"),
    ("[1", 2, "unexpected end of text"), ("[", 1, "unexpected end of text"),
    ("[1,", 3, "unexpected end of text"),
    ("{", 1, "unexpected end of text"), ("{\"a\"", 4, "unexpected end of text"),
    ("{\"a\":", 5, "unexpected end of text"), ("{\"a\":1", 6, "unexpected end of text"),
    ("[1 2]", 3, "expected ',' or ']' after an element, found '2'"),
    ("[1}", 2, "expected ',' or ']' after an element, found '}'"),
    ("{\"a\":1]", 6, "expected ',' or '}' after a member, found ']'"),
    ("{\"a\":1 \"b\":2}", 7, "expected ',' or '}' after a member, found '\"'"),
    ("{\"a\" 1}", 5, "expected ':' after a key, found '1'"),
    ("{\"a\":}", 5, "unexpected '}', expected a value"),
    ("{a:1}", 1, "expected a key in double quotes or '}', found 'a'"),
    ("{1:1}", 1, "expected a key in double quotes or '}', found '1'"),
    ("{\"a\":1,b:2}", 7, "expected a key in double quotes, found 'b'"),
    ("{,}", 1, "expected a key in double quotes or '}', found ','"),
    ("\"abc", 0, "unterminated string"), ("[\"abc]", 1, "unterminated string"),
    ("\"", 0, "unterminated string"),
    ("\"\\", 0, "unterminated string"), ("\"\\\"", 0, "unterminated string"),
    ("\"\\u12", 0, "unterminated string"),
    ("\"a\nb\"", 2, #"line break inside a string (write \n, or close the string)"#),
    ("\"a\tb\"", 2, #"tab inside a string (write \t)"#),
    ("\"a\u{0}b\"", 2, #"control character inside a string (write it as \u00XX)"#),
    ("\"ab\u{1F}\"", 3, #"control character inside a string (write it as \u00XX)"#),
    (#""a\x""#, 2, #"invalid escape (expected one of \" \\ \/ \b \f \n \r \t \u)"#),
    (#""\u12G4""#, 1, #"\u needs four hexadecimal digits"#),
    (#""\u""#, 1, #"\u needs four hexadecimal digits"#),
    ("01", 0, "a number may not begin with 0"), ("-01", 0, "a number may not begin with 0"),
    ("[00]", 1, "a number may not begin with 0"), ("+1", 0, "a number may not begin with '+'"),
    (".5", 0, "expected a digit before '.'"), ("1.", 0, "expected a digit after '.'"),
    ("1.e1", 0, "expected a digit after '.'"), ("-.5", 0, "expected a digit after '-'"),
    ("-", 0, "expected a digit after '-'"), ("1e", 0, "expected a digit in the exponent"),
    ("1e+", 0, "expected a digit in the exponent"), ("[1e400]", 1, "number is beyond the range of a double"),
    ("-1e400", 0, "number is beyond the range of a double"), ("0x10", 1, "unexpected 'x10' after the value"),
    ("[1]\u{0}", 3, "unexpected control character U+0000 after the value"),
    ("\u{A0}1", 0, "unexpected '\u{A0}', expected a value"),
  ]

  @Test(arguments: JSONDialectCase.allCases)
  func acceptsWhatTheGrammarAllows(_ dialect: JSONDialectCase) throws {
    for text in Self.accepted {
      #expect(throws: Never.self, "\(text)") { try JSONValue.parse(text, dialect.value) }
    }
  }

  @Test(arguments: JSONDialectCase.allCases)
  func refusesEverythingElseWhereItStands(_ dialect: JSONDialectCase) {
    for (text, offset, message) in Self.refused {
      #expect(throws: JSONSyntaxError(offset: offset, message: message), "\(text.debugDescription)") {
        try JSONValue.parse(text, dialect.value)
      }
    }
  }

  static let relaxedOnly: [(text: String, value: JSONValue, offset: Int, message: String)] = [
    ("[1,]", [1], 2, "trailing comma"), ("[1 , ]", [1], 3, "trailing comma"),
    ("{\"a\":1,}", ["a": 1], 6, "trailing comma"), ("{\"a\":[1,],}", ["a": [1]], 7, "trailing comma"),
    ("// a\n1", 1, 0, "comments are not allowed here"), ("1 // end", 1, 2, "comments are not allowed here"),
    ("[1, /* two */ 2]", [1, 2], 4, "comments are not allowed here"),
    ("/**/{/***/\"a\"/* : */:/**/1/**/}/**/", ["a": 1], 0, "comments are not allowed here"),
    ("[1 // one\r, 2]", [1, 2], 3, "comments are not allowed here"),
    ("\u{FEFF}[1]", [1], 0, "unexpected byte order mark"),
  ]

  @Test func relaxedDialectTakesCommentsTrailingCommasAndByteOrderMark() throws {
    for (text, value, offset, message) in Self.relaxedOnly {
      #expect(try JSONValue.parse(text, .relaxed) == value, "\(text)")
      #expect(throws: JSONSyntaxError(offset: offset, message: message), "\(text)") {
        try JSONValue.parse(text, .strict)
      }
    }
  }

  static let refusedByRelaxed: [(text: String, offset: Int, message: String)] = [
    ("[1,,]", 3, "unexpected ',', expected a value"), ("[,]", 1, "unexpected ',', expected a value"),
    ("{,}", 1, "expected a key in double quotes or '}', found ','"),
    ("{\"a\":1,,}", 7, "expected a key in double quotes, found ','"),
    ("[1] /* open", 4, "unterminated comment"), ("[1 /*/ 2]", 3, "unterminated comment"),
    ("/* open", 0, "unterminated comment"), ("1 /", 2, "unexpected '/' after the value"),
    ("[1 / 2]", 3, "expected ',' or ']' after an element, found '/'"),
    ("1,", 1, "unexpected ',' after the value"),
    ("// only", 7, "unexpected end of text"), ("1\u{FEFF}", 1, "unexpected '\u{FEFF}' after the value"),
  ]

  @Test func relaxedDialectKeepsTheGrammarOtherwise() {
    for (text, offset, message) in Self.refusedByRelaxed {
      #expect(throws: JSONSyntaxError(offset: offset, message: message), "\(text)") {
        try JSONValue.parse(text, .relaxed)
      }
    }
  }

  @Test func nestingHasALimit() throws {
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    let value = try JSONValue.parse(deep)
    #expect(value.serialized() == deep)
    for opener in ["[", "{\"a\":"] {
      let tooDeep = String(repeating: opener, count: 100_000)
      #expect(
        throws: JSONSyntaxError(offset: 512 * opener.utf8.count, message: "nested deeper than 512 levels")
      ) { try JSONValue.parse(tooDeep) }
    }
    let wide = "[" + Array(repeating: "[[]]", count: 2000).joined(separator: ",") + "]"
    #expect(try JSONValue.parse(wide).arrayValue?.count == 2000)
  }

  @Test func everyPrefixOfATextIsRefusedInsideIt() {
    let text = #"{"id":"cmpl","n":-12.5e-2,"a":[true,null,{"k":"\u00e9\n"}],"e":{}}"#
    for length in 0..<text.utf8.count {
      let prefix = Array(text.utf8.prefix(length))
      do {
        _ = try JSONValue.parse(prefix)
        Issue.record("accepted \(length) bytes")
      } catch {
        #expect(error.offset <= length)
      }
    }
  }

  @Test func anErrorAtTheEndOfALongFileKeepsItsOffset() {
    var text = "[\n"
    while text.utf8.count < 1 << 20 { text += #"  {"id": "case-é", "n": [1, 2.5, true]},"# + "\n" }
    let offset = text.utf8.count
    text += "oops]"
    #expect(throws: JSONSyntaxError(offset: offset, message: "unexpected 'oops'")) {
      try JSONValue.parse(text)
    }
    let source = SourceText(name: "long.json", bytes: Array(text.utf8))
    #expect(source.position(of: offset) == (source.lineCount, 1))
  }
}

/// The dialects under a name that test arguments can show.
enum JSONDialectCase: CaseIterable, Sendable {
  case strict, relaxed
  var value: JSONDialect { self == .strict ? .strict : .relaxed }
}
