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

  @Test(arguments: [
    "=1+1", "+1", "-1", "@cmd", "\t=1", "  =1", "＝1", "\n=1", "\u{FEFF}=1", "\u{200B}@x", "\u{A0}+1",
    "\u{1}-1",
  ])
  func formulasAreText(formula: String) {
    let cell = CSVText.text(formula)
    #expect(cell.hasPrefix("'") || cell.hasPrefix("\"'"), "\(cell)")
  }

  @Test func everyCheckAndTheJudgesHaveTheirColumns() throws {
    let sample = SampleRun.live()
    let input = ReportInput(summary: try RunSummary.make(from: sample), source: sample)
    var text = ""
    try ReportFormat.csv.render(input, ReportOptions()) { text += $0 }
    let rows = Self.rows(text)
    let head = try #require(rows.first)
    #expect(
      Array(head.suffix(6)) == [
        "judge_calls", "judge_cost_usd", "judge_cost_is_lower_bound", "check:names the city", "check:short",
        "check:helpful",
      ])
    for (row, trial) in zip(rows.dropFirst(), sample.trials) {
      let value = Dictionary(uniqueKeysWithValues: zip(head, row))
      for score in trial.scores {
        guard case .scored(let number, _) = score.judgement else {
          #expect(value["check:\(score.check)"] == "")
          continue
        }
        #expect(value["check:\(score.check)"].flatMap(Double.init) == number)
      }
      #expect(value["judge_calls"] == String(trial.judgeCalls.count))
      // The second judge has no price: what all cost is not known.
      #expect(value["judge_cost_usd"] == (trial.judgeCalls.isEmpty ? "0.0" : ""))
    }
  }

  /// Names of suites, runs and servers stand in every kind of CSV.
  @Test func noCellOfAnyFormatIsAFormula() throws {
    let evil = "=HYPERLINK(\"https://attacker.invalid\",\"x\")\r\n@SUM(1)"
    var sample = SampleRun.live()
    for index in sample.run.targets.indices { sample.run.targets[index].name = "\(evil)\(index)" }
    let names = [SampleRun.device, SampleRun.cloud, SampleRun.unpriced]
    for index in sample.trials.indices {
      let place = try #require(names.firstIndex(of: sample.trials[index].target))
      sample.trials[index].target = "\(evil)\(place)"
      sample.trials[index].caseID = "-\(sample.trials[index].caseID), \"\u{202E}塔\n"
      sample.trials[index].tags = ["+1", "@x"]
      for score in sample.trials[index].scores.indices {
        sample.trials[index].scores[score].check = "=check\(score)"
      }
    }
    var texts = ["", ""]
    let input = ReportInput(summary: try RunSummary.make(from: sample), source: sample)
    try ReportFormat.csv.render(input, ReportOptions()) { texts[0] += $0 }
    let sides = try ComparisonInput.read(sample, label: evil, targets: ["\(evil)0", "\(evil)1"])
    ComparisonCSV.write([Comparison(reference: sides[0], candidate: sides[1])]) { texts[1] += $0 }
    for text in texts {
      let rows = Self.rows(text)
      #expect(rows.count > 40 && Set(rows.map(\.count)).count == 1)
      for cell in rows.joined() where Double(cell) == nil {
        #expect(cell.unicodeScalars.first.map { !"=+-@\t\r".unicodeScalars.contains($0) } ?? true, "\(cell)")
      }
      #expect(
        rows.joined().contains { $0.hasPrefix("'-case-01, \"\u{202E}塔\n") }, "what is quoted reads back")
    }
  }

  @Test func aNegativeNumberStaysOne() {
    #expect(CSVText.number(-0.25) == "-0.25" && CSVText.milliseconds(-1_500_000) == "-1.500")
    #expect(CSVText.text("-0.25") == "'-0.25", "as a name it is no number")
  }

  @Test func plainTextsStay() {
    #expect(CSVText.text("a-b=c") == "a-b=c" && CSVText.text(nil) == "" && CSVText.text("a,b") == "\"a,b\"")
    #expect(CSVText.milliseconds(1_234_567) == "1.235" && CSVText.milliseconds(0) == "0.000")
    #expect(CSVText.number(.nan) == "" && CSVText.number(0.25) == "0.25")
  }
}
