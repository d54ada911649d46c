import EvalAnalysis
import EvalCore
import Foundation
import Testing

@testable import EvalReports

/// A page is safe whatever stands in it, and whole.
@Suite struct PageTests {
  static func page(_ document: ReportDocument) -> String {
    var text = ""
    PageRenderer().render(document) { text += $0 }
    return text
  }

  /// One of every block, each with the text wherever a block takes one.
  static func document(of text: String) -> ReportDocument {
    let cell = ReportCell(text, interval: text, n: 3, note: text, tone: .bad)
    let table = ReportTable(
      id: "targets", caption: text, columns: [.init(text, .left), .init(text)], rows: [[cell, cell]])
    let chart = Chart(
      id: text, title: text,
      .bars(.init(axis: .init(text, .share), parts: [.init(text)], rows: [.init(text, [.init(0.5)])])),
      alternative: text, note: text)
    let blocks: [ReportBlock] = [
      .verdict(text, .bad), .heading(text), .paragraph(text), .banner(text), .table(table),
      .findings([Finding(code: text, message: text, advice: text, target: text)]), .notes([text]),
      .verbatim(label: text, text: text), .chart(chart),
    ]
    return ReportDocument(
      title: text, blocks: blocks + [.section(title: text, blocks + [.section(title: text, blocks)])])
  }

  private static let attacks = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' onfocus='alert(1)' autofocus='",
    "--><svg onload=alert(1)>", "<!--", "]]>", "<a href=\"javascript:alert(1)\">x</a>",
    "&lt;script&gt;&#60;script>", "</pre></main></body>", "<base href=//evil.example>", "`<b>${alert(1)}`",
    "<meta http-equiv=refresh content=0;url=//evil.example>", "\u{0}<\u{0}script>", "\u{E000}",
    "\u{202E}gnp.exe\u{202C}", "\u{2066}a\u{2069}\u{200F}\u{2028}\u{FEFF}", "a\r\nb\rc\u{85}d\u{1B}[31m",
    "\u{1F468}\u{200D}\u{1F469}", "<\u{338}script>",
  ]

  /// What evalrun itself writes, and nothing else.
  private static let tags: Set<String> = [
    "!DOCTYPE", "a", "b", "bdi", "body", "caption", "details", "div", "figcaption", "figure", "footer", "h1",
    "h2", "h3", "h4", "h5", "h6", "head", "header", "html", "li", "link", "main", "meta", "nav", "ol", "p",
    "pre", "script", "section", "span", "style", "summary", "sup", "table", "tbody", "td", "th", "thead",
    "title", "tr", "ul",
    // Of pictures.
    "svg", "g", "path", "line", "rect", "circle", "text", "tspan", "desc", "polyline", "polygon", "use",
    "defs",
    "clipPath", "dl", "dt", "dd",
  ]

  @Test(arguments: attacks) func everyBlockHoldsItsText(_ attack: String) throws {
    let page = Self.page(Self.document(of: attack))
    let elements = try Elements(page)
    for element in elements.all {
      #expect(Self.tags.contains(element.tag), "\(element)")
      for (name, value) in element.attributes {
        #expect(name != "style" && !name.lowercased().hasPrefix("on"), "\(element)")
        if name == "href" || name == "src" { #expect(value.hasPrefix("#") || value == "data:,") }
      }
    }
    // As many as with a harmless text: nothing was added and nothing closed early.
    let harmless = try Elements(Self.page(Self.document(of: "x")))
    #expect(elements.all.map(\.tag) == harmless.all.map(\.tag))
    #expect(!page.unicodeScalars.contains { $0 != "\n" && $0 != "\t" && TerminalText.isUnsafe($0) })
  }

  /// The words themselves are still there for the reader.
  @Test func whatIsEscapedReadsTheSame() {
    let text = "a<b> & \"c\" 'd' \u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{1F600}\n\tnext"
    #expect(HTMLText.escape(text).unescaped == text)
    #expect(HTMLText.escape("a\r\nb\u{0}c\u{202E}d") == "a\nb\u{FFFD}c\u{FFFD}d")
    #expect(HTMLText.line("a\nb") == "a b")
    #expect(Self.page(Self.document(of: "<b>")).contains("<pre dir=\"auto\""))
  }

  @Test func aMegabyteIsWrittenOnceAndWhole() {
    let text = String(repeating: "<&\u{202E}\"塔'\u{0} ", count: 85_000)
    #expect(text.utf8.count > 1_000_000)
    let page = Self.page(ReportDocument(title: "x", blocks: [.verbatim(label: "answer", text: text)]))
    #expect(page.utf8.count < 8 * text.utf8.count)
    #expect(page.components(separatedBy: "&amp;").count - 1 == 85_000)
    #expect(page.hasSuffix("</html>\n"))
  }

  @Test func thePolicyNamesWhatIsInThePage() throws {
    let page = Self.page(ReportDocument(title: "x"))
    let head = try #require(
      page.range(of: "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\""))
    #expect(page.distance(from: page.startIndex, to: head.lowerBound) < 100)
    let policy = try #require(page.between("Policy\" content=\"", "\">"))
    #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe"))
    for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
      let allowed = try #require(policy.between("\(directive) ", ";")).split(separator: " ").map(String.init)
      let contents = page.components(separatedBy: "<\(tag)>").dropFirst().map {
        $0.components(separatedBy: "</\(tag)>")[0]
      }
      #expect(!contents.isEmpty)
      #expect(try contents.map(Self.digest) == allowed)
    }
  }

  /// By another program than ours.
  private static func digest(_ text: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    #if os(macOS)
      process.arguments = ["shasum", "-a", "256", file.path]
    #else
      process.arguments = ["sha256sum", file.path]
    #endif
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let hex = Array(output.prefix(64))
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap {
      UInt8(String(hex[$0...($0 + 1)]), radix: 16)
    }
    #expect(bytes.count == 32)
    return "'sha256-\(Data(bytes).base64EncodedString())'"
  }

  @Test func nothingIsLoadedFromElsewhere() throws {
    for source in [SampleRun.live(), .recorded(), .routed()] {
      // A picture's hatching is a part of the page itself.
      let page = try GoldenReportTests.whole(.html, source).replacing("url(#", with: "")
      for word in [
        "@import", "src=", "url(", "unsafe-inline", "style=", "innerHTML", "insertAdjacentHTML",
        "document.write", "eval(",
      ] {
        #expect(!page.contains(word), "\(word)")
      }
      for element in try Elements(page).all {
        // The name of a language looks like an address and is none.
        let attributes = element.attributes.filter { $0.0 != "xmlns" }
        #expect(!attributes.contains { $0.0.hasPrefix("on") || $0.1.contains("://") })
      }
    }
  }

  @Test func theSameRowsAreTheSameBytes() throws {
    #expect(try GoldenReportTests.whole(.html, .live()) == GoldenReportTests.whole(.html, .live()))
  }

  /// The parts that links and tests count on, each once.
  @Test func partsHaveTheirNames() throws {
    let page = try GoldenReportTests.whole(.html, .live())
    let elements = try Elements(page).all
    let ids = elements.compactMap { $0["id"] }
    #expect(Set(ids).count == ids.count)
    for id in ["main", "verdict", "targets", "findings", "latency"] { #expect(ids.contains(id), "\(id)") }
    #expect(elements.count { $0.tag == "h1" } == 1 && elements.first { $0.tag == "html" }?["lang"] == "en")
    #expect(elements.first { $0["id"] == "targets" }?.tag == "table")
    for tag in ["header", "nav", "main", "footer"] {
      #expect(elements.count { $0.tag == tag } == 1, "\(tag)")
    }
    for link in elements.compactMap({ $0["href"] }) where link.hasPrefix("#") {
      #expect(ids.contains(String(link.dropFirst())), "\(link)")
    }
    // A finding about a target is pointed at from the head of its column.
    #expect(page.contains("</bdi><sup><a href=\"#finding-"))
  }

  @Test func comparisonsAndSweepsArePages() throws {
    let format = try #require(ComparisonFormat.named("html"))
    var page = ""
    try format.render(ComparisonReportTests.targets(), ReportOptions()) { page += $0 }
    #expect(page.contains("<p id=\"verdict\"") && page.hasSuffix("</html>\n"))
  }
}

