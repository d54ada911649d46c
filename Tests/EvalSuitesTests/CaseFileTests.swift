import EvalCore
import Foundation
import Testing

@testable import EvalSuites

@Suite struct CaseFileTests {
  private func cases(_ suite: Suite) throws -> [Case] {
    try suite.cases.summaries.indices.map { try suite.cases.load($0) }
  }

  @Test func readsLinesWithMappingAndDefaults() throws {
    let folder = Folder()
    folder.write(
      "data/q.jsonl",
      """
      {"key": "k1", "question": "Capital of {{country}}?", "answer": "Paris", "topic": "geo", "where": {"country": "France"}}

      // a comment
      {"key": "k2", "question": "1+1 in {{country}}?", "answer": 2, "topic": "maths", "where": {"country": "Spain"}, "more": 1}
      """)
    let suite = try folder.read(
      suite(
        cases: """
          [{"id": "inline", "input": "Hi"},
           {"file": "data/q.jsonl",
            "fields": {"id": "key", "input": "question", "reference": "answer", "tags": "topic",
                       "variables.country": "where.country", "signals.topic": "topic"},
            "defaults": {"cluster": "c", "tags": ["none"], "mustPass": true, "variables": {"tone": "calm"}}}]
          """))
    let cases = try cases(suite)
    #expect(cases.map(\.id) == ["inline", "k1", "k2"])
    #expect(cases[1].turns == [Turn(content: [.text("Capital of France?")])])
    #expect(cases[1].reference == "Paris")
    #expect(cases[2].reference == 2)
    #expect(cases[1].tags == ["geo"])
    #expect(cases[1].variables == ["tone": "calm", "country": "France"])
    #expect(cases[2].signals == ["topic": "maths"])
    #expect(cases[1].cluster == "c")
    #expect(cases[1].mustPass)
    #expect(!cases[0].mustPass)
    #expect(cases[2].location == SourceLocation(file: folder.path + "/data/q.jsonl", line: 4, column: 1))
    #expect(cases[1].checks.map(\.name) == ["contains"])
    #expect(suite.cases.summaries.map(\.hash) == cases.map(\.hash))
    #expect(suite.cases.summaries.map(\.checks) == cases.map(\.checksHash.firstWord))
  }

