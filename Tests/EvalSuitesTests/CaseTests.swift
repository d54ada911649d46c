import EvalCore
import Foundation
import Testing

@testable import EvalSuites

@Suite struct CaseTests {
  private let folder = Folder()

  private func problems(_ cases: String, checks: String = #"[{"contains": "x"}]"#) -> [String] {
    folder.problems(suite(cases: cases, checks: checks)).map { String($0.drop { $0 != " " }.dropFirst()) }
  }

  private func cases(_ text: String, checks: String = #"[{"contains": "x"}]"#, more: String = "") throws
    -> [Case]
  {
    let read = try folder.read(suite(cases: text, checks: checks, more: more))
    return try read.cases.summaries.indices.map { try read.cases.load($0) }
  }

  @Test func fillsInTemplatesByType() throws {
    let subject = try cases(
      """
      [{"id": "a", "variables": {"n": 3, "user": {"city": "Rome"}, "list": [1, "x"]}, "reference": {"k": 1.5},
        "input": "{{ n }} {{user.city}} {{list[1]}} {{user}} {{reference}} {{id}} \\\\{{n}} {one}",
        "checks": [{"equals": "{{n}}"}, {"equals": ["{{list}}", "n={{n}}"]}]}]
      """)[0]
    #expect(subject.turns[0].content == [.text(#"3 Rome x {"city":"Rome"} {"k":1.5} a {{n}} {one}"#)])
    #expect(subject.checks.map(\.argument) == [3, [[1, "x"], "n=3"], "x"])
    #expect(subject.checks.map(\.name) == ["equals", "equals 2", "contains"])
  }

  @Test func aMissingVariableIsAnErrorWhereItIsUsed() {
    let found = folder.problems(
      suite(
        profiles:
          #"{"m": {"endpoint": "http://h", "model": "x", "price": "free", "instructions": "In {{langage}}."}}"#,
        cases: """
          [{"id": "a", "variables": {"language": "en"}, "input": "Hi {{nmae}}"},
           {"id": "b", "variables": {"language": "en"}, "input": "Hi"},
           {"id": "c", "variables": {"language": "en", "name": "n"}, "turns": ["{{name}}", "{{id}} {{x.y}}"]}]
          """,
        checks: #"[{"contains": "{{reference}}"}, {"all": [{"contains": "a"}, {"contains": "{{name}}"}]}]"#))
    #expect(found.count == 5)
    #expect(found[0].contains("suite.json:1:"))
    #expect(found[0].contains("ask for 'langage', which the case 'a' does not give"))
    #expect(found[0].hasSuffix("(did you mean 'language'?)"))
    #expect(found[1].contains("cases[0].input: the variable 'nmae' is not given by the case 'a'"))
    #expect(found[2].contains("cases[2].turns[1]: the variable 'x.y' is not given by the case 'c'"))
    #expect(
      found[3].contains(
        "checks[0].contains: the variable 'reference' is not given by the case 'a' (and in 2 more cases)"))
    #expect(
      found[4].contains(
        "checks[1].all[1].contains: the variable 'name' is not given by the case 'a' (and in one more case)"))
  }

  @Test func bracesOfDataCanBeText() throws {
    folder.write("c.jsonl", #"{"id": "a", "input": "\\frac{{1}}{2} {{x}}"}"#)
    let read = try folder.read(
      suite(cases: #"{"file": "c.jsonl", "templates": false, "defaults": {"tags": ["{{id}}"]}}"#))
    #expect(try read.cases.load(0).turns[0].content == [.text(#"\frac{{1}}{2} {{x}}"#)])
  }

  @Test func defaultsAreTemplatesOfTheRow() throws {
    folder.write(
      "c.jsonl", #"{"variables": {"q": "Why?"}, "id": "a"}"# + "\n" + #"{"id": "b", "turns": ["x", "y"]}"#)
    let read = try folder.read(
      suite(
        cases: #"{"file": "c.jsonl", "defaults": {"input": "Q: {{q}}", "variables": {"q": "none"}}}"#,
        more:
          #""defaults": {"case": {"turns": ["never"], "signals": {"a": 1}, "checks": [{"contains": "{{q}}"}]}}"#
      ))
    let (one, two) = (try read.cases.load(0), try read.cases.load(1))
    #expect(one.turns == [Turn(content: [.text("Q: Why?")])])
    #expect(one.checks.map(\.argument) == ["Why?", "x"])
    #expect(one.signals == ["a": 1])
    #expect(two.turns.map(\.content) == [[.text("x")], [.text("y")]])
  }

  @Test func readsTurnsMessagesAndToolResults() throws {
    let profiles = """
      {"m": {"endpoint": "http://h", "model": "x", "price": "free", "tools": [{"name": "clock"}]}}
      """
    let read = try folder.read(
      suite(
        profiles: profiles,
        cases: """
          [{"id": "t", "turns": ["Hi", {"input": [{"text": "Now?"}], "checks": [{"contains": "{{id}}"}],
             "toolResults": [{"tool": "clock", "arguments": {"zone": "{{id}}"}, "result": {"h": 3}}]}]},
           {"id": "m", "input": "Hi", "toolResults": [{"tool": "clock", "result": "3 h"}]},
           {"id": "c", "messages": [
             {"role": "system", "content": "Be kind."},
             {"role": "user", "content": "Time?"},
             {"role": "assistant", "toolCalls": [{"name": "clock"}, {"id": "k", "name": "clock", "arguments": {"a": 1}}]},
             {"role": "tool", "toolCallID": "k", "content": "4"}, {"role": "tool", "content": "3"},
             {"role": "user", "content": "Thanks"}]}]
          """))
    let cases = try (0..<3).map { try read.cases.load($0) }
    #expect(cases[0].turns[1].content == [.text("Now?")])
    #expect(cases[0].turns[1].checks.map(\.argument) == ["t"])
    #expect(
      cases[0].turns[1].toolResults == [
        ScriptedToolResult(tool: "clock", arguments: ["zone": "t"], result: #"{"h":3}"#)
      ])
    #expect(cases[1].turns[0].toolResults == [ScriptedToolResult(tool: "clock", result: "3 h")])
    #expect(cases[2].history.map(\.role) == [.system, .user, .assistant, .tool, .tool])
    #expect(cases[2].history[2].toolCalls.map(\.id) == ["call_1", "k"])
    #expect(cases[2].history[3].toolCallID == "k")
    #expect(cases[2].history[4].toolCallID == "call_1")
    #expect(cases[2].history[4].toolName == "clock")
    #expect(cases[2].turns == [Turn(content: [.text("Thanks")])])
  }

  @Test func refusesConversationsThatCannotBe() {
    let found = problems(
      """
      [
        {"id": "a", "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]},
        {"id": "b", "messages": [{"role": "tool", "toolCallID": "c9", "content": "x"}, {"role": "user", "content": "x"}]},
        {"id": "c", "messages": [{"role": "assistant", "toolCalls": [{"id": "c1", "name": "f"}]}, {"role": "user", "content": "x"}]},
        {"id": "d", "messages": [{"role": "usr", "content": "x"}, {"role": "user", "tool": "f"}]},
        {"id": "e", "input": "x", "turns": ["y"]},
        {"id": "f"},
        {"id": "g", "turns": []},
        {"id": "h", "turns": ["a"], "toolResults": [{"tool": "f", "result": "x"}]},
        {"id": "i", "input": [{"txt": "x"}]},
        {"id": "j", "input": [{"text": "x", "image": "y"}]},
        {"id": "a b ", "input": "x"}
      ]
      """)
    #expect(
      found.map { $0.replacingOccurrences(of: #" \(.*\)$"#, with: "", options: .regularExpression) } == [
        "error: cases[0].messages[1]: the last message is not the user's",
        "error: cases[1].messages[0].toolCallID: this tool result answers no call",
        "error: cases[2].messages[0].toolCalls[0]: the call of 'f' has no result",
        "error: cases[3].messages[0].role: expected 'system', 'user', 'assistant' or 'tool', found the string \"usr\"",
        "error: cases[3].messages[1]: the message says nothing",
        "error: cases[3].messages[1].tool: 'tool' is for a tool's message",
        "error: cases[4].turns: 'turns' cannot stand beside 'input'",
        "error: cases[5]: the case has no input",
        "error: cases[6].turns: expected an array with at least one element, found an empty array",
        "error: cases[7].toolResults: 'toolResults' of a case with 'turns' belong to a turn",
        "error: cases[7].toolResults[0].tool: no profile offers the tool 'f', so nothing will call it",
        "error: cases[8].input[0].txt: 'txt' is not a key of a piece of content",
        "error: cases[9].input[0].image: 'image' cannot stand beside 'text'",
        "error: cases[9].input[0].image: there is no file '\(folder.path)/y'".replacingOccurrences(
          of: folder.path + "/", with: ""),
        "error: cases[10].id: expected a name of at most 200 bytes without a line break, found the string \"a b \"",
      ])
  }

  @Test func tagsAreOneWordOrSeveral() {
    #expect(
      problems(#"[{"id": "a", "input": "x", "tags": 5}]"#) == [
        "error: cases[0].tags: expected a string or an array of strings, found 5"
      ])
    #expect(
      problems(#"[{"id": "a", "input": "x", "tags": "t"}, {"id": "b", "input": "y", "tags": ["t"]}]"#).isEmpty
    )
  }

  @Test func aCaseThatNoCheckLooksAtIsAFinding() {
    #expect(
      problems(
        #"[{"id": "a", "input": "x"}, {"id": "b", "input": "y", "checks": [{"contains": "y"}]}]"#,
        checks: "[]") == [
          "warning: no check looks at the case 'a' (give it 'checks', or the suite 'checks' for every case)"
        ])
    #expect(
      problems(#"[{"id": "a", "input": "x"}, {"id": "b", "input": "y"}]"#, checks: "[]") == [
        "warning: no check looks at any of the 2 cases (give it 'checks', or the suite 'checks' for every case)"
      ])
    // Beside errors nobody can say that it is the only one.
    let mixed = problems(#"[{"id": "a", "input": "x"}, {"id": "b"}, {"id": "c", "input": 3}]"#, checks: "[]")
    #expect(
      mixed.filter { $0.hasPrefix("warning") } == [
        "warning: no check looks at the case 'a' (give it 'checks', or the suite 'checks' for every case)"
      ])
    #expect(
      problems(#"[{"turns": ["x", {"input": "y", "checks": [{"contains": "y"}]}]}]"#, checks: "[]").isEmpty)
  }

  @Test func aCaseIsNamedByItsContent() throws {
    let cases = try cases(
      """
      [{"input": "same", "tags": ["x"]}, {"id": "own", "input": "same"}, {"input": "same"}, {"input": "other"},
       {"id": "moved", "input": "other", "variables": {"a": 1}}]
      """)
    #expect(Set(cases.map(\.hash)).count == 5)
    #expect(Set(cases.map(\.id)).count == 5)
    let alone = try self.cases(
      #"[{"id": "x", "tags": ["t"], "checks": [{"regex": "y"}], "input": "other"}]"#)[0]
    #expect(alone.hash == cases[3].hash)
    #expect(cases[3].id == String(alone.hash.hex.prefix(8)))
    let found = problems(#"[{"input": "same"}, {"id": "own", "input": "same"}]"#)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("warning: the case"))
    #expect(found[0].contains("has the same content as another one"))
  }

  @Test func theSuiteIsNamedByItsContentInAnyOrder() throws {
    let two =
      #"{"a": {"endpoint": "http://h", "model": "x", "price": "free"}, "b": {"endpoint": "http://h", "model": "y", "price": "free"}}"#
    let swapped =
      #"{"b": {"endpoint": "http://h", "model": "y", "price": "free"}, "a": {"endpoint": "http://h", "model": "x", "price": "free"}}"#
    let cases = [
      #"[{"id": "a", "input": "1"}, {"id": "b", "input": "2"}]"#,
      #"[{"id": "b", "input": "2"}, {"id": "a", "input": "1"}]"#,
    ]
    let first = try folder.read(suite(profiles: two, cases: cases[0])).hash
    #expect(try folder.read(suite(profiles: swapped, cases: cases[1])).hash == first)
    #expect(
      try folder.read(suite(profiles: two, cases: #"[{"id": "a", "input": "1"}, {"id": "b", "input": "3"}]"#))
        .hash != first)
    #expect(
      try folder.read(suite(profiles: two, cases: cases[0], checks: #"[{"contains": "y"}]"#)).hash != first)
    #expect(try folder.read(suite(cases: cases[0])).hash != first)
    #expect(
      try folder.read(suite(profiles: two, cases: cases[0], more: #""routes": {"r": {"arms": ["a"]}}"#)).hash
        != first)
  }

  @Test func refusesAnImageThatIsNone() {
    folder.write("text.png", "not an image")
    let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
    let found = problems(
      """
      [{"id": "a", "input": [{"image": "text.png"}]},
       {"id": "b", "input": [{"image": "none.png"}]},
       {"id": "c", "input": [{"image": "https://h/x.png"}]},
       {"id": "d", "input": [{"image": {"base64": "!!", "mediaType": "image/png"}}]},
       {"id": "e", "input": [{"image": {"base64": "\(png)", "mediaType": "image/jpeg"}}]},
       {"id": "f", "input": [{"image": {"base64": "\(png)", "mediaType": "image/tiff"}}]},
       {"id": "g", "input": [{"text": "x", "detail": "low"}]},
       {"id": "h", "input": [{"image": {"base64": "iVBORw0KGgo=", "mediaType": "image/png"}}]}]
      """)
    #expect(
      found.map { $0.replacingOccurrences(of: #" \(.*\)$"#, with: "", options: .regularExpression) } == [
        "error: cases[0].input[0].image: this is not an image that models take",
        "error: cases[1].input[0].image: there is no file 'none.png'",
        "error: cases[2].input[0].image: an image is a file or base64, not a URL",
        "error: cases[3].input[0].image.base64: this is not base64",
        "error: cases[4].input[0].image.mediaType: the image is image/png, not image/jpeg",
        "error: cases[5].input[0].image.mediaType: expected 'image/png', 'image/jpeg', 'image/gif' or 'image/webp', found the string \"image/tiff\"",
        "error: cases[6].input[0].detail: 'detail' is for an image",
        "error: cases[7].input[0].image.base64: this is not an image that models take",
      ])
  }

  @Test func imagesTravelWithTheirBytesAndAreNotedWhereTheyCannot() throws {
    let png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
    folder.write("pics/a.png", Array(Data(base64Encoded: png)!))
    folder.write("pics/c.jsonl", #"{"id": "a", "input": [{"image": "{{id}}.png", "detail": "high"}]}"#)
    let read = try folder.read(
      suite(
        profiles: """
          {"m": {"endpoint": "http://h", "model": "x", "price": "free"},
           "p": {"provider": "plain", "price": "free", "options": {"command": ["cat"]}}}
          """, cases: #"{"file": "pics/c.jsonl"}"#))
    let image = ImageContent(mediaType: "image/png", base64: png, detail: "high")
    #expect(try read.cases.load(0).turns[0].content == [.image(image)])
    #expect(read.findings.map(\.message) == ["the profile 'p' cannot take an image, which the case 'a' has"])
    // Another picture under the same name is another case.
    folder.write("pics/a.png", Array(Data(base64Encoded: png)!) + [0])
    #expect(throws: Problems.self) { try read.cases.load(0) }
  }

  @Test func aCheckThatNeedsAReferenceNeedsOne() {
    let vocabulary = SuiteVocabulary(
      providers: [.chat], graders: [.contains, .equals], needsReference: { $0.kind == "equals" })
    let text = suite(
      cases:
        #"[{"id": "a", "input": "x", "reference": 1}, {"id": "b", "input": "y"}, {"id": "c", "input": "z"}]"#,
      checks: #"[{"equals": true}]"#)
    do throws(Problems) {
      _ = try folder.read(text, vocabulary: vocabulary)
      Issue.record("it was read")
    } catch {
      #expect(folder.lines(error.all).count == 1)
      #expect(
        error.all[0].message
          == "the check 'equals' compares with the reference, which the case 'b' does not have (and in one more case)"
      )
    }
  }

  @Test func namesOfChecksAreUniqueWithinAnAnswer() {
    let found = problems(
      #"[{"id": "a", "input": "x", "checks": [{"contains": "a", "name": "n"}, {"contains": "b", "name": "n"}]}]"#
    )
    #expect(found == ["error: two checks of one answer are called 'n' (give one of them another 'name')"])
  }

  @Test func refusesASuiteThatIsNone() {
    #expect(messages(folder.problems("[]")).first == "expected an object, found an empty array")
    #expect(
      folder.problems(#"{"version": 2, "profils": 1}"#) == [
        #"suite.json:1:13: error: version: this evalrun reads version 1 of the suite format, not 2 (write "version": 1, or get the evalrun that the suite was written for)"#
      ])
    #expect(
      messages(folder.problems(#"{"version": 1, "profiles": {}, "cases": []}"#)) == [
        "expected at least one profile by its name, found an empty object",
        "the suite has no case (give at least one)",
      ])
    #expect(messages(folder.problems("{}")).count == 3)
    #expect(
      folder.problems("{\"version\": 1,\n  \"a\" 1}") == [
        "suite.json:2:7: error: expected ':' after a key, found '1'"
      ])
    #expect(throws: Problems.self) {
      try SuiteReader(vocabulary: .test, allowsCommands: false, environment: [:]).read(
        path: folder.path + "/suite.jsn")
    }
  }
}
