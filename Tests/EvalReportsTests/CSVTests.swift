import EvalAnalysis
import EvalCore
import Testing

@testable import EvalReports

/// A spreadsheet must neither run a cell nor lose one.
@Suite struct CSVTests {
  /// Reads RFC 4180.
  static func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        field += "\""
        scalars.removeFirst()
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(field)
        field = ""
      case "\r" where !isQuoted && scalars.first == "\n":
        scalars.removeFirst()
        rows.append(row + [field])
        (row, field) = ([], "")
      default: field.unicodeScalars.append(scalar)
      }
    }
    return rows
  }

  @Test func oneRowATrialThatReadsBack() throws {
    let sample = SampleRun.live()
    let answer = "塔, \"quoted\"\r\nand\nmore "
    var text = ""
    var pieces = 0
    let texts = AttemptTexts(request: nil, answer: answer, reasoning: nil, toolCalls: [], refusal: nil)
    let answers = { (_: TrialKey) in [1: texts, 2: texts, 3: texts] }
    let sink = { (piece: String) in
      text += piece
      pieces += 1
    }
    try CSVReport.write(sample, texts: answers, to: sink)
    let rows = Self.rows(text)
    let head = try #require(rows.first)
    #expect(rows.count == sample.trials.count + 1)
    #expect(rows.allSatisfy { $0.count == head.count })
    #expect(pieces > 1, "a report is not held in one piece")
    let last = try #require(rows.last)
    func value(_ name: String) throws -> String { last[try #require(head.firstIndex(of: name))] }
    let trial = try #require(sample.trials.last)
    #expect(try value("case") == trial.caseID && value("target") == "lab|beta <b>")
    #expect(try value("answer") == answer)
    #expect(try value("cost_usd") == "", "an unknown cost is no 0")
    #expect(try value("provenance") == "live")
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@cmd", "\t=1", "  =1", "＝1", "\n=1"])
  func formulasAreText(formula: String) {
    let cell = CSVText.text(formula)
    #expect(cell.hasPrefix("'") || cell.hasPrefix("\"'"), "\(cell)")
  }

  @Test func plainTextsStay() {
    #expect(CSVText.text("a-b=c") == "a-b=c" && CSVText.text(nil) == "" && CSVText.text("a,b") == "\"a,b\"")
    #expect(CSVText.milliseconds(1_234_567) == "1.235" && CSVText.milliseconds(0) == "0.000")
    #expect(CSVText.number(.nan) == "" && CSVText.number(0.25) == "0.25")
  }
}
