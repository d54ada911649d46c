import EvalCore
import Testing

@testable import EvalSuites

/// Files of labels, from the tool and by hand.
@Suite struct LabelFileTests {
  private static let hash = String(repeating: "a", count: 64)

  private func read(_ name: String, _ text: String) -> Result<LabelFile, Problems> {
    let folder = Folder()
    let path = folder.write(name, text)
    return Result { () throws(Problems) in try LabelFileReader.read(path: path) }
  }

  /// `line:column message` of everything that is wrong.
  private func problems(_ name: String, _ text: String) -> [String] {
    guard case .failure(let problems) = read(name, text) else { return [] }
    return problems.all.map { "\($0.location.map { "\($0.line):\($0.column)" } ?? "-") \($0.message)" }
  }

  @Test func whatIsWrittenIsReadBack() throws {
    var file = LabelFile(path: "x.jsonl")
    file.run = "run"
    file.suite = "suite"
    file.seed = .max
    file.labelledBy = "anna"
    file.note = "read twice"
    file.strata = [LabelFile.Stratum(answers: 90, drawn: 10), LabelFile.Stratum(answers: 5, drawn: 5)]
    var label = AnswerLabel(caseID: "c", check: "helpful", criterion: "right")
    label.caseHash = ContentHash(of: "case", kind: "test")
    label.targetHash = ContentHash(of: "target", kind: "test")
    label.repeatIndex = 2
    label.turn = 1
    label.stratum = 1
    label.shown.question = "Is it right?"
    label.shown.levels = [RubricLevel(label: "1", summary: "No."), RubricLevel(label: "2", summary: "Yes.")]
    label.shown.input = "say \u{1B}[2J"
    label.shown.answer = "It is.\nSo."
    label.answerHash = SHA256.hexOf("It is.\nSo.")
    var labelled = label
    labelled.criterion = nil
    labelled.shown.levels = []
    labelled.label = "pass"
    file.labels = [label, labelled]
    let text = LabelFileWriter.text(file)
    #expect(text.split(separator: "\n").count == 3)
    let back = try read("x.jsonl", text).get()
    #expect(back.labels.map(\.location?.line) == [2, 3])
    var plain = back
    for index in plain.labels.indices { plain.labels[index].location = nil }
    #expect(plain.labels == file.labels && plain.strata == file.strata && plain.seed == .max)
    #expect(plain.run == "run" && plain.labelledBy == "anna" && plain.note == "read twice" && plain.open == 1)
  }

  @Test func labelsByHandAreShort() throws {
    let lines = try read(
      "l.jsonl",
      """
      // Anna, 30 November
      {"case": "a", "check": "english", "label": "pass"}
      {"case": "a", "check": "answer", "criterion": "correct", "label": 3, "target": "small", "repeat": 2}
      {"case": "b", "check": "english", "label": false}
      {"case": "c", "check": "english"}
      """
    ).get()
    #expect(lines.labels.map(\.label) == ["pass", "3", "fail", nil])
    #expect(lines.labels[1].repeatIndex == 1 && lines.labels[1].target == "small" && lines.run == nil)
    let table = try read(
      "l.csv",
      "\u{FEFF}case,check,criterion,label,target\r\na,english,,PASS,small\r\n\"b, too\",answer,correct,2,\r\n"
    ).get()
    #expect(table.labels.map(\.caseID) == ["a", "b, too"] && table.labels.map(\.label) == ["PASS", "2"])
    #expect(table.labels[0].criterion == nil && table.labels[0].location?.line == 2)
    let array = try read("l.json", #"[{"case": "a", "check": "english", "label": "no"}]"#).get()
    #expect(array.labels.count == 1)
  }

  @Test func everythingWrongIsSaidAtOnce() {
    let found = problems(
      "l.jsonl",
      """
      {"case": "a", "check": "english", "label": "maybe"}
      {"case": "a", "chek": "english", "label": "pass"}
      {"case": "a", "check": "english", "label": "pass"
      {"case": "b", "check": "english", "label": "pass"}
      {"case": "b", "check": "english", "label": "fail"}
      {"case": "c", "check": "x", "criterion": "r", "levels": {"1": "", "2": ""}, "label": "3", "repeat": 0}
      {"case": "d", "check": "x", "answerHash": "12", "stratum": 4, "label": ["pass"]}
      7
      """)
    #expect(
      found == [
        "1:44 'maybe' is no verdict", "2:1 'check' is missing", "2:15 'chek' is not known here",
        "3:50 unexpected end of text", "5:44 this question stands in line 4 already",
        "6:86 '3' is none of the levels", "6:101 'repeat' is a whole number of at least 1",
        "7:43 'answerHash' is not a hash of 64 hexadecimal digits",
        "7:60 'stratum' is none of the head's 0 strata",
        "7:72 a label is pass, fail, or the name of a level", "8:1 a label is an object",
      ], "\(found.joined(separator: "\n"))")
  }

  @Test func anEditedAnswerIsRefused() {
    let found = problems(
      "l.jsonl",
      #"{"case": "a", "check": "e", "answer": "It is Paris!", "label": "pass", "answerHash": "\#(SHA256.hexOf("It is Paris."))"}"#
    )
    #expect(found == ["1:39 the answer was edited: it is not the one that 'answerHash' names"])
  }

  @Test func tablesHaveTheirPlacesToo() {
    let found = problems("l.csv", "case,chek,label\na,english,pass\n")
    #expect(
      found == [
        "1:1 there is no column 'check'", "1:6 the column 'chek' is not known", "2:1 'check' is empty",
      ])
    let rows = problems("l.csv", "case,check,label,repeat\na,e,pass\nb,e,sure,zero\n")
    #expect(
      rows == [
        "2:1 this row has 3 fields, the header has 4", "3:5 'sure' is no verdict",
        "3:10 'repeat' is a whole number of at least 1, not 'zero'",
      ])
  }

  @Test func otherFilesAreNoLabels() {
    #expect(
      problems("l.jsonl", #"{"format": "evalrun.baseline", "version": 1}"#) == [
        "1:12 this is no file of labels"
      ])
    #expect(problems("l.jsonl", "\n").count == 1)
    #expect(problems("missing/l.jsonl", "").count == 1)
    guard
      case .failure(let problems) = Result(catching: { () throws(Problems) in
        try LabelFileReader.read(path: "none.jsonl")
      })
    else {
      Issue.record("a file that is not there was read")
      return
    }
    #expect(problems.all[0].message.contains("there is no file"))
  }
}
