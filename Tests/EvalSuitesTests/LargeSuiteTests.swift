import EvalCore
import Testing

@testable import EvalSuites

/// What must not grow faster than the suite. The limits are for an unoptimised build on a busy machine; a quadratic
/// step would take minutes.
@Suite struct LargeSuiteTests {
  private let folder = Folder()

  @Test(.timeLimit(.minutes(1))) func aSuiteOnOneLongLineIsRefusedAtItsEnd() {
    // 1 MB without a line break, so that columns are counted in a long line, with characters of several bytes.
    let filler = String(repeating: "é viele Wörter ", count: 20)
    let cases = (0..<2_500).map {
      #"{"id":"c\#($0)","input":"Ein Satz für den Fall \#($0), nicht mehr und nicht weniger, \#(filler)"}"#
    }
    let found = folder.problems(
      suite(cases: "[" + (cases + [#"{"id":"last","inptu":"x"}"#]).joined(separator: ",") + "]"))
    #expect(found.count == 2)
    #expect(found[1].hasSuffix("cases[2500].inptu: 'inptu' is not a key of a case (did you mean 'input'?)"))
  }

  @Test(.timeLimit(.minutes(1))) func rowsOfTheSameContentAreToldApartInTime() throws {
    folder.write("c.jsonl", String(repeating: "{\"input\": \"the same\"}\n", count: 1_000))
    let read = try folder.read(suite(cases: #"{"file": "c.jsonl"}"#))
    #expect(Set(read.cases.summaries.map(\.id)).count == 1_000)
    #expect(Set(read.cases.summaries.map(\.hash)).count == 1_000)
    #expect(try read.cases.load(999).id == read.cases.summaries[999].id)
    #expect(read.findings.count == 1)
  }
}
