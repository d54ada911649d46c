/// A document as Markdown that fits where it goes: hosts refuse or cut what is too long.
package enum FittedMarkdown {
  /// The most that GitHub takes for a comment, in characters; bytes are never fewer.
  package static let commentLimit = 65_536
  /// The most that GitHub keeps of the summaries of one step, in bytes.
  package static let summaryLimit = 1_048_576

  /// The whole document where it fits, else without its folded sections, else its first whole lines; it says so.
  /// - Parameter limit: UTF-8 bytes.
  package static func text(_ document: ReportDocument, limit: Int) -> String {
    let whole = rendered(document, details: true)
    if whole.utf8.count <= limit { return whole }
    let note = "\n<sub>Cut to fit: the whole report is among the run's files.</sub>\n"
    let short = rendered(document, details: false)
    if short.utf8.count + note.utf8.count <= limit { return short + note }
    var text = ""
    for line in short.split(separator: "\n", omittingEmptySubsequences: false) {
      guard text.utf8.count + line.utf8.count + 1 + note.utf8.count <= limit else { break }
      text += line + "\n"
    }
    return text + note
  }

  private static func rendered(_ document: ReportDocument, details: Bool) -> String {
    var options = ReportOptions()
    options.details = details
    var text = ""
    MarkdownRenderer(options).render(document) { text += $0 }
    return text
  }
}
