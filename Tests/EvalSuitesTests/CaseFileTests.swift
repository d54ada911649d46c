import EvalCore
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
