package import EvalCore

/// A report without a format: composed once, then rendered as text, as Markdown and as a page.
///
/// Every text in it may come from a model, a suite or a server: renderers escape all of it.
package struct ReportDocument: Sendable {
  package var title: String
  package var blocks: [ReportBlock]

  package init(title: String, blocks: [ReportBlock] = []) {
    self.title = title
    self.blocks = blocks
  }
}

/// A part of a document, from top to bottom.
package indirect enum ReportBlock: Sendable {
  case heading(String)
  /// The answer in one sentence, which a reader without time takes away; its tone is that of the gates.
  case verdict(String, ReportCell.Tone)
  case paragraph(String)
  /// What nobody may overlook, as that nothing here was measured live.
  case banner(String)
  case table(ReportTable)
  /// A picture, or where a format has none its sentence.
  case chart(Chart)
  case findings([Finding])
  /// Small print: definitions and denominators.
  case notes([String])
  /// Words of a suite, a model or a server, line breaks kept.
  case verbatim(label: String, text: String)
  /// Details under a title, which a format may fold away.
  case section(title: String, [ReportBlock])
}

/// Rows of typed cells under named columns. The first column names the row.
package struct ReportTable: Sendable {
  package enum Alignment: Sendable, Hashable { case left, right }

  package struct Column: Sendable, Hashable {
    package var title: String
    package var alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .right) {
      self.title = title
      self.alignment = alignment
    }
  }

  /// Names the table within its document, for links and tests: small letters; `nil` for one that nothing points to.
  package var id: String?
  package var caption: String?
  package var columns: [Column]
  /// As many cells as columns.
  package var rows: [[ReportCell]]

  package init(id: String? = nil, caption: String? = nil, columns: [Column], rows: [[ReportCell]] = []) {
    self.id = id
    self.caption = caption
    self.columns = columns
    self.rows = rows
  }
}

/// One value with its doubt, already in words.
package struct ReportCell: Sendable, Hashable {
  package enum Tone: Sendable, Hashable {
    case plain, good, bad, warning
    /// Of less interest.
    case quiet
  }

  /// `—` for a value that is missing.
  package var text: String
  package var interval: String?
  /// How many the value rests on.
  package var n: Int?
  /// Anything else beside the value: what is missing, a condition.
  package var note: String?
  package var tone: Tone
  /// The best of its row, and surely so (`Standing.isSettled`).
  package var isBest = false

  package init(
    _ text: String, interval: String? = nil, n: Int? = nil, note: String? = nil, tone: Tone = .plain
  ) {
    self.text = text
    self.interval = interval
    self.n = n
    self.note = note
    self.tone = tone
  }

  /// The second line of the cell; `nil` without one.
  package var detail: String? {
    let count = n.map { "n=\(Numbers.count($0))" }
    let parts = [isBest ? "best" : nil, interval, count, note].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
