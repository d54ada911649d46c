import EvalCore

/// What must be known of a case file to read one of its rows again.
struct RowRecipe: Sendable {
  var path: String
  var format: CaseFormat
  var mapping = FieldMapping()
  /// Where the columns of a CSV file go; `nil` for a column that is not read.
  var columns: [FieldMapping.Goal?] = []
  var takesTemplates = true

  /// Where relative paths in a row start.
  var directory: String { Paths.directory(of: path) }
}

/// Reads rows of one case file into the members of a case.
final class RowDecoder {
  let recipe: RowRecipe
  /// For each mapped field whether a row had it.
  private(set) var found: [Bool]
  /// The members of the first row, for suggestions.
  private(set) var firstNames: [String] = []
  private let document = JSONDocument()

  init(_ recipe: RowRecipe) {
    self.recipe = recipe
    found = recipe.mapping.fields.map { $0.column == nil }
  }

  /// - Parameter index: the row's place in its file, 0-based.
  /// - Returns: `nil` after noting what is wrong.
  func layer(_ record: Record, index: Int, _ reader: Reader) -> Layer? {
    if let offset = Self.invalidUTF8(record.bytes) {
      let place = Self.location(record, offset, recipe.path)
      reader.diagnostics.add(
        Problem(.error, "this is not UTF-8 text", at: place, advice: "save the file as UTF-8"))
      return nil
    }
    if recipe.format == .csv {
      var row = CSVRowReader(recipe, record)
      return row.layer(in: document, reader)
    }
    do throws(JSONSyntaxError) {
      try document.parse(record.bytes, dialect: .relaxed)
    } catch {
      let place = Self.location(record, error.offset, recipe.path)
      reader.diagnostics.add(Problem(.error, error.message, at: place))
      return nil
    }
    let (path, isArray) = (recipe.path, recipe.format == .json)
    var origin = Origin(
      root: document.root, prefix: isArray ? "[\(index)]" : "", directory: recipe.directory
    ) { offset in Self.location(record, offset, path) }
    origin.takesTemplates = recipe.takesTemplates
    return reader.with(origin) { layer(document.root, reader) }
  }

  private func layer(_ row: JSONView, _ reader: Reader) -> Layer? {
    let mapping = recipe.mapping
    guard !mapping.fields.isEmpty else { return ObjectTable.caseTable.scan(row, reader) }
    guard var layer = ObjectTable.caseTable.scan(row, reader, ignoresUnknown: true) else { return nil }
    if firstNames.isEmpty { firstNames = row.members.compactMap(\.key.string) }
    for (index, field) in mapping.fields.enumerated() {
      let view = field.column.flatMap { JSONPath.find($0, from: row) }
      if view != nil { found[index] = true }
      switch field.goal {
      case .key(let key): layer.values[key] = view
      case .variable(let name): layer.add(.variables, name, view)
      case .signal(let name): layer.add(.signals, name, view)
      }
    }
    return layer
  }

  static func location(_ record: Record, _ offset: Int, _ path: String) -> SourceLocation {
    let (line, column) = SourceText(name: path, bytes: record.bytes).position(of: offset)
    return SourceLocation(
      file: path, line: record.line + line - 1, column: line == 1 ? record.column + column - 1 : column)
  }

  /// The first byte that is no UTF-8; `nil` when all are.
  static func invalidUTF8(_ bytes: [UInt8]) -> Int? {
    if bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil { return nil }
    var decoder = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return min(offset, bytes.count)
      }
    }
  }
}

extension Layer {
  fileprivate mutating func add(_ object: MappedMember.Object, _ name: String, _ view: JSONView?) {
    guard let view, !view.isNull else { return }
    members.append(MappedMember(object: object, name: name, view: view))
  }
}
