import EvalCore
import Testing

@testable import EvalReports

@Suite struct GitHubTests {
  private let commands = GitHubCommands(folder: "/home/ci/repo/evals", workspace: "/home/ci/repo")

  @Test func aCommandIsOneLineWhateverItSays() {
    let annotation = CIAnnotation(
      .error, "gate failed: score >= 0.8, cloud", "100 % is\r\nnot, 80 %::warning::x\u{1B}[31m",
      at: SourceLocation(file: "suite.json", line: 12, column: 5))
    #expect(
      commands.lines([annotation]) == [
        "::error file=evals/suite.json,line=12,col=5,title=gate failed%3A score >= 0.8%2C cloud"
          + "::100 %25 is%0D%0Anot, 80 %25::warning::x\u{FFFD}[31m"
      ])
  }

  @Test(arguments: [
    ("suite.json", "evals/suite.json"), ("./../more/../suite.json", "suite.json"),
    ("/home/ci/repo/a//b.json", "a/b.json"), ("/tmp/x.json", "/tmp/x.json"), ("../../x.json", "../../x.json"),
    ("/home/ci/repository/x.json", "/home/ci/repository/x.json"),
  ])
  func pathsCountFromTheRepository(file: String, path: String) {
    #expect(commands.path(file) == path)
    #expect(GitHubCommands(folder: "/home/ci/repo", workspace: nil).path(file) == file)
  }

  @Test func tooManyAreCounted() {
    let many = (1...25).map { CIAnnotation(.warning, "case \($0)", "worse") }
    let lines = commands.lines(many + [CIAnnotation(.error, "gate failed", "first")])
    #expect(lines.count == 11)
    #expect(lines[0].hasPrefix("::error ") && lines[1] == "::warning title=case 1::worse")
    #expect(lines[9] == "::warning title=case 9::worse")
    #expect(lines[10] == "::warning title=16 more::GitHub shows 10 for a step: see the report for all 25")
    #expect(commands.lines(Array(many.prefix(10))).count == 10)
  }

  @Test func aDocumentIsCutToFit() {
    var document = ReportDocument(title: "T", blocks: [.paragraph("first")])
    document.blocks.append(.section(title: "Details", [.paragraph(String(repeating: "long ", count: 400))]))
    let whole = FittedMarkdown.text(document, limit: 10_000)
    #expect(whole.contains("<details>") && !whole.contains("Cut to fit"))
    let short = FittedMarkdown.text(document, limit: 500)
    #expect(short.contains("first") && !short.contains("<details>") && short.contains("Cut to fit"))
    document.blocks[0] = .verbatim(label: "words", text: String(repeating: "zeile ö\n", count: 1000))
    let cut = FittedMarkdown.text(document, limit: 500)
    #expect(cut.utf8.count <= 500 && cut.utf8.count > 400 && cut.contains("Cut to fit"))
  }
}
