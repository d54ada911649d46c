extension Chart {
  /// The most rows of `numbers`.
  private static let mostNumbers = 60

  /// What is drawn as a table; `nil` where that is long or empty.
  var numbers: ReportTable? {
    let table =
      switch content {
      case .plot(let plot): plot.numbers
      case .bars(let bars): bars.numbers
      case .map(let map): map.numbers
      }
    return table.rows.isEmpty || table.rows.count > Chart.mostNumbers ? nil : table
  }
}

extension Chart.Unit {
  fileprivate func cell(_ value: Double?, _ interval: ClosedRange<Double>?) -> ReportCell {
    let range = interval.map { "\(text($0.lowerBound)) to \(text($0.upperBound))" }
    return ReportCell(text(value), interval: range, tone: value?.isFinite == true ? .plain : .quiet)
  }
}

extension Chart.Plot {
  fileprivate var numbers: ReportTable {
    var table = ReportTable(columns: [.init("", .left), .init(x.label), .init(y.label)])
    for series in series {
      // Long ones would not be a table to read.
      for point in series.points.prefix(100) {
        table.rows.append([
          ReportCell(point.label ?? series.name), x.unit.cell(point.x, point.xInterval),
          y.unit.cell(point.y, point.yInterval),
        ])
      }
    }
    return table
  }
}

extension Chart.Bars {
  fileprivate var numbers: ReportTable {
    var table = ReportTable(
      columns: [.init("", .left)] + parts.map { .init($0.name.isEmpty ? axis.label : $0.name) })
    for row in rows {
      let cells = parts.indices.map { index -> ReportCell in
        guard index < row.values.count else { return .missing }
        return axis.unit.cell(row.values[index].value, row.values[index].interval)
      }
      table.rows.append([ReportCell(row.name)] + cells)
    }
    return table
  }
}

extension Chart.CellMap {
  fileprivate var numbers: ReportTable {
    var table = ReportTable(columns: [.init("", .left)] + columns.map { .init($0) })
    for row in rows {
      let cells = columns.indices.map { index -> ReportCell in
        Chart.Unit.score.cell(index < row.values.count ? row.values[index] : nil, nil)
      }
      table.rows.append([ReportCell(row.name)] + cells)
    }
    return table
  }
}
