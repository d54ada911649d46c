import EvalCore

/// Writes a document as one HTML file that loads nothing: style and script are in it, and its policy allows no others.
package struct PageRenderer: Sendable {
  let assets: PageAssets

  package init(_ assets: PageAssets = .page) { self.assets = assets }

  package func render(_ document: ReportDocument, to sink: ReportSink) {
    end(begin(document, to: sink), to: sink)
  }

  /// Writes everything that nobody should have to open.
  /// - Parameter parts: ids and titles of the parts that the page puts below it.
  /// - Returns: what `end` goes on with; a page may put parts of its own between the two.
  func begin(
    _ document: ReportDocument, parts: [(id: String, title: String)] = [], to sink: ReportSink
  ) -> PageOutline {
    let outline = PageOutline(document, parts: parts)
    head(document.title, to: sink)
    sink("<header>\n<h1><bdi>\(HTMLText.line(document.title))</bdi></h1>\n")
    outline.navigation(to: sink)
    sink("</header>\n<main id=\"main\" tabindex=\"-1\">\n")
    let blocks = PageBlocks(outline: outline)
    for item in outline.summary { blocks.write(item, level: 2, to: sink) }
    return outline
  }

  /// Writes the folded details, the small print and the scripts.
  func end(_ outline: PageOutline, to sink: ReportSink) {
    let blocks = PageBlocks(outline: outline)
    for item in outline.details { blocks.write(item, level: 2, to: sink) }
    sink("</main>\n<footer>\n")
    for item in outline.footer { blocks.write(item, level: 2, to: sink) }
    sink("</footer>\n")
    for script in assets.scripts { sink("<script>\(script.content)</script>\n") }
    sink("</body>\n</html>\n")
  }

  private func head(_ title: String, to sink: ReportSink) {
    sink(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(assets.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <link rel="icon" href="data:,">
      <title>\(HTMLText.line(title))</title>

      """)
    for style in assets.styles { sink("<style>\(style.content)</style>\n") }
    sink("</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n")
  }
}

/// What a page has, in which order, and how its parts are called in links.
struct PageOutline {
  /// A block of the document's top level.
  struct Item {
    let block: ReportBlock
    /// Unique in the page; `nil` for what nothing points to.
    let id: String?
    /// The number of the block's first finding, counted over the whole page from 1.
    let firstFinding: Int
  }

  /// What everybody reads, what is folded away, and the small print at the end.
  private(set) var summary: [Item] = []
  private(set) var details: [Item] = []
  private(set) var footer: [Item] = []
  /// The places of the findings about each target, over the whole page and from 1.
  private(set) var findings: [String: [Int]] = [:]
  private var links: [(id: String, title: String)] = []

  /// - Parameter parts: linked to between the summary and the details.
  init(_ document: ReportDocument, parts: [(id: String, title: String)] = []) {
    var isInDetails = false
    var names = UniqueNames(taken: ["main", "cases", "case", "targets"])
    var count = 1
    for (place, block) in document.blocks.enumerated() {
      let id = (PageOutline.title(of: block).map(PageOutline.anchor) ?? PageOutline.word(of: block)).map {
        names.take($0)
      }
      let item = Item(block: block, id: id, firstFinding: count)
      switch block {
      case .notes where place == document.blocks.count - 1: footer.append(item)
      case .section where !PageOutline.isOpen(block): details.append(item)
      default: if details.isEmpty { summary.append(item) } else { details.append(item) }
      }
      if !isInDetails, !details.isEmpty {
        isInDetails = true
        links += parts
      }
      if let id = item.id, let title = PageOutline.title(of: block) { links.append((id, title)) }
      if case .findings(let all) = block {
        for finding in all {
          if let target = finding.target { findings[target, default: []].append(count) }
          count += 1
        }
      }
    }
    if !isInDetails { links += parts }
  }

  /// What begins with `case` belongs to the part with the cases.
  private static func anchor(_ title: String) -> String {
    let word = HTMLText.anchor(title)
    return word.hasPrefix("case") ? "part-\(word)" : word
  }

  /// The heading of a part that can be linked to.
  private static func title(of block: ReportBlock) -> String? {
    switch block {
    case .section(let title, _), .heading(let title): title
    case .findings: "Findings"
    default: nil
    }
  }

  /// Of a part that is pointed at without being listed.
  private static func word(of block: ReportBlock) -> String? {
    if case .verdict = block { "verdict" } else { nil }
  }

  /// Sections that nobody should have to open.
  static func isOpen(_ block: ReportBlock) -> Bool {
    guard case .section(let title, _) = block else { return true }
    return ["Pictures"].contains(title)
  }

  /// Links to the parts of a page that is long enough for them.
  func navigation(to sink: ReportSink) {
    guard links.count > 2 else { return }
    sink("<nav aria-label=\"Contents\"><ul>\n")
    for link in links {
      sink("<li><a href=\"#\(link.id)\">\(HTMLText.line(link.title))</a></li>\n")
    }
    sink("</ul></nav>\n")
  }
}

/// Gives names that no other part of the page has.
struct UniqueNames {
  private var taken: Set<String>

  init(taken: Set<String> = []) { self.taken = taken }

  mutating func take(_ name: String) -> String {
    var unique = name
    var number = 2
    while !taken.insert(unique).inserted {
      unique = "\(name)-\(number)"
      number += 1
    }
    return unique
  }
}