/// The elements of a page, read as a browser would find them: every `<` that is not escaped begins one.
private struct Elements {
  struct Element: CustomStringConvertible {
    var tag: String
    var attributes: [(String, String)]
    var description: String { "<\(tag) \(attributes)>" }
    subscript(_ name: String) -> String? { attributes.first { $0.0 == name }?.1 }
  }

  private(set) var all: [Element] = []

  init(_ page: String) throws {
    var rest = Substring(page)
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      guard rest.first != "/" else { continue }
      let tag = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "!" })
      rest = rest.dropFirst(tag.count)
      all.append(Element(tag: tag, attributes: Elements.attributes(&rest)))
      // Raw text until its own end.
      if tag == "style" || tag == "script" {
        let end = try #require(rest.range(of: "</\(tag)>"))
        rest = rest[end.lowerBound...]
      }
    }
  }

  private static func attributes(_ rest: inout Substring) -> [(String, String)] {
    var found: [(String, String)] = []
    while let next = rest.first, next != ">" {
      if next == " " || next == "\n" {
        rest = rest.dropFirst()
        continue
      }
      let name = String(rest.prefix { $0 != "=" && $0 != " " && $0 != ">" })
      rest = rest.dropFirst(max(1, name.count))
      var value = ""
      if rest.hasPrefix("=\"") {
        rest = rest.dropFirst(2)
        value = String(rest.prefix { $0 != "\"" })
        rest = rest.dropFirst(value.count + 1)
      }
      found.append((name, value))
    }
    return found
  }
}

extension String {
  fileprivate func between(_ start: String, _ end: String) -> String? {
    guard let first = range(of: start), let last = self[first.upperBound...].range(of: end) else {
      return nil
    }
    return String(self[first.upperBound..<last.lowerBound])
  }

  fileprivate var unescaped: String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(self) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }
}
