import EvalAnalysis
import EvalCore

/// The part of a run's page that goes down to the case: a list of cases, and all about each that fits.
///
/// The section is HTML with its data as JSON; `script` and `style` bring it to life. Memory depends on the limits, not on
/// the run.
package struct CaseExplorer {
  private let input: ReportInput
  private let limits: CaseLimits

  package init(input: ReportInput, limits: CaseLimits = CaseLimits()) {
    self.input = input
    self.limits = limits
  }

  /// What the section needs in the page's one script.
  package static var script: [UInt8] {
    let parts = [
      PackageResources.case_text_js, PackageResources.case_diff_js, PackageResources.case_markdown_js,
      PackageResources.case_timeline_js, PackageResources.case_answers_js, PackageResources.case_view_js,
      PackageResources.case_rows_js, PackageResources.cases_js,
    ]
    return Array("(() => {\n\"use strict\";\n".utf8) + parts.joined() + Array("})();\n".utf8)
  }

  /// What the section needs in the page's style.
  package static var style: [UInt8] { PackageResources.cases_css }

  /// Writes `<section id="cases">`. No piece ends within a text.
  /// - Throws: what the source and the readers of texts throw.
  package func write(to sink: ReportSink) throws {
    var walk = CaseWalk(run: input.source.run, limits: limits)
    try input.source.forEachTrial { walk.add($0) }
    walk.finish()
    let chosen = walk.sample.chosen
    let details = try self.details(of: chosen)
    let page = CaseSection(
      run: input.source.run, limits: limits, sample: walk.sample, chosen: chosen, details: details.keys,
      slowLines: walk.slowLines.map(\.nanoseconds))
    page.writeHead(to: sink)
    for (index, entry) in chosen.enumerated() {
      guard let json = details[entry.hash] else { continue }
      sink(CaseSection.data("case-data-\(index)", String(decoding: json, as: UTF8.self)))
    }
    page.writeEnd(to: sink)
  }

  /// What opens: as many of the chosen as fit, from the first.
  private func details(of chosen: [CaseSample.Entry]) throws -> [ContentHash: [UInt8]] {
    let ranks = Dictionary(
      uniqueKeysWithValues: chosen.enumerated().map {
        ($1.hash, Shortlist<(ContentHash, [UInt8])>.Rank(first: UInt64($0)))
      })
    let audit = RunLeaks(input.source.run)
    var list = Shortlist<(ContentHash, [UInt8])>(budget: limits.detailBytes)
    var open: (hash: ContentHash, details: CaseDetails)?
    func close() {
      guard let (hash, unfinished) = open, let rank = ranks[hash] else { return }
      open = nil
      var details = unfinished
      let json = details.finish()
      list.offer((hash, json), rank, size: json.count)
    }
    try input.source.forEachTrial { trial in
      let hash = trial.key.caseHash
      if open?.hash != hash { close() }
      guard let rank = ranks[hash], list.isOpen(to: rank) else { return }
      var details =
        try open?.details
        ?? CaseDetails(
          trial, content: input.content?(hash), input: input, audit: audit, limits: limits)
      open = nil
      try details.add(trial)
      open = (hash, details)
    }
    close()
    return Dictionary(uniqueKeysWithValues: list.items)
  }
}

/// The first pass: rows, counts and times.
private struct CaseWalk {
  private let targets: [String: Int]
  private let audit: RunLeaks
  private(set) var sample: CaseSample
  /// By the run's order of targets.
  private(set) var slowLines: [SlowLine]
  private var row: CaseRow?

  init(run: RunInfo, limits: CaseLimits) {
    targets = Dictionary(
      run.targets.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    audit = RunLeaks(run)
    sample = CaseSample(limits: limits, seed: run.seed)
    slowLines = run.targets.map { _ in SlowLine() }
  }

  mutating func add(_ trial: TrialRecord) {
    guard let target = targets[trial.target] else { return }
    if row?.hash != trial.key.caseHash { finish() }
    if let time = trial.waitedFor { slowLines[target].add(time) }
    var row = self.row ?? CaseRow(trial, targets: targets.count)
    self.row = nil
    row.add(trial, target: target, leaks: audit.leaks(of: trial).count)
    self.row = row
  }

  mutating func finish() {
    if let row { sample.offer(row) }
    row = nil
  }
}
