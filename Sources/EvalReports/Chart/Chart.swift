/// A picture without a format: numbers with their axes, and a sentence that says the same.
///
/// Renderers draw it (`ChartSVG`, `ChartText`) or write the sentence. Names and labels may come from strangers:
/// renderers escape all of them. A number that is not finite is left out of the picture.
package struct Chart: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    /// Points and curves over two axes.
    case plot(Plot)
    /// One bar, stack of bars or dot for each of a few names.
    case bars(Bars)
    /// A value in 0…1 for each of many rows (cases) under a few columns (targets).
    case map(CellMap)
  }

  /// Of letters, digits and hyphens, and no other chart of the document has it: a page makes addresses of it.
  package var id: String
  package var title: String
  package var content: Content
  /// What the picture shows, in one or two whole sentences with the numbers: all that a reader gets who sees no picture.
  package var alternative: String
  /// How to read the picture and what is not in it; `nil` where that is plain.
  package var note: String?

  package init(id: String, title: String, _ content: Content, alternative: String, note: String? = nil) {
    self.id = id
    self.title = title
    self.content = content
    self.alternative = alternative
    self.note = note
  }
}

extension Chart {
  /// What the numbers along an axis are, which decides ticks, digits and unit.
  package enum Unit: Sendable, Hashable {
    /// A plain number without a unit.
    case number
    /// A score in 0…1.
    case score
    /// A share in 0…1, shown in per cent.
    case share
    /// A difference of shares in −1…1, shown in points of a per cent.
    case points
    case milliseconds
    case dollars
    case tokens
    case tokensPerSecond
    /// One value's part of another: `×0.8`.
    case factor
  }

  package struct Axis: Sendable, Hashable {
    package enum Scale: Sendable, Hashable {
      case linear
      /// Base 10; what is not above 0 is left out.
      case log
    }

    /// What is measured, without the unit.
    package var label: String
    package var unit: Unit
    package var scale: Scale
    /// What is shown at least, wherever the data lie; `nil` shows the data.
    package var range: ClosedRange<Double>?

    package init(
      _ label: String, _ unit: Unit, scale: Scale = .linear, range: ClosedRange<Double>? = nil
    ) {
      self.label = label
      self.unit = unit
      self.scale = scale
      self.range = range
    }
  }
}

extension Chart {
  package struct Plot: Sendable, Hashable {
    package var x: Axis
    package var y: Axis
    package var series: [Series]
    package var marks: [Mark]
    /// What the series with the role `chosen` are, in a word or two; empty where their names say it.
    package var chosen: String

    package init(x: Axis, y: Axis, series: [Series], marks: [Mark] = [], chosen: String = "chosen") {
      self.x = x
      self.y = y
      self.series = series
      self.marks = marks
      self.chosen = chosen
    }
  }

  package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double
    /// 95 % intervals, drawn as whiskers; `nil` draws none.
    package var xInterval: ClosedRange<Double>?
    package var yInterval: ClosedRange<Double>?
    /// Stands beside the point; `nil` for none.
    package var label: String?

    package init(
      x: Double, y: Double, xInterval: ClosedRange<Double>? = nil, yInterval: ClosedRange<Double>? = nil,
      label: String? = nil
    ) {
      self.x = x
      self.y = y
      self.xInterval = xInterval
      self.yInterval = yInterval
      self.label = label
    }
  }

  package struct Series: Sendable, Hashable {
    package enum Shape: Sendable, Hashable {
      case points
      /// Straight from point to point.
      case line
      /// Level from each point to the next, as a cumulative distribution.
      case steps
    }

    package enum Role: Sendable, Hashable {
      case data
      /// To compare with, as the coin-toss line: quieter than data.
      case reference
      /// What was decided for, or belongs to a set that matters: with a ring.
      case chosen
    }

    package enum Dash: Sendable, Hashable { case solid, dashed }

    /// In the legend; empty keeps it out of the legend.
    package var name: String
    package var shape: Shape
    /// In drawing order; of a line and of steps by rising x.
    package var points: [Point]
    package var role: Role
    /// The same thing (a target) has the same number in every chart of a report; `nil` takes its place in the chart.
    package var slot: Int?
    package var dash: Dash
    /// Fills between the curve and this y; `nil` fills nothing.
    package var fillsTo: Double?

    package init(
      _ name: String, _ shape: Shape, _ points: [Point], role: Role = .data, slot: Int? = nil,
      dash: Dash = .solid, fillsTo: Double? = nil
    ) {
      self.name = name
      self.shape = shape
      self.points = points
      self.role = role
      self.slot = slot
      self.dash = dash
      self.fillsTo = fillsTo
    }
  }

  /// A line or a band across the plot.
  package struct Mark: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
      case x(Double)
      case y(Double)
      case xBand(ClosedRange<Double>)
      case yBand(ClosedRange<Double>)
    }

    package var place: Place
    /// `nil` for a line that needs no words, as zero.
    package var label: String?

    package init(_ place: Place, label: String? = nil) {
      self.place = place
      self.label = label
    }
  }
}

extension Chart {
  package struct Bars: Sendable, Hashable {
    package enum Style: Sendable, Hashable {
      /// A row's parts one behind another; they add up.
      case stacked
      /// A row's parts one below another.
      case grouped
      /// As `grouped`, a dot with its interval, on an axis that need not begin at 0.
      case dots
    }

    package struct Value: Sendable, Hashable {
      /// `nil` is missing, which is not 0.
      package var value: Double?
      /// The 95 % interval; drawn in no stack.
      package var interval: ClosedRange<Double>?

      package init(_ value: Double?, interval: ClosedRange<Double>? = nil) {
        self.value = value
        self.interval = interval
      }
    }

    package struct Part: Sendable, Hashable {
      /// In the legend; a single part needs none.
      package var name: String
      /// `nil` takes the part's place.
      package var slot: Int?

      package init(_ name: String, slot: Int? = nil) {
        self.name = name
        self.slot = slot
      }
    }

    package struct Row: Sendable, Hashable {
      package var name: String
      /// As many as parts.
      package var values: [Value]

      package init(_ name: String, _ values: [Value]) {
        self.name = name
        self.values = values
      }
    }

    package var axis: Axis
    package var style: Style
    package var parts: [Part]
    package var rows: [Row]

    package init(axis: Axis, style: Style = .grouped, parts: [Part], rows: [Row]) {
      self.axis = axis
      self.style = style
      self.parts = parts
      self.rows = rows
    }
  }

  package struct CellMap: Sendable, Hashable {
    package struct Row: Sendable, Hashable {
      package var name: String
      /// In 0…1, as many as columns; `nil` is missing.
      package var values: [Double?]

      package init(_ name: String, _ values: [Double?]) {
        self.name = name
        self.values = values
      }
    }

    /// What a row is, in the plural: `cases`.
    package var rowsLabel: String
    /// What a value is: `score`.
    package var valueLabel: String
    package var columns: [String]
    /// In the order that they are shown in.
    package var rows: [Row]

    package init(rowsLabel: String, valueLabel: String, columns: [String], rows: [Row]) {
      self.rowsLabel = rowsLabel
      self.valueLabel = valueLabel
      self.columns = columns
      self.rows = rows
    }
  }
}