  @Test func readsCSVAsRFC4180WritesIt() throws {
    let folder = Folder()
    folder.write(
      "c.csv",
      "\u{FEFF}id,input,tags,mustPass,variables.zip,signals.words,signals.task,reference\r\n"
        + "a,\"He said \"\"Hi\"\",\r\nthen left, {{zip}}\",\"x; y\",TRUE,01234,12,chat,\"\"\r\n"
        + "\r\n"
        + "b,plain \"quote\" inside,,,,,,42\r\n")
    let cases = try cases(folder.read(suite(cases: #"{"file": "c.csv"}"#)))
    #expect(cases.map(\.id) == ["a", "b"])
    #expect(cases[0].turns == [Turn(content: [.text("He said \"Hi\",\r\nthen left, 01234")])])
    #expect(cases[0].tags == ["x", "y"])
    #expect(cases[0].mustPass)
    #expect(cases[0].variables == ["zip": "01234"])
    #expect(cases[0].signals == ["words": 12, "task": "chat"])
    #expect(cases[0].reference == nil)
    #expect(cases[1].turns == [Turn(content: [.text("plain \"quote\" inside")])])
    #expect(cases[1].reference == "42")
    #expect(cases[1].variables.isEmpty)
    #expect(cases[1].location?.line == 5)
  }

  @Test func readsAnArrayElementByElement() throws {
    let folder = Folder()
    folder.write(
      "c.json",
      """
      // cases
      [ {"id": "a", "input": "one, ] two"}, /* , */
        {"id": "b", "input": "x\\"y", "signals": {"list": [1, [2]]}},
      ]
      """)
    let cases = try cases(folder.read(suite(cases: #"[{"file": "c.json"}]"#)))
    #expect(cases.map(\.id) == ["a", "b"])
    #expect(cases.map(\.turns[0].content) == [[.text("one, ] two")], [.text("x\"y")]])
    #expect(cases[1].location?.line == 3)
  }
}

@Suite struct CaseFileFaultTests {
  private let folder = Folder()

  private func problems(_ file: String, _ text: String, fields: String = "") -> [String] {
    folder.write(file, text)
    let more = fields.isEmpty ? "" : #", "fields": \#(fields)"#
    return folder.problems(suite(cases: #"[{"file": "\#(file)"\#(more)}]"#)).map {
      $0.replacingOccurrences(of: #" \([^()]*\)$"#, with: "", options: .regularExpression)
    }
  }

  @Test func tellsWhereALineIsWrong() {
    #expect(
      problems(
        "c.jsonl",
        """
        {"id": "a", "input": "x"}
        {"id": "b", "inptu": "x"}
        {"id": "c", "input": "{{y}}"

        {"id": "d", "é": "é", "input": 3}
        3
        {"id": "a", "input": "y"}
        """) == [
          "c.jsonl:2:1: error: the case has no input",
          "c.jsonl:2:13: error: inptu: 'inptu' is not a key of a case",
          "c.jsonl:3:29: error: unexpected end of text",
          "c.jsonl:5:13: error: é: 'é' is not a key of a case",
          "c.jsonl:5:32: error: input: expected a text or an array of parts such as {\"text\": \"…\"}, found 3",
          "c.jsonl:6:1: error: expected an object, found 3",
          "c.jsonl:7:1: error: the id 'a' is taken by the case at c.jsonl:1:1",
        ])
  }

  @Test func tellsWhereACellIsWrong() {
    #expect(
      problems(
        "c.csv",
        "id,input,mustPass,checks\r\n"
          + "a,x,maybe,\r\n"
          + "b,x\r\n"
          + "c,\"two\r\nlines {{y}}\",true,\"[{\"\"cntains\"\": 1}]\"\r\n"
          + "d,x,,[1\r\n"
          + "e,\"x\"y,,\r\n"
          + "f,\"x") == [
          "c.csv:2:5: error: mustPass: expected true or false, found the string \"maybe\"",
          "c.csv:3:1: error: this row has 2 fields, the header has 4",
          "c.csv:4:3: error: input: the variable 'y' is not given by the case 'c'",
          "c.csv:5:19: error: checks[0].cntains: 'cntains' is not a kind of check",
          "c.csv:6:6: error: the column 'checks' holds JSON, but unexpected end of text",
          "c.csv:7:6: error: text after a closing quote; a quote within quotes is written twice",
          "c.csv:8:3: error: the quote that begins here has no end",
        ])
  }

  @Test func tellsWhichColumnsMeanNothing() {
    #expect(
      problems("c.csv", "id,inptu,id\na,x,b\n") == [
        "c.csv:1:4: error: the column 'inptu' is not a key of a case",
        "c.csv:1:10: error: two columns are 'id'",
        "c.csv:2:1: error: the case has no input",
      ])
    #expect(
      problems("c.csv", "q,a\nx,y\n", fields: #"{"input": "questoin", "refrence": "a", "variables.x": "a"}"#)
        == [
          "suite.json:1:143: error: cases[0].fields.input: '\(folder.path)/c.csv' has no 'questoin'"
            .replacingOccurrences(
              of: folder.path + "/", with: ""),
          "suite.json:1:155: error: cases[0].fields.refrence: 'refrence' is not a key of a case",
          "c.csv:2:1: error: the case has no input",
        ])
    #expect(
      problems("c.jsonl", #"{"q": "x"}"#, fields: #"{"input": "q", "reference": "anwser"}"#) == [
        "suite.json:1:163: error: cases[0].fields.reference: 'c.jsonl' has no 'anwser'"
      ])
    #expect(problems("c.csv", "") == ["c.csv:1:1: error: the file is empty"])
  }

  @Test func tellsWhereAnArrayIsWrong() {
    #expect(
      problems(
        "c.json",
        "[{\"id\": \"a\", \"input\": \"x\"},\n  {\"id\": \"b\", \"input\": }, {\"id\": 1.5, \"input\": \"x\"} x"
      ) == [
        "c.json:2:24: error: unexpected '}', expected a value",
        "c.json:2:34: error: [2].id: expected a name of at most 200 bytes without a line break, found 1.5",
        "c.json:2:53: error: expected ',' or ']' after a case",
      ])
    #expect(problems("c.json", #"{"cases": []}"#) == ["c.json:1:1: error: expected an array of cases"])
    #expect(
      problems("c.json", #"[{"id": "a", "input": "x"}"#) == ["c.json:1:27: error: unexpected end of text"])
  }

  @Test func refusesOtherEncodings() {
    folder.write("c.jsonl", Array(#"{"id": "a", "input": "caf"#.utf8) + [0xE9] + Array("\"}\n".utf8))
    #expect(
      folder.problems(suite(cases: #"{"file": "c.jsonl"}"#)) == [
        "c.jsonl:1:26: error: this is not UTF-8 text (save the file as UTF-8)"
      ])
    folder.write("c.csv", [0xFF, 0xFE, 0x69, 0])
    #expect(
      folder.problems(suite(cases: #"{"file": "c.csv"}"#)) == [
        "c.csv:1:1: error: this is UTF-16 text (save it as UTF-8)"
      ])
  }

  @Test func refusesFilesThatCannotBe() {
    folder.write("c.txt", "x")
    folder.write("dir/x", "")
    #expect(
      folder.problems(
        suite(
          cases:
            #"[{"file": "c.txt"}, {"file": "dir", "format": "csv"}, {"file": "c.tx", "format": "csv"}, {"file": "c.txt", "format": "cvs"}]"#
        )
      ).map { String($0.drop { $0 != " " }.dropFirst()) } == [
        "error: cases[0].file: the ending of 'c.txt' does not say how its rows are written (give 'format': jsonl, json or csv)",
        "error: cases[1].file: 'dir' is not a file",
        "error: cases[2].file: there is no file 'c.tx' (did you mean 'c.txt'?)",
        "error: cases[3].format: expected 'jsonl', 'json' or 'csv', found the string \"cvs\" (did you mean 'csv'?)",
      ])
  }

  @Test func aFileThatChangesUnderTheRunIsRefused() throws {
    let count = CaseCollector.keptLimit + 2
    let rows = (0..<count).map { #"{"id": "c\#($0)", "input": "say \#($0)"}"# }
    let file = folder.write("c.jsonl", rows.joined(separator: "\n") + "\n")
    let read = try folder.read(suite(cases: #"{"file": "c.jsonl"}"#))
    #expect(try read.cases.load(count - 1).id == "c\(count - 1)")
    // In place, as an editor that truncates does it.
    let handle = FileHandle(forWritingAtPath: file)!
    try handle.write(contentsOf: Array(#"{"id": "c0", "input": "yy"}"#.utf8))
    try handle.close()
    #expect(throws: Problems.self) { try read.cases.load(count - 1) }
    let first = try read.cases.load(0)
    #expect(first.turns.first?.content == [.text("say 0")], "what is kept is as it was read")
    #expect(first.hash == read.cases.summaries[0].hash)
  }

  @Test func aFileThatIsReplacedGoesOnAsItWas() throws {
    let file = folder.write("c.jsonl", #"{"id": "a", "input": "x"}"#)
    let read = try folder.read(suite(cases: #"{"file": "c.jsonl"}"#))
    folder.write("new.jsonl", #"{"id": "b", "input": "y"}"#)
    #expect(rename(folder.path + "/new.jsonl", file) == 0)
    #expect(try read.cases.load(0).turns[0].content == [.text("x")])
  }

  @Test func problemsOfABrokenFileAreCountedBeyondALimit() {
    folder.write("c.jsonl", (0..<2_000).map { #"{"id": "\#($0)", "inputt": "x"}"# }.joined(separator: "\n"))
    let found = folder.problems(suite(cases: #"{"file": "c.jsonl"}"#))
    #expect(found.count == Diagnostics.limit + 1)
    #expect(found.last?.hasPrefix("error: and ") == true)
  }
}

@Suite struct RecordReaderTests {
  /// Every record with its place, read through a buffer of some size.
  private func records(_ bytes: [UInt8], _ format: CaseFormat, chunk: Int) throws -> [String] {
    let folder = Folder()
    let file = try OpenFile(folder.write("f", bytes))
    var reader = RecordReader(file, format, chunk: chunk)
    var lines: [String] = []
    while true {
      switch reader.next() {
      case .end: return lines
      case .fault(let problem): return lines + ["\(problem.location?.line ?? 0): \(problem.message)"]
      case .record(let record):
        #expect(Array(bytes[record.offset..<record.offset + record.bytes.count]) == record.bytes)
        lines.append("\(record.line):\(record.column) " + String(decoding: record.bytes, as: UTF8.self))
      }
    }
  }

  @Test(arguments: [
    (
      CaseFormat.jsonl, "\u{FEFF}{\"a\": 1}\r\n\r\n  {\"é\": 2}\n// no\n\n{\"c\": 3}",
      ["1:1 {\"a\": 1}\r", "3:1   {\"é\": 2}", "6:1 {\"c\": 3}"]
    ),
    (
      CaseFormat.csv, "a,b\r\n\"x\r\n\"\"y\",2\r\r3,\"\"\n",
      ["1:1 a,b", "2:1 \"x\r\n\"\"y\",2", "5:1 3,\"\""]
    ),
    (
      CaseFormat.json, "/* é */ [ {\"a\": \"]\\\"}\"} , // x\n 3,\n\"é\", [1, [2]], {\"b\": /* } */ 1}, ]\n",
      ["1:11 {\"a\": \"]\\\"}\"}", "2:2 3", "3:1 \"é\"", "3:6 [1, [2]]", "3:16 {\"b\": /* } */ 1}"]
    ),
    (CaseFormat.json, "[1 2]", ["1:2 1", "1: expected ',' or ']' after a case"]),
    (CaseFormat.json, "[1], 2", ["1:2 1", "1: unexpected text after the array of cases"]),
    (CaseFormat.json, "[,1]", ["1: expected a case before ','"]),
    (CaseFormat.json, "", ["1: unexpected end of text"]),
  ])
  func cutsTheSameWhateverTheBuffer(format: CaseFormat, text: String, expected: [String]) throws {
    for chunk in [1, 2, 3, 5, 7, 16, 1024] {
      #expect(try records(Array(text.utf8), format, chunk: chunk) == expected, "chunk \(chunk)")
    }
  }
}
