import EvalAnalysis

/// The pictures of a comparison: the paired differences, and in how many cases each side is better.
enum ComparisonPictures {
  /// - Parameter number: of the comparison in its report, from 1.
  /// - Returns: none where no pair has a value on both sides.
  static func blocks(_ comparison: Comparison, number: Int) -> [ReportBlock] {
    let suffix = number == 1 ? "" : "-\(number)"
    let charts = [
      differences(comparison, id: "paired-differences\(suffix)"), wins(comparison, id: "wins\(suffix)"),
    ].compactMap(\.self)
    return charts.isEmpty ? [] : [.section(title: "Pictures", charts.map { .chart($0) })]
  }

  // MARK: Paired differences

  /// One step for each case, from the one that lost most to the one that gained most.
  static func differences(_ comparison: Comparison, id: String) -> Chart? {
    let measure = comparison.headline
    guard let difference = comparison.difference(measure), difference.cases >= 2 else { return nil }
    let values = PairedSample(measure, comparison.pairing).differences.values.sorted()
    guard let last = values.last else { return nil }
    var points = values.enumerated().map { Chart.Point(x: Double($0.offset), y: $0.element) }
    // The last step is as long as the others.
    points.append(.init(x: Double(values.count), y: last))
    var marks = [Chart.Mark(.y(0))]
    let text = ChangeText(measure)
    if let interval = difference.change.interval {
      marks.append(.init(.yBand(interval)))
    }
    if let mean = difference.change.value {
      let range = difference.change.interval.map { " (\(text.range($0)))" } ?? ""
      marks.append(.init(.y(mean), label: "mean \(text.signed(mean))\(range)"))
    }
    let sides = Sides(comparison)
    let isShare = measure.quantity == .share
    return Chart(
      id: id, title: "Paired differences: \(measure.title)",
      .plot(
        .init(
          x: .init("cases, sorted", .number),
          y: .init(
            "\(sides.candidate) less \(sides.reference)\(isShare ? ", points" : "")",
            isShare ? .points : .score,
            range: -1...1),
          series: [.init("", .steps, points, fillsTo: 0)], marks: marks)),
      alternative: sentence(difference, values, sides))
  }

  private static func sentence(
    _ difference: PairedDifference, _ values: [Double], _ sides: Sides
  ) -> String {
    let text = ChangeText(difference.measure)
    let same = values.count { $0 == 0 }
    var words =
      "Of \(Numbers.count(values.count)) cases \(sides.candidate) is worse than \(sides.reference) in "
      + "\(Numbers.count(difference.fallen)), better in \(Numbers.count(difference.risen)) and the same in "
      + "\(Numbers.count(same))"
    if let value = difference.change.value {
      let range = difference.change.interval.map { " (95 % interval \(text.range($0)))" } ?? ""
      words += "; the mean difference in \(difference.measure.title) is \(text.signed(value))\(range)"
    }
    return words + "."
  }

  // MARK: Who is better in how many cases

  private struct Tally {
    let title: String
    let better: Int
    let same: Int
    let worse: Int

    init(_ difference: PairedDifference) {
      title = difference.measure.title
      let isHigherBetter = difference.measure.isHigherBetter
      better = isHigherBetter ? difference.risen : difference.fallen
      worse = isHigherBetter ? difference.fallen : difference.risen
      same = difference.cases - difference.risen - difference.fallen
    }
  }

  /// One bar for each measure: won, tied and lost cases.
  static func wins(_ comparison: Comparison, id: String) -> Chart? {
    let tallies = comparison.differences.filter { difference in
      ![.scoreConditional, .passConditional].contains(difference.measure) && difference.cases > 0
    }.map(Tally.init)
    guard !tallies.isEmpty else { return nil }
    let sides = Sides(comparison)
    let parts: [Chart.Bars.Part] = [
      .init("better", slot: 0), .init("the same", slot: 7), .init("worse", slot: 5),
    ]
    let rows = tallies.map { tally in
      Chart.Bars.Row(
        tally.title, [tally.better, tally.same, tally.worse].map { Chart.Bars.Value(Double($0)) })
    }
    let words = tallies.map { tally in
      "\(tally.title) \(Numbers.count(tally.better)), \(Numbers.count(tally.same)), \(Numbers.count(tally.worse))"
    }
    return Chart(
      id: id, title: "Cases in which \(sides.candidate) is better",
      .bars(.init(axis: .init("cases", .number), style: .stacked, parts: parts, rows: rows)),
      alternative:
        "Cases in which \(sides.candidate) is better than \(sides.reference), the same, and worse: "
        + "\(words.joined(separator: "; ")).")
  }
}
