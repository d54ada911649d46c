import EvalCore
import Testing

@Suite struct JSONValueTests {
  @Test func readsItsParts() throws {
    let value: JSONValue = ["s": "x", "i": 7, "d": 7.0, "f": 7.5, "b": true, "n": .null, "a": [1, ["k": 2]]]
    #expect(value["s"]?.stringValue == "x")
    #expect(value["i"]?.intValue == 7 && value["d"]?.intValue == 7 && value["f"]?.intValue == nil)
    #expect(value["i"]?.doubleValue == 7 && value["f"]?.doubleValue == 7.5 && value["s"]?.doubleValue == nil)
    #expect(value["b"]?.boolValue == true && value["n"]?.isNull == true && value["i"]?.boolValue == nil)
    #expect(value["a"]?[1]?["k"] == 2 && value["a"]?[2] == nil && value["a"]?[-1] == nil && value[0] == nil)
    #expect(value["zzz"] == nil && value["s"]?["x"] == nil)
    #expect(value.objectValue?.keys == ["s", "i", "d", "f", "b", "n", "a"])
    #expect(JSONValue.number(1e300).intValue == nil && JSONValue.number(.nan).intValue == nil)
    #expect(JSONValue.number(-0x1p63).intValue == .min && JSONValue.number(0x1p63).intValue == nil)
  }

  @Test func equalityAndJSONEquality() throws {
    let one: JSONValue = ["a": 1, "b": [1.0, "x"]]
    let two: JSONValue = ["b": [1.0, "x"], "a": 1]
    #expect(one == two && one.hashValue == two.hashValue)
    let three: JSONValue = ["b": [1, "x"], "a": 1.0]
    #expect(one != three && one.jsonEquals(three) && three.jsonEquals(one))
    #expect(!one.jsonEquals(["a": 1]) && !one.jsonEquals(["a": 1, "c": [1, "x"]]))
    #expect(!JSONValue.integer(.max).jsonEquals(.number(0x1p63)))
    #expect(!JSONValue.integer(1).jsonEquals("1") && !JSONValue.integer(1).jsonEquals(true))
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
  }

  @Test func objectsKeepOrderAndHoldEachKeyOnce() {
    var object: JSONObject = ["b": 1, "a": 2, "b": 3]
    #expect(object.keys == ["b", "a"] && object.values == [3, 2] && object.count == 2)
    object["c"] = 4
    object["b"] = nil
    #expect(object.keys == ["a", "c"] && object["b"] == nil)
    #expect(object.removeValue(forKey: "a") == 2 && object.removeValue(forKey: "a") == nil)
    object.members = [("x", 1), ("y", 2), ("x", 3)]
    #expect(JSONValue.object(object).serialized() == #"{"x":3,"y":2}"#)
    object["\u{E9}"] = 1
    object["e\u{301}"] = 2
    #expect(object.count == 4 && object["\u{E9}"] == 1)
    #expect(JSONObject().isEmpty)
  }

  @Test func largeObjectsBehaveLikeSmallOnes() {
    var object = JSONObject()
    for number in 0..<100 { object["k\(number)"] = .integer(Int64(number)) }
    for number in stride(from: 0, to: 100, by: 2) { object["k\(number)"] = nil }
    for number in 0..<100 {
      #expect(object["k\(number)"] == (number % 2 == 0 ? nil : .integer(Int64(number))))
    }
    object["k51"] = "new"
    #expect(object.count == 50 && object.members[25].key == "k51" && object["k51"] == "new")
    for number in stride(from: 1, to: 95, by: 2) { object["k\(number)"] = nil }
    object["last"] = 1
    #expect(object.keys == ["k95", "k97", "k99", "last"] && object["k97"] == 97 && object["k51"] == nil)
  }

  @Test func parsesFromAnyBytes() throws {
    let text = #"{"a":1}"#
    #expect(try JSONValue.parse(text.utf8) == ["a": 1])
    #expect(try JSONValue.parse(Array(text.utf8)[...]) == ["a": 1])
    #expect(try JSONValue.parse(Array((text + ",").utf8).dropLast()) == ["a": 1])
    #expect(try JSONValue.parse(#"{"k":1,"j":2,"k":3}"#).serialized() == #"{"k":3,"j":2}"#)
  }

  @Test func randomValuesComeBack() throws {
    var random = SplitMix(state: 42)
    for _ in 0..<2_000 {
      let value = Self.randomValue(&random, depth: 5)
      for style in [JSONStyle.compact, .pretty] {
        let text = value.serialized(style)
        #expect(try JSONValue.parse(text) == value, "\(text)")
        #expect(try JSONValue.parse(text).serialized(style) == text)
      }
      let canonical = value.serialized(.canonical)
      let back = try JSONValue.parse(canonical)
      #expect(back.jsonEquals(value) && back.serialized(.canonical) == canonical, "\(canonical)")
    }
  }

  private static func randomValue(_ random: inout SplitMix, depth: Int) -> JSONValue {
    switch random.next() % (depth > 0 ? 8 : 6) {
    case 0: return .null
    case 1: return .bool(random.next() % 2 == 0)
    case 2: return .integer(Int64(bitPattern: random.next()) >> Int64(random.next() % 64))
    case 3:
      let double = Double(bitPattern: random.next())
      // A whole double below 2^63 canonically reads as an integer, which ±2^53 and more need not equal.
      return .number(double.isFinite && double.magnitude < 0x1p53 ? double : 0.5)
    case 4, 5: return .string(randomString(&random))
    case 6: return .array((0..<random.next() % 5).map { _ in randomValue(&random, depth: depth - 1) })
    default:
      var object = JSONObject()
      for _ in 0..<random.next() % 20 {
        object[randomString(&random)] = randomValue(&random, depth: depth - 1)
      }
      return .object(object)
    }
  }

  private static func randomString(_ random: inout SplitMix) -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\0", "\u{1F}", "\u{7F}", "é", "\u{2028}", "日",
      "\u{FFFD}", "😀",
      "\u{10FFFF}", "\u{301}", "\r",
    ]
    var string = String.UnicodeScalarView()
    for _ in 0..<random.next() % 12 { string.append(alphabet[Int(random.next() % 20)]) }
    return String(string)
  }
}
