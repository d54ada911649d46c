package import EvalAnalysis
package import EvalCore

/// What policies would have done over a recorded run, ready to be shown.
package struct ReplayReport: WhatIfReport {
  /// A policy as it was given.
  package struct Source: Sendable {
    /// The name of its row.
    package var name: String
    /// The file, or the route of the run, that it comes from.
    package var origin: String
    package var hash: ContentHash
    /// Why it is under study without protection; `nil` for a policy that an app may have.
    package var unprotected: String?

    package init(name: String, origin: String, hash: ContentHash, unprotected: String?) {
      self.name = name
      self.origin = origin
      self.hash = hash
      self.unprotected = unprotected
    }
  }

  package var recorded: RecordedRun
  package var comparison: RoutingComparison
  package var gaps: [String: [ReplayGap]]
  package var sources: [Source]

  package init(
    recorded: RecordedRun, comparison: RoutingComparison, gaps: [String: [ReplayGap]], sources: [Source]
  ) {
    self.recorded = recorded
    self.comparison = comparison
    self.gaps = gaps
    self.sources = sources
  }

  var json: String { ReplayJSON.text(self) }

  func writeCSV(to sink: ReportSink) { ReplayCSV.write(self, to: sink) }

  /// Calls that the policies would have made where they may not; arms alone are no policy.
  package var leaks: Int { comparison.policies.reduce(0) { $0 + $1.leaks.attempts } }

  package var document: ReportDocument {
    var blocks: [ReportBlock] = []
    if leaks > 0 { blocks.append(.banner(leakBanner)) }
    blocks.append(.banner(ReplayWords.banner(comparison.scenario)))
    blocks += [verdict, .paragraph(headline)]
    blocks += leakBlocks + quadrantBlocks
    blocks.append(.table(scoreTable))
    blocks += pictures
    blocks.append(contentsOf: relativeBlocks)
    blocks += [.paragraph(ranking), .paragraph(pareto)]
    blocks += gapBlocks
    blocks.append(.notes(notes))
    return ReportDocument(title: title, blocks: blocks)
  }

  private var title: String {
    ReplayWords.title("Replay", of: recorded.run, scenario: comparison.scenario)
  }

  private var headline: String {
    let run = recorded.run
    let compared = comparison
    return [
      "\(Numbers.count(compared.cases)) \(compared.cases == 1 ? "case" : "cases") × \(compared.repeats) "
        + "\(compared.repeats == 1 ? "repeat" : "repeats") of \(run.suiteName)",
      "\(sources.count) \(sources.count == 1 ? "policy" : "policies") over \(compared.arms.count) "
        + "\(compared.arms.count == 1 ? "arm" : "arms")",
      "\(Numbers.part(compared.pairedTrials, of: compared.cases * compared.repeats)) trials compared",
    ].joined(separator: " · ")
  }

  // MARK: Leaks

  private var leakBanner: String {
    let leaky = comparison.policies.filter { $0.leaks.attempts > 0 }
    let words = leaky.map { "\($0.name) \(Numbers.count($0.leaks.attempts))" }.joined(separator: ", ")
    return "LEAKS: \(words). Content would have gone where it may not."
  }

  private var leakBlocks: [ReportBlock] {
    let leaky = comparison.policies.filter { $0.leaks.attempts > 0 }
    guard !leaky.isEmpty else { return [] }
    var table = ReportTable(
      caption: "Leaks",
      columns: [
        .init("policy", .left), .init("calls"), .init("trials"), .init("broken rules", .left),
        .init("cases", .left),
      ])
    for score in leaky {
      let rules = Leak.Rule.allCases.compactMap { rule in
        score.leaks.rules[rule].map { "\(ReplayWords.rule(rule)) \(Numbers.count($0))" }
      }
      let source = sources.first { $0.name == score.name }
      table.rows.append([
        ReportCell(score.name, note: source?.unprotected.map { "unprotected: \($0)" }),
        ReportCell(Numbers.count(score.leaks.attempts), tone: .bad),
        ReportCell(Numbers.count(score.leaks.trials)), ReportCell(rules.joined(separator: ", ")),
        ReportCell(ReplayWords.list(score.leaks.caseIDs, of: score.leaks.trials)),
      ])
    }
    return [.table(table)]
  }

  // MARK: Before any policy

  private var quadrantBlocks: [ReportBlock] {
    guard let weak = comparison.weak, let strong = comparison.strong else {
      return [.paragraph("No quadrants: there are no two arms, a near and a far one, to choose between.")]
    }
    guard let quadrants = comparison.quadrants else {
      return [.paragraph("No quadrants: \(weak) or \(strong) has too few scored trials.")]
    }
    var table = ReportTable(
      caption: "Before any policy: \(weak) or \(strong) (what-if)",
      columns: [
        .init("", .left), .init("cases"), .init("share"), .init("meaning", .left),
        .init("for instance", .left),
      ])
    let rows: [(String, [String], String)] = [
      ("RESCUE", quadrants.rescue, "only \(strong) is right: worth sending there"),
      ("LOSS", quadrants.loss, "only \(weak) is right: sending it on makes it worse"),
      ("SAFE", quadrants.safe, "both are right: may stay with \(weak)"),
      ("HARD", quadrants.hard, "neither is right: nothing helps"),
    ]
    let all = rows.reduce(0) { $0 + $1.1.count }
    for (name, cases, meaning) in rows {
      let share = all > 0 ? Quantity.share.text(Double(cases.count) / Double(all)) : Numbers.missing
      table.rows.append([
        ReportCell(name), ReportCell(count: cases.count), ReportCell(share), ReportCell(meaning),
        ReportCell(ReplayWords.list(Array(cases.prefix(3)), of: cases.count)),
      ])
    }
    return [.table(table)]
  }

  // MARK: After the tables

  private var ranking: String {
    guard let ranking = comparison.ranking else {
      return
        "No ranking: \(Quantity.share.text(comparison.pairedShare)) of the trials have a quality for every side, and "
        + "the floor is \(Quantity.share.text(comparison.settings.floor)). Nothing is put in the place of what is missing."
    }
    let left = (comparison.arms + comparison.policies).filter { !$0.isCompared }.map(\.name)
    let rest =
      left.isEmpty ? "" : " Below the coverage floor and not ranked: \(left.joined(separator: ", "))."
    guard !ranking.isEmpty else { return "No ranking: every side is below the coverage floor." }
    return "By quality, then cost: \(ranking.joined(separator: ", ")).\(rest)"
  }

  private var pareto: String {
    if comparison.pareto.isEmpty { return "No Pareto set: the costs are not known." }
    return "Pareto set, which nothing beats in quality and cost for sure: "
      + "\(comparison.pareto.joined(separator: ", "))."
  }

  private var gapBlocks: [ReportBlock] {
    let names = (comparison.arms + comparison.policies).map(\.name).filter { gaps[$0] != nil }
    guard !names.isEmpty else { return [] }
    var table = ReportTable(
      columns: [
        .init("side", .left), .init("label", .left), .init("trials"), .init("why", .left),
        .init("cases", .left),
      ]
    )
    for name in names {
      for gap in gaps[name] ?? [] {
        table.rows.append([
          ReportCell(name), ReportCell(gap.label, tone: gap.label == "missing" ? .warning : .plain),
          ReportCell(Numbers.count(gap.trials)), ReportCell(gap.reason),
          ReportCell(ReplayWords.list(gap.caseIDs, of: gap.trials)),
        ])
      }
    }
    return [.section(title: "What is not exact", [.table(table)])]
  }

  private var notes: [String] {
    var notes = ReplayWords.notes(recorded)
    notes.insert(
      "What-if numbers. Latency is the sum of recorded attempts, waits and decisions, not measured under load. Coin: as many "
        + "cases to \(comparison.strong ?? "the far arm"), drawn blindly. Oracle: the best permitted arm of each case, known "
        + "afterwards. Ranges are paired 95 % intervals over \(Numbers.count(comparison.units)) clusters "
        + "(\(Numbers.count(comparison.settings.resamples)) resamples, seed \(comparison.settings.seed)). "
        + "Definitions: Docs/RoutingScores.md.", at: 0)
    for source in sources {
      notes.append("\(source.name): \(source.origin) (\(source.hash.short))")
    }
    return notes
  }
}
