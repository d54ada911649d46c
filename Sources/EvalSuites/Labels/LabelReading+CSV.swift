import EvalCore

/// Tables that a person wrote.
extension LabelReading {
  mutating func addCSV(_ record: Record) {
    self.record = record
    do throws(CSVRow.Fault) {
      let fields = try CSVRow.fields(of: record.bytes)
      guard let header else { return readHeader(fields) }
      guard fields.count == header.count else {
        throw CSVRow.Fault(
          offset: 0, message: "this row has \(fields.count) fields, the header has \(header.count)")
      }
      readRow(fields, header)
    } catch {
      note(error.message, at: error.offset)
    }
  }

  private mutating func readHeader(_ fields: [CSVRow.Field]) {
    let names = fields.map { CSVRow.text($0, of: record.bytes).trimmed }
    header = names
    for (name, field) in zip(names, fields) where !LabelReading.columns.contains(name) {
      note(
        "the column '\(name)' is not known", at: field.range.lowerBound,
        advice: suggestion(for: name, among: LabelReading.columns)
          ?? "there are \(LabelReading.columns.joined(separator: ", "))")
    }
    for name in ["case", "check", "label"] where !names.contains(name) {
      note("there is no column '\(name)'", at: 0)
    }
  }

  private mutating func readRow(_ fields: [CSVRow.Field], _ header: [String]) {
    var cells: [String: (text: String, offset: Int)] = [:]
    for (name, field) in zip(header, fields) {
      let text = CSVRow.text(field, of: record.bytes).trimmed
      if !text.isEmpty { cells[name] = (text, field.range.lowerBound) }
    }
    for name in ["case", "check"] where cells[name] == nil { note("'\(name)' is empty", at: 0) }
    guard let subject = cells["case"], let check = cells["check"] else { return }
    var label = AnswerLabel(caseID: subject.text, check: check.text, criterion: cells["criterion"]?.text)
    label.target = cells["target"]?.text
    func number(_ name: String) -> Int? {
      guard let cell = cells[name] else { return nil }
      if let number = Int(cell.text), number >= 1 { return number - 1 }
      note("'\(name)' is a whole number of at least 1, not '\(cell.text)'", at: cell.offset)
      return nil
    }
    label.repeatIndex = number("repeat")
    label.turn = number("turn")
    label.label = cells["label"]?.text
    add(label, offset: cells["label"]?.offset ?? 0)
  }
}
