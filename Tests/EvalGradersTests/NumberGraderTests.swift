import EvalCore
import Testing

@testable import EvalGraders

@Suite struct NumberGraderTests {
  @Test(
    arguments: [
      ("", []), ("none", []), ("42", [42]), ("-3.5 and +2", [-3.5, 2]), ("−7", [-7]),
      ("1,234,567.89", [1_234_567.89]),
      ("1 234,5", [1, 234, 5]), ("1\u{202F}234\u{202F}567", [1_234_567]),
      ("1'000'000 and 2_000", [1_000_000, 2000]),
      ("1,23", [1, 23]), ("1,234,56", [1234, 56]), ("0,5", [0, 5]),
      ("1.5e-3 2E5", [0.0015, 200_000]), ("3e", [3]), ("6.02 × 10^23", [6.02e23]),
      ("1.5 \\times 10^{-3}", [0.0015]),
      ("2 x 10", [2, 10]), ("45%", [45]), ("12.5 \\%", [12.5]), (".5", [0.5]), ("Total: 5.", [5]),
      ("-$1,200.50", [-1200.5]),
      ("$-3", [-3]), ("€5", [5]), ("5km 3rd", [5, 3]), ("H2O and gpt4 and v1.2.3", []), ("1.2.3", []),
      ("0x1F", []),
      ("10-12", [10, 12]), ("2024-05-01", [2024, 5, 1]), ("10:30", [10, 30]), ("(-4)", [-4]), ("x=-5", [-5]),
      ("a-5", [5]), ("1e999", []), ("**42**", [42]), ("3/4", [3, 4]), ("007", [7]), ("共42个", [42]),
      ("-0", [0]),
      ("[100, 200]", [100, 200]), ("\\boxed{17}", [17]),
    ] as [(String, [Double])])
  func findsNumbers(_ text: String, _ expected: [Double]) {
    #expect(NumberScanner.numbers(in: text).map(\.value) == expected)
  }

  @Test func readsDecimalCommas() {
    #expect(
      NumberScanner.numbers(in: "1.234.567,89 und 0,5", decimalComma: true).map(\.value) == [
        1_234_567.89, 0.5,
      ])
  }

  @Test(arguments: [
    Row(["number": 42], "The answer is 42.", "pass"),
    Row(["number": 42], "42 of 43", "fail"),
    Row(["number": 42, "pick": "first"], "42 of 43", "pass"),
    Row(["number": 42, "pick": "any"], "41, 42, 43", "pass"),
    Row(["number": 44, "pick": "any"], "41, 42, 43", "fail"),
    Row(["number": 42, "pick": "only"], "42", "pass"),
    Row(["number": 42, "pick": "only"], "42 or 42", "fail"),
    Row(["number": 42], "none", "fail"),
    Row(["number": 3.14, "tolerance": 0.01], "3.15", "pass"),
    Row(["number": 3.14, "tolerance": 0.01], "3.1501", "fail"),
    Row(["number": 200, "relativeTolerance": 0.05], "210", "pass"),
    Row(["number": 200, "relativeTolerance": 0.05], "211", "fail"),
    Row(["number": 0.3], "0.3", "pass"),
    Row(["number": "1,000"], "1000", "pass"),
    Row(["number": ["atLeast": 1, "atMost": 10]], "10", "pass"),
    Row(["number": ["atLeast": 1, "atMost": 10]], "10.5", "fail"),
    Row(["number": ["atLeast": 1]], "0", "fail"),
    Row(["number": ["equals": 5], "tolerance": 1], "6", "pass"),
    Row(["number": 45], "45%", "pass"),
    Row(["number": 0.45, "percent": "fraction"], "45 %", "pass"),
    Row(["number": true, "percent": "fraction"], "0.45", "pass", reference: "45%"),
    Row(["number": 1.5, "decimal": ","], "1,5", "pass"),
    Row(["number": true], "it is 7", "pass", reference: 7),
    Row(["number": true], "it is 1234", "pass", reference: "$1,234"),
    Row(["number": true], "it is 7", "notApplicable", reference: "seven"),
    Row(["number": true], "it is 7", "notApplicable"),
  ])
  func number(_ row: Row) async throws { try await row.verify() }

  @Test func wrongSettingsAreProblems() throws {
    #expect(try problem(["number": "many"]).path == "number")
    #expect(try problem(["number": ["atLest": 1]]).advice == "did you mean 'atLeast'?")
    #expect(try problem(["number": ["atLeast": 2, "atMost": 1]]).path == "number.atLeast")
    #expect(try problem(["number": ["atLeast": 2], "tolerance": 1]).path == "tolerance")
    #expect(try problem(["number": 1, "tolerance": -1]).path == "tolerance")
  }
}
