import EvalAnalysis
import EvalCore

/// Where a report shows its pictures.
package enum PicturePlace: Sendable, Hashable {
  /// All of them in a section of their own: a page.
  case together
  /// Those that no table says already, in the sections that they belong to: a terminal.
  case inSections
  /// As `inSections`, but only those whose sentences say what no table does: Markdown has no more than the sentence.
  case sentences
}

/// The pictures of one run, each where there is enough to show (`Docs/Page.md`).
struct RunPictures {
  let summary: RunSummary
  let place: PicturePlace

  init(_ summary: RunSummary, _ place: PicturePlace) {
    self.summary = summary
    self.place = place
  }

  /// In the order of a page.
  var all: [ReportBlock] {
    guard place == .together else { return [] }
    var charts: [Chart?] = [qualityCost, servedFrom, takeOvers, caseMap]
    charts += latencyCurves
    charts += [firstTokenSplit(), drift]
    return charts.compactMap { $0.map(ReportBlock.chart) }
  }

  /// For the section of tokens and cost.
  var ofCost: [ReportBlock] { place == .together ? [] : blocks([qualityCost]) }

  /// For the section of checks.
  var ofChecks: [ReportBlock] { place == .together ? [] : blocks([caseMap]) }

  /// For the section of times. The curves' sentences repeat the percentiles of the tables, and the drift's its finding.
  var ofLatency: [ReportBlock] {
    switch place {
    case .together: return []
    case .sentences: return blocks([firstTokenSplit(isTelling: true)])
    case .inSections:
      let hasDrifted = summary.targets.contains { $0.drift?.halves != nil }
      return blocks([latencyCurves.first, firstTokenSplit(isTelling: true), hasDrifted ? drift : nil])
    }
  }

  private func blocks(_ charts: [Chart?]) -> [ReportBlock] {
    charts.compactMap { $0.map(ReportBlock.chart) }
  }

  // MARK: Words

  /// The same target has the same look in every picture.
  func slot(_ name: String) -> Int? { summary.targets.firstIndex { $0.name == name } }

  /// The first four of many parts of a sentence.
  static func some(_ parts: [String], _ separator: String = ", ") -> String {
    let shown = parts.prefix(4).joined(separator: separator)
    return parts.count > 4 ? "\(shown) and \(Numbers.count(parts.count - 4)) more" : shown
  }

  /// A target with what its times were measured under: `cloud, warm`.
  static func name(_ target: TargetSummary, _ group: LatencyGroup, _ more: String? = nil) -> String {
    ([target.name, group.condition.words] + [more].compactMap(\.self)).filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
