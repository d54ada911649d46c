import EvalAnalysis
import EvalCore

extension ComparisonReport {
  /// One row a measure.
  static func table(_ comparison: Comparison, wanted: Double?) -> ReportTable {
    let sides = Sides(comparison)
    var table = ReportTable(
      columns: [
        .init("", .left), .init(sides.reference), .init(sides.candidate), .init("change"), .init("p"),
        .init("could see"),
      ])
    for difference in comparison.differences {
      let quantity = difference.measure.quantity
      table.rows.append([
        ReportCell(difference.measure.title), ReportCell(difference.reference, quantity, showsMissing: false),
        ReportCell(difference.candidate, quantity, showsMissing: false), change(difference),
        probability(difference, comparison.familySize), detectable(difference, wanted: wanted),
      ])
    }
    if let cost = comparison.costPerSuccess { table.rows.append(costPerSuccess(cost)) }
    let (before, after) = (comparison.referenceCost, comparison.candidateCost)
    if comparison.difference(.cost) != nil, before.known + after.known > 0 {
      table.rows.append([
        ReportCell("cost of all trials"), ledger(before), ledger(after),
        ReportCell(
          before.unknown + after.unknown > 0
            ? Numbers.missing : ChangeText(.cost).signed(after.known - before.known)),
        .missing, .missing,
      ])
    }
    return table
  }

  private static func costPerSuccess(_ cost: CostPerSuccess) -> [ReportCell] {
    let text = ChangeText(.cost)
    return [
      ReportCell("cost per success"), ReportCell(cost.reference, .dollars, showsMissing: false),
      ReportCell(cost.candidate, .dollars, showsMissing: false),
      ReportCell(
        cost.change.value.map(text.signed) ?? Numbers.missing, interval: cost.change.interval.map(text.range),
        n: cost.change.n,
        note: cost.change.missing > 0 ? "\(Numbers.count(cost.change.missing)) missing" : nil),
      .missing, .missing,
    ]
  }

  private static func ledger(_ ledger: Comparison.CostLedger) -> ReportCell {
    ReportCell(
      ledger.unknown == ledger.trials ? Numbers.missing : Quantity.dollars.text(ledger.known),
      n: ledger.trials,
      note: ledger.unknown > 0 ? "\(Numbers.count(ledger.unknown)) unknown" : nil)
  }

  static func change(_ difference: PairedDifference) -> ReportCell {
    guard let value = difference.change.value else {
      return ReportCell(
        Numbers.missing, note: difference.missing > 0 ? "\(Numbers.count(difference.missing)) missing" : nil,
        tone: .quiet)
    }
    let text = ChangeText(difference.measure)
    var notes: [String] = []
    if difference.change.isClustered, let units = difference.change.units {
      notes.append("\(Numbers.count(units)) clusters")
    }
    if difference.missing > 0 { notes.append("\(Numbers.count(difference.missing)) missing") }
    if difference.unlike > 0 { notes.append("\(Numbers.count(difference.unlike)) unlike") }
    let tone: ReportCell.Tone =
      difference.isSure && difference.test != nil ? (difference.isBetter == false ? .bad : .good) : .plain
    return ReportCell(
      text.signed(value),
      interval: difference.change.method == .exact ? nil : difference.change.interval.map(text.range),
      n: difference.change.n,
      note: notes.isEmpty ? nil : notes.joined(separator: " · "), tone: tone)
  }

  static func probability(_ difference: PairedDifference, _ familySize: Int) -> ReportCell {
    guard let test = difference.test else { return .missing }
    var note: String?
    if !test.canBeSignificant {
      note = "cannot be significant"
    } else if familySize > 1, let adjusted = test.adjusted {
      note = "\(ProbabilityText.text(adjusted)) of \(familySize)"
    }
    return ReportCell(ProbabilityText.text(test.p), note: note)
  }

  private static func detectable(_ difference: PairedDifference, wanted: Double?) -> ReportCell {
    guard let detectable = difference.detectable else { return .missing }
    let text = ChangeText(difference.measure)
    var note: String?
    if let wanted, difference.measure.bounds != nil {
      note = detectable.units(toSee: wanted, .difference).map {
        "\(text.size(wanted)): n=\(ComparisonSentence.round($0))"
      }
    } else if !difference.isSure, let needed = detectable.unitsForObserved, needed > detectable.units {
      note = "for this change n=\(ComparisonSentence.round(needed))"
    }
    return ReportCell(text.size(detectable.difference), note: note)
  }

  static func targetChanges(_ comparison: Comparison) -> [ReportBlock] {
    let sides = Sides(comparison)
    var table = ReportTable(
      columns: [.init("", .left), .init(sides.reference, .left), .init(sides.candidate, .left)])
    var blocks: [ReportBlock] = []
    for change in comparison.targetChanges {
      if let old = change.reference?.stringValue, let new = change.candidate?.stringValue,
        old.contains(" ") || new.contains(" ")
      {
        blocks.append(.verbatim(label: change.path, text: WordDiff(old, new).text(context: 12)))
      } else {
        table.rows.append([
          ReportCell(change.path), ReportCell(short(change.reference)), ReportCell(short(change.candidate)),
        ])
      }
    }
    return (table.rows.isEmpty ? [] : [.table(table)]) + blocks
  }

  private static func short(_ value: JSONValue?) -> String {
    guard let value else { return Numbers.missing }
    let text = value.stringValue ?? value.serialized()
    return text.count > 120 ? String(text.prefix(119)) + "…" : text
  }

  static func unmatched(_ comparison: Comparison) -> [ReportBlock] {
    let pairing = comparison.pairing
    let sides = Sides(comparison)
    var blocks: [ReportBlock] = []
    for (name, ids, trials) in [
      (sides.reference, pairing.onlyReference, pairing.unmatchedReferenceTrials),
      (sides.candidate, pairing.onlyCandidate, pairing.unmatchedCandidateTrials),
    ] {
      if !ids.isEmpty {
        let some = ids.prefix(20).joined(separator: ", ") + (ids.count > 20 ? ", …" : "")
        blocks.append(
          .paragraph(
            "Only \(name) has \(ids.count == 1 ? "1 case" : "\(Numbers.count(ids.count)) cases"): \(some)"))
      }
      if trials > 0 {
        blocks.append(.paragraph("\(Numbers.count(trials)) trials of \(name) have no partner in their case."))
      }
    }
    return blocks
  }

  static func slices(_ comparison: Comparison) -> [ReportBlock] {
    let sides = Sides(comparison)
    var table = ReportTable(
      columns: [
        .init("tag", .left), .init(sides.reference), .init(sides.candidate), .init("change"), .init("p"),
        .init("p, corrected"),
      ])
    for slice in comparison.slices {
      let difference = slice.difference
      let quantity = difference.measure.quantity
      table.rows.append([
        ReportCell(slice.tag), ReportCell(difference.reference, quantity, showsMissing: false),
        ReportCell(difference.candidate, quantity, showsMissing: false), change(difference),
        difference.test.map { ReportCell(ProbabilityText.text($0.p)) } ?? .missing,
        difference.test?.adjusted.map { ReportCell(ProbabilityText.text($0)) } ?? .missing,
      ])
    }
    return [
      .table(table),
      .notes([
        "\(comparison.headline.title) of the cases with a tag. Who looks at many slices finds a difference by chance: only "
          + "the corrected p (Holm over \(comparison.slices.count) tags) is a test, the rest is for finding questions."
      ]),
    ]
  }
}
