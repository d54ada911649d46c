import EvalCore
import Testing

@Suite struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0, 0.0), ("-0", 0, -0.0), ("1.0", 1, 1), ("1e3", 1000, 1000), ("1.5", nil, 1.5),
      ("1.50e1", 15, 15),
      ("100e-2", 1, 1), ("100e-3", nil, 0.1), ("9223372036854775807", .max, 0x1p63),
      ("9223372036854775808", nil, 0x1p63),
      ("-9223372036854775808", .min, -0x1p63), ("-9223372036854775809", nil, -0x1p63),
      ("9.223372036854775807e18", .max, 0x1p63),
      ("12345678901234567890", nil, 12_345_678_901_234_567_168), ("1e18", 1_000_000_000_000_000_000, 1e18),
      ("1e19", nil, 1e19),
      ("12345678901234567890e-1", 1_234_567_890_123_456_789, 1_234_567_890_123_456_768),
      ("1.0000000000000000000000000", 1, 1),
      ("1.0000000000000000000000001", nil, 1), ("0.000000000000000000000000000001e30", 1, 1),
      ("0e999999999999999999999", 0, 0),
      ("1e-999999999999999999999", nil, 0),
      ("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_992),
      ("0.1", nil, 0.1), ("123.456e-7", nil, 123.456e-7), ("4.9e-324", nil, .leastNonzeroMagnitude),
      ("2.2250738585072011e-308", nil, Double(bitPattern: 0x000F_FFFF_FFFF_FFFF)),
      ("1.7976931348623157e308", nil, .greatestFiniteMagnitude),
      // The compiler rounds the literal 89255.0e-22 twice, through 80 bits.
      ("89255.0e-22", nil, Double(bitPattern: 4_351_766_621_113_885_215)),
      ("0.30000000000000004440892098500626", nil, 0.30000000000000004), ("1e23", nil, 1e23),
      ("3E2", 300, 300),
    ] as [(String, Int64?, Double)])
  func readsIntegersAndDoubles(_ text: String, _ integer: Int64?, _ double: Double) throws {
    let root = try JSONDocument(parsing: Array(text.utf8)).root
    #expect(root.int == integer)
    #expect(root.double?.bitPattern == double.bitPattern)
  }

  @Test func agreesWithTheStandardLibrary() throws {
    var random = SplitMix(state: 11)
    for _ in 0..<5_000 {
      let digits = String(random.next() >> (random.next() % 64))
      let exponent = Int(random.next() % 60) - 30
      for text in ["\(digits).\(random.next() % 1000)", "\(digits)e\(exponent)", "-\(digits).5e\(exponent)"] {
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        #expect(root.double == Double(text), "\(text)")
      }
    }
  }

  @Test func otherKindsAreNoNumbers() throws {
    let root = try JSONDocument(parsing: Array(#"["1",null,true,[1],{"a":1}]"#.utf8)).root
    #expect(root.elements.allSatisfy { $0.int == nil && $0.double == nil })
  }

  @Test func valuesKeepHowANumberWasWritten() throws {
    #expect(try JSONValue.parse("1") == .integer(1))
    #expect(try JSONValue.parse("1.0") == .number(1))
    #expect(try JSONValue.parse("1e2") == .number(100))
    #expect(try JSONValue.parse("9223372036854775807") == .integer(.max))
    #expect(try JSONValue.parse("9223372036854775808") == .number(0x1p63))
    #expect(try JSONValue.parse("-0").serialized() == "-0.0")
    for text in ["1", "1.0", "0.1", "1e+23", "5e-324", "-9223372036854775808", "1e+16", "1e-05"] {
      #expect(try JSONValue.parse(text).serialized() == text)
    }
  }

  /// RFC 8785 appendix B: the bits of a double and its canonical text.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
      (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func canonicalNumbersAreECMAScripts(_ bits: UInt64, _ text: String) {
    #expect(JSONValue.number(Double(bitPattern: bits)).serialized(.canonical) == text)
  }

  @Test func numbersThatJSONLacksBecomeNull() {
    for style in [JSONStyle.compact, .pretty, .canonical] {
      for double in [Double.nan, .infinity, -.infinity] {
        #expect(JSONValue.number(double).serialized(style) == "null")
      }
    }
  }
}
