import EvalCore

/// The HTML around the cases' data: what is shown, by which rule, and the places that the script fills.
struct CaseSection {
  let run: RunInfo
  let limits: CaseLimits
  let sample: CaseSample
  let chosen: [CaseSample.Entry]
  /// Hashes of those that open.
  let details: Dictionary<ContentHash, [UInt8]>.Keys
  /// Nanoseconds by target.
  let slowLines: [Int64?]

  /// A data block of the page. The JSON has no `<` in it.
  static func data(_ id: String, _ json: String) -> String {
    "<script type=\"application/json\" id=\"\(id)\">\(json)</script>\n"
  }

  func writeHead(to sink: ReportSink) {
    sink("<section id=\"cases\" aria-labelledby=\"cases-title\">\n<h2 id=\"cases-title\">Cases</h2>\n")
    for sentence in sentences { sink("<p>\(HTMLText.escape(sentence))</p>\n") }
    if !isWhole { writeRule(to: sink) }
    sink(
      """
      <noscript><p>The list needs JavaScript; <code>evalrun show</code> shows a case in the terminal.</p></noscript>
      <div id="case-browser" hidden></div>
      <article id="case" hidden></article>

      """)
    writeList(to: sink)
  }

  func writeEnd(to sink: ReportSink) { sink("</section>\n") }

  private var isWhole: Bool { details.count == sample.cases }

  private var sentences: [String] {
    var sentences: [String] = []
    switch sample.cases {
    case 0: sentences.append("No trial is finished yet.")
    case 1 where isWhole: sentences.append("The one case is here.")
    case _ where isWhole: sentences.append("All \(Numbers.count(sample.cases)) cases are here.")
    default:
      sentences.append(
        "\(Numbers.part(chosen.count, of: sample.cases)) cases are listed, and \(Numbers.count(details.count)) of "
          + "them open here. Any case: 'evalrun show \(run.id) CASE'; all trials: 'evalrun report \(run.id) "
          + "--format csv'.")
    }
    if run.isPrivate {
      sentences.append("The run is private: no text of a case or an answer was kept, so none is here.")
    }
    return sentences
  }

  /// Which cases are here, in a table that says how many of how many.
  private func writeRule(to sink: ReportSink) {
    sink(
      """
      <details><summary>How these cases were chosen</summary>
      <p>First all that failed as must-pass or leaked; then one of each other kind in turn, one of the \
      \(limits.slowest) slowest, and one of the rest, until the list is full. The hash of the case draws, so the \
      rest is a fair sample.</p>
      <div class="case-scroll" tabindex="0" role="group" aria-label="Cases by kind"><table>
      <thead><tr><th scope="col">kind</th><th scope="col">in the run</th><th scope="col">listed</th>\
      <th scope="col">open here</th></tr></thead><tbody>

      """)
    for kind in CaseKind.allCases {
      guard let count = sample.counts[kind] else { continue }
      let listed = chosen.filter { $0.kinds.contains(kind) }
      let opening = listed.count { details.contains($0.hash) }
      sink(
        "<tr><th scope=\"row\">\(kind.label)</th><td>\(Numbers.count(count))</td>"
          + "<td>\(Numbers.count(listed.count))</td><td>\(Numbers.count(opening))</td></tr>\n")
    }
    sink("</tbody></table></div></details>\n")
  }

  private func writeList(to sink: ReportSink) {
    var head = JSONWriter()
    head.beginObject()
    head.field("run", run.id)
    head.field("private", run.isPrivate)
    head.field("repeats", run.repeats)
    head.field("cases", sample.cases)
    head.field("textBytes", limits.textBytes)
    head.array("targets", run.targets.indices.map { $0 }) { index, head in
      head.beginObject()
      head.field("name", run.targets[index].name)
      head.field("kind", run.targets[index].kind)
      head.key("slow")
      head.number(slowLines[index].map { Double($0) / 1_000_000 }, decimals: 3)
      head.endObject()
    }
    head.array("kinds", CaseKind.allCases) { kind, head in
      head.beginObject()
      head.field("label", kind.label)
      head.field("meaning", kind.meaning)
      head.endObject()
    }
    head.key("rows")
    sink("<script type=\"application/json\" id=\"case-index\">")
    sink(String(decoding: InlineJSON.escaped(head.bytes), as: UTF8.self) + "[\n")
    for (index, entry) in chosen.enumerated() {
      sink((index > 0 ? ",\n" : "") + String(decoding: entry.json, as: UTF8.self))
    }
    sink("]}</script>\n")
  }
}
