import EvalCore

/// Turns one CSV record into a JSON object of case keys, so that it is read, and its faults are told, as any other
/// case. Keeps where each cell went.
struct CSVRowReader {
  private let recipe: RowRecipe
  private let record: Record
  private var writer = JSONWriter()
  /// Where a cell's value begins in the JSON, and where the cell begins in the record.
  private var cells: [(json: Int, record: Int)] = []

  init(_ recipe: RowRecipe, _ record: Record) {
    self.recipe = recipe
    self.record = record
  }

  mutating func layer(in document: JSONDocument, _ reader: Reader) -> Layer? {
    do throws(CSVRow.Fault) {
      let fields = try CSVRow.fields(of: record.bytes)
      guard fields.count == recipe.columns.count else {
        throw CSVRow.Fault(
          offset: 0,
          message: "this row has \(Self.count(fields.count)), the header has \(recipe.columns.count)")
      }
      try write(fields)
    } catch {
      note(error, reader)
      return nil
    }
    do throws(JSONSyntaxError) {
      try document.parse(writer.bytes)
    } catch {
      note(CSVRow.Fault(offset: 0, message: error.message), reader)
      return nil
    }
    let (cells, record, path) = (cells, record, recipe.path)
    var origin = Origin(root: document.root, directory: recipe.directory) { offset in
      let cell = cells.last { $0.json <= offset }
      return RowDecoder.location(record, cell?.record ?? 0, path)
    }
    origin.takesTemplates = recipe.takesTemplates
    return reader.with(origin) { ObjectTable.caseTable.scan(document.root, reader) }
  }

  private static func count(_ fields: Int) -> String { fields == 1 ? "1 field" : "\(fields) fields" }

  private func note(_ fault: CSVRow.Fault, _ reader: Reader) {
    let place = RowDecoder.location(record, fault.offset, recipe.path)
    reader.diagnostics.add(Problem(.error, fault.message, at: place))
  }

  private mutating func write(_ fields: [CSVRow.Field]) throws(CSVRow.Fault) {
    writer.beginObject()
    var nested: [(object: MappedMember.Object, name: String, index: Int)] = []
    for (index, goal) in recipe.columns.enumerated() {
      switch goal {
      case .key(let key): try write(fields[index], key: key)
      case .variable(let name): nested.append((.variables, name, index))
      case .signal(let name): nested.append((.signals, name, index))
      case nil: break
      }
    }
    for object in [MappedMember.Object.variables, .signals]
    where nested.contains(where: { $0.object == object }) {
      writer.key(object.rawValue)
      writer.beginObject()
      for member in nested where member.object == object {
        write(
          CSVRow.text(fields[member.index], of: record.bytes), member.name, fields[member.index],
          typed: object == .signals)
      }
      writer.endObject()
    }
    writer.endObject()
  }

  /// An empty cell is as if the column were not there.
  private mutating func write(_ field: CSVRow.Field, key index: Int) throws(CSVRow.Fault) {
    let text = CSVRow.text(field, of: record.bytes)
    if text.isEmpty { return }
    let name = ObjectTable<CaseDraft>.caseTable.keys[index].text
    switch name {
    case "id", "cluster", "input", "reference": write(text, name, field, typed: false)
    case "mustPass": write(text, name, field, typed: true)
    case "tags":
      begin(name, field)
      let tags = text.split { $0 == "," || $0 == ";" }.map(\.trimmed).filter { !$0.isEmpty }
      writer.raw(.array(tags.map { .string($0) }))
    default:
      // The other keys are lists and objects, which a cell holds as JSON.
      begin(name, field)
      do throws(JSONSyntaxError) {
        writer.raw(try JSONValue.parse(text, .relaxed))
      } catch {
        throw CSVRow.Fault(
          offset: field.range.lowerBound, message: "the column '\(name)' holds JSON, but \(error.message)")
      }
    }
  }

  /// - Parameter typed: `true`, `false` and numbers are themselves, not strings.
  private mutating func write(_ text: String, _ name: String, _ field: CSVRow.Field, typed: Bool) {
    if text.isEmpty { return }
    begin(name, field)
    if typed, let value = try? JSONValue.parse(text.lowercased()), value.arrayValue == nil,
      value.objectValue == nil
    {
      writer.raw(value)
    } else {
      writer.raw(.string(text))
    }
  }

  private mutating func begin(_ name: String, _ field: CSVRow.Field) {
    writer.key(name)
    cells.append((writer.bytes.count, field.range.lowerBound))
  }
}

/// The header of a CSV file: what each column is.
struct CSVHeader {
  private let columns: [(name: String, offset: Int)]
  private let record: Record
  private let path: String

  init(_ record: Record, _ path: String) throws(CSVRow.Fault) {
    self.record = record
    self.path = path
    columns = try CSVRow.fields(of: record.bytes).map { field in
      (CSVRow.text(field, of: record.bytes).trimmed, field.range.lowerBound)
    }
  }

  /// Where the columns go; notes those that mean nothing or twice the same, and fields that no column has.
  func goals(_ mapping: FieldMapping, _ reader: Reader) -> [FieldMapping.Goal?] {
    var goals: [FieldMapping.Goal?] = []
    for column in columns {
      let goal = goal(of: column.name, mapping)
      if let goal, goals.contains(goal) {
        note("two columns are '\(column.name)'", at: column.offset, nil, reader)
        goals.append(nil)
        continue
      }
      if goal == nil, mapping.fields.isEmpty { noteUnknown(column, reader) }
      goals.append(goal)
    }
    let names = columns.map(\.name)
    for field in mapping.fields {
      if let column = field.column, !names.contains(column) { field.noteMissing(column, names, path, reader) }
    }
    return goals
  }

  private func goal(of name: String, _ mapping: FieldMapping) -> FieldMapping.Goal? {
    if let field = mapping.fields.first(where: { $0.column == name }) { return field.goal }
    guard let goal = FieldMapping.Goal(name) else { return nil }
    return mapping.fields.contains { $0.goal == goal } ? nil : goal
  }

  private func noteUnknown(_ column: (name: String, offset: Int), _ reader: Reader) {
    let advice =
      suggestion(for: column.name, among: FieldMapping.names)
      ?? "rename it, or say by 'fields' which columns are read: {\"input\": \"\(column.name)\"}"
    let message =
      column.name.isEmpty ? "a column has no name" : "the column '\(column.name)' is not a key of a case"
    note(message, at: column.offset, advice, reader)
  }

  private func note(_ message: String, at offset: Int, _ advice: String?, _ reader: Reader) {
    let place = RowDecoder.location(record, offset, path)
    reader.diagnostics.add(Problem(.error, message, at: place, advice: advice))
  }
}

extension FieldMapping.Field {
  /// Notes that a column of the mapping does not exist.
  func noteMissing(_ column: String, _ names: [String], _ file: String, _ reader: Reader) {
    let advice =
      suggestion(for: column, among: names)
      ?? (names.isEmpty ? nil : "there are \(names.prefix(20).joined(separator: ", "))")
    reader.diagnostics.add(
      Problem(.error, "'\(file)' has no '\(column)'", at: place, path: path, advice: advice))
  }
}
