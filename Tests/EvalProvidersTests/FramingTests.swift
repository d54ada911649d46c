import EvalCore
import Testing

@testable import EvalProviders

struct FramingTests {
  /// The data of each event, with "!" before those named `error`; the last may come from `finish`, in brackets.
  private func events(_ text: String, cut: Int) -> [String] {
    var splitter = SSESplitter()
    var found: [String] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: cut) {
      let read = Array(bytes[start..<min(start + cut, bytes.count)])
      read.withUnsafeBytes { buffer in
        var position = 0
        while let event = splitter.next(in: buffer, from: &position) {
          let data = event.inPlace.map { Array(buffer[$0]) } ?? splitter.joined
          found.append((event.isError ? "!" : "") + String(decoding: data, as: UTF8.self))
        }
      }
    }
    if splitter.finish() != nil { found.append("[\(String(decoding: splitter.joined, as: UTF8.self))]") }
    return found
  }

  @Test(arguments: [
    ("data: a\n\ndata:b\n\n", ["a", "b"]), ("event: error\r\ndata: a\r\ndata: b\r\n\r\n", ["!a\nb"]),
    ("data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", ["a", "b", "c"]),
    ("data: a\ndata: b\ndata\ndata: c\n\n", ["a\nb\n\nc"]), (":c\n\n\n\ndata: a\n: x\n\n", ["a"]),
    ("event: error\ndata: a\n\ndata: b\n\n", ["!a", "b"]),
    ("event: ping\n\nid: 1\nretry: 3\n\ndata: a\n\n", ["a"]),
    ("data:  a\n\n", [" a"]), ("data:\n\n", [""]), ("data\n\n", [""]), ("\u{FEFF}data: a\n\n", ["a"]),
    ("data: a\u{FEFF}\n\n", ["a\u{FEFF}"]),
    ("data: a\u{2028}b\u{85}\u{0B}c\n\n", ["a\u{2028}b\u{85}\u{0B}c"]),
    ("data: a\n\ndata: b\n", ["a", "[b]"]), ("data: a\n\ndata: b", ["a", "[b]"]), ("database: a\n\n", []),
    ("data: é🇯🇵\n\n", ["é🇯🇵"]), ("", []), ("\n\n\r\n", []), ("event: error\n\ndata: a\n\n", ["a"]),
  ])
  func sse(text: String, expected: [String]) {
    for cut in 1...max(1, text.utf8.count) {
      #expect(events(text, cut: cut) == expected, "reads of \(cut)")
    }
  }

  @Test func wholeEventsAreNotCopied() {
    var splitter = SSESplitter()
    Array("data: abc\n\n".utf8).withUnsafeBytes { buffer in
      var position = 0
      let event = splitter.next(in: buffer, from: &position)
      #expect(event?.inPlace == 6..<9)
      #expect(splitter.joined.isEmpty)
    }
  }

  @Test func longLinesAreNotCapped() {
    let text = String(repeating: "x", count: 17 << 20)
    #expect(events("data: \(text)\n\n", cut: 16_384).first?.utf8.count == 17 << 20)
  }

  @Test func linesThatAreNoFieldsAreKept() {
    var splitter = SSESplitter()
    Array("noise\ndata: a\n\n{\n \"error\": 1\n}\nid: 4\n".utf8).withUnsafeBytes { buffer in
      var position = 0
      while splitter.next(in: buffer, from: &position) != nil {}
    }
    #expect(String(decoding: splitter.raw, as: UTF8.self) == "{\n \"error\": 1\n}\n")
  }

  @Test(arguments: [
    ("{1}\n{2}\n", ["{1}", "{2}"]), ("\u{FEFF}{1}\r\n\r\n\n  {2} \n{3}", ["{1}", "{2}", "{3}"]), ("", []),
    ("\n\n", []), ("a\u{2028}b\n", ["a\u{2028}b"]),
  ])
  func ndjson(text: String, expected: [String]) {
    let bytes = Array(text.utf8)
    for cut in 1...max(1, bytes.count) {
      var splitter = NDJSONSplitter()
      var lines: [String] = []
      for start in stride(from: 0, to: bytes.count, by: cut) {
        Array(bytes[start..<min(start + cut, bytes.count)]).withUnsafeBytes { buffer in
          var position = 0
          while let range = splitter.next(in: buffer, from: &position) {
            lines.append(
              String(decoding: range.isEmpty ? splitter.joined : Array(buffer[range]), as: UTF8.self))
          }
        }
      }
      if splitter.finish() { lines.append(String(decoding: splitter.joined, as: UTF8.self)) }
      #expect(lines == expected, "reads of \(cut)")
    }
  }

  @Test(arguments: [
    (#"[{"a":"]}[{\""},{"b":[1,{"c":2}]}]"#, [#"{"a":"]}[{\""}"#, #"{"b":[1,{"c":2}]}"#]),
    ("[\n{}\n,\r\n{} \n]\n", ["{}", "{}"]), ("[]", []), (#"[{"a":"\\"},{"#, [#"{"a":"\\"}"#]),
  ])
  func jsonArray(text: String, expected: [String]) {
    let bytes = Array(text.utf8)
    for cut in 1...bytes.count {
      var splitter = JSONArraySplitter()
      var elements: [String] = []
      for start in stride(from: 0, to: bytes.count, by: cut) {
        Array(bytes[start..<min(start + cut, bytes.count)]).withUnsafeBytes { buffer in
          var position = 0
          while splitter.next(in: buffer, from: &position) {
            elements.append(String(decoding: splitter.element, as: UTF8.self))
          }
        }
      }
      #expect(elements == expected, "reads of \(cut)")
      #expect(splitter.isClosed == text.contains("]\n") || splitter.isClosed == text.hasSuffix("]"))
    }
  }
}
