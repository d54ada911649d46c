import EvalCore

/// Reads the suite's cases, those that stand in it and those in files, in their order.
struct CasesReader {
  let reader: Reader
  let source: SourceText
  let decoder: CaseDecoder
  let collector: CaseCollector

  func read(_ view: JSONView) {
    guard view.kind == .array else {
      if view["file"] != nil { return readFile(view) }
      return reader.wrong(view, expected: "an array of cases, or {\"file\": \"cases.jsonl\"}")
    }
    var isInline = false
    for item in view.elements {
      if item.kind == .object, item["file"] != nil {
        readFile(item)
        isInline = false
        continue
      }
      if !isInline { beginInline() }
      isInline = true
      readInline(item)
    }
  }

  private func beginInline() {
    collector.begin(
      CasePart(
        content: .memory(source), recipe: RowRecipe(path: source.name, format: .json),
        first: collector.summaries.count))
  }

  private func readInline(_ view: JSONView) {
    guard let layer = ObjectTable.caseTable.scan(view, reader) else { return }
    let decoded = decoder.decode([layer], at: reader.location(of: view))
    let range = view.range
    collector.add(decoded, CaseSlot(offset: range.lowerBound, length: UInt32(range.count), line: 0))
  }

  private func readFile(_ view: JSONView) {
    guard let draft = ObjectTable.caseFile.readAnyway(view, reader), !draft.file.isEmpty else { return }
    let place = view["file"] ?? view
    let path = Paths.resolve(draft.file, in: reader.origin.directory, home: reader.environment["HOME"])
    if draft.format == nil, let stated = view["format"], !stated.isNull { return }
    guard let format = draft.format ?? CaseFormat(ending: Paths.ending(of: path)) else {
      return reader.error(
        "the ending of '\(path)' does not say how its rows are written", at: place,
        advice: "give 'format': jsonl, json or csv")
    }
    do throws(FileFault) {
      let file = try OpenFile(path)
      var recipe = RowRecipe(path: path, format: format, takesTemplates: draft.templates)
      recipe.mapping = draft.fields.map { FieldMapping($0, reader) } ?? FieldMapping()
      readRows(file, recipe, defaults: draft.defaults, at: place)
    } catch {
      reader.error(error.message, at: place, advice: error.advice)
    }
  }

  private func readRows(_ file: OpenFile, _ recipe: RowRecipe, defaults: JSONView?, at place: JSONView) {
    var recipe = recipe
    var records = RecordReader(file, recipe.format)
    if recipe.format == .csv {
      guard let columns = header(&records, recipe) else { return }
      recipe.columns = columns
    }
    let fragment = defaults.map { Fragment($0, source, path: reader.path(of: $0) ?? "") }
    collector.begin(
      CasePart(content: .file(file), recipe: recipe, defaults: fragment, first: collector.summaries.count))
    let layer = defaults.flatMap { ObjectTable.caseDefaults.scan($0, reader)?.asCase }
    let rows = RowDecoder(recipe)
    let errors = reader.diagnostics.errorCount
    let count = readRows(&records, rows, defaults: layer)
    if count == 0, reader.diagnostics.errorCount == errors {
      reader.warning("'\(recipe.path)' has no case", at: place)
    }
    if recipe.format != .csv, count > 0 { noteUnread(rows) }
  }

  private func readRows(_ records: inout RecordReader, _ rows: RowDecoder, defaults: Layer?) -> Int {
    var count = 0
    while true {
      switch records.next() {
      case .end: return count
      case .fault(let problem):
        reader.diagnostics.add(problem)
        return count
      case .record(let record):
        let location = SourceLocation(file: rows.recipe.path, line: record.line, column: record.column)
        let layer = rows.layer(record, index: count, reader)
        count += 1
        if reader.diagnostics.isFull { return count }
        guard let layer else { continue }
        collector.add(
          decoder.decode([defaults, layer].compactMap(\.self), at: location),
          CaseSlot(
            offset: record.offset, length: UInt32(record.bytes.count), line: UInt32(clamping: record.line)))
      }
    }
  }

  /// The header of a CSV file; `nil` after noting what is wrong.
  private func header(_ records: inout RecordReader, _ recipe: RowRecipe) -> [FieldMapping.Goal?]? {
    switch records.next() {
    case .end:
      let place = SourceLocation(file: recipe.path, line: 1, column: 1)
      reader.diagnostics.add(
        Problem(.error, "the file is empty", at: place, advice: "its first line names the columns"))
      return nil
    case .fault(let problem):
      reader.diagnostics.add(problem)
      return nil
    case .record(let record):
      do throws(CSVRow.Fault) {
        return try CSVHeader(record, recipe.path).goals(recipe.mapping, reader)
      } catch {
        let place = RowDecoder.location(record, error.offset, recipe.path)
        reader.diagnostics.add(Problem(.error, error.message, at: place))
        return nil
      }
    }
  }

  /// A column of the mapping that no row has is a name that leads nowhere.
  private func noteUnread(_ rows: RowDecoder) {
    for (field, found) in zip(rows.recipe.mapping.fields, rows.found) where !found {
      if let column = field.column { field.noteMissing(column, rows.firstNames, rows.recipe.path, reader) }
    }
  }
}
