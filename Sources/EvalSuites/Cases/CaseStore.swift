import EvalCore
import Synchronization

/// Where a case stands in its file.
struct CaseSlot: Sendable {
  var offset: Int
  var length: UInt32
  var line: UInt32
}

/// A part of a text that is parsed again when it is needed.
struct Fragment: Sendable {
  var source: SourceText
  var range: Range<Int>
  /// The fragment's path in its file.
  var path: String

  init(_ view: JSONView, _ source: SourceText, path: String) {
    self.source = source
    range = view.range
    self.path = path
  }

  /// The fragment's value; it was read before, so it parses.
  func parsed() -> Origin {
    let document = JSONDocument()
    try? document.parse(Array(source.bytes[range]), dialect: .relaxed)
    return Origin(source, root: document.root, base: range.lowerBound, prefix: path)
  }
}

/// The cases of one file, or some that stand in the suite itself.
struct CasePart: Sendable {
  enum Content: Sendable {
    case memory(SourceText)
    case file(OpenFile)
  }

  var content: Content
  var recipe: RowRecipe
  var defaults: Fragment?
  /// The index of its first case.
  var first: Int
}

/// What reading a case again needs besides its row.
struct CaseSurroundings: Sendable {
  var vocabulary: SuiteVocabulary
  var environment: [String: String]
  var defaults: Fragment?
  var checks: Fragment?
}

/// The cases of a suite: a few words of each in memory, the rest where it was written, read when it is asked for.
final class CaseStore: CaseSource {
  let summaries: [CaseSummary]
  private let slots: [CaseSlot]
  private let parts: [CasePart]
  /// The first cases, as they were read.
  private let kept: [Case]
  private let loader: Mutex<CaseLoader>

  init(
    summaries: [CaseSummary], slots: [CaseSlot], parts: [CasePart], kept: [Case],
    _ surroundings: CaseSurroundings
  ) {
    self.kept = kept
    self.summaries = summaries
    self.slots = slots
    self.parts = parts
    loader = Mutex(CaseLoader(parts, surroundings))
  }

  func load(_ index: Int) throws -> Case {
    if kept.indices.contains(index) { return kept[index].named(as: summaries[index]) }
    let partIndex = parts.lastIndex { $0.first <= index } ?? 0
    let part = parts[partIndex]
    let record = try record(slots[index], part)
    let rowIndex = index - part.first
    let summary = summaries[index]
    // The file is the one that was read (`isUnchanged`), so only what lies in other files is hashed again.
    let result = loader.withLock { $0.load(record, part: partIndex, row: rowIndex, hash: summary.hash) }
    guard var loaded = try? result.get() else { throw result.problems ?? changed(part) }
    loaded.id = summary.id
    if loaded.hasImages {
      let hash = loaded.contentHash
      guard hash == summary.hash || hash.withID(summary.id) == summary.hash else { throw changed(part) }
    }
    return loaded
  }

  private func record(_ slot: CaseSlot, _ part: CasePart) throws -> Record {
    let bytes: [UInt8]
    switch part.content {
    case .memory(let source):
      let (line, column) = source.position(of: slot.offset)
      let range = slot.offset..<slot.offset + Int(slot.length)
      return Record(bytes: Array(source.bytes[range]), offset: slot.offset, line: line, column: column)
    case .file(let file):
      guard file.isUnchanged else { throw changed(part) }
      do throws(FileFault) {
        bytes = try file.bytes(at: slot.offset, count: Int(slot.length))
      } catch {
        throw Problems([Problem(.error, error.message, advice: error.advice)])
      }
    }
    return Record(bytes: bytes, offset: slot.offset, line: Int(slot.line), column: 1)
  }

  private func changed(_ part: CasePart) -> Problems {
    Problems([
      Problem(
        .error, "'\(part.recipe.path)', or a file that it names, changed while it was in use",
        advice: "start the run again; trials that are done stay")
    ])
  }
}

extension Result where Failure == Problems {
  fileprivate var problems: Problems? { if case .failure(let problems) = self { problems } else { nil } }
}

extension ContentHash {
  /// The identity of a case whose content another one has, too.
  func withID(_ id: String) -> ContentHash {
    ContentHash(of: ["content": .string(hex), "id": .string(id)], kind: "case")
  }
}

extension Case {
  /// The case with the id and the hash that were settled when all were read.
  fileprivate func named(as summary: CaseSummary) -> Case {
    var named = self
    named.id = summary.id
    named.hash = summary.hash
    return named
  }
}

/// Reads cases again, one at a time.
private struct CaseLoader: ~Copyable {
  private let parts: [CasePart]
  private let surroundings: CaseSurroundings
  /// Made at the first load.
  private var made: (reader: Reader, decoder: CaseDecoder, rows: [(decoder: RowDecoder, defaults: Layer?)])?

  init(_ parts: [CasePart], _ surroundings: CaseSurroundings) {
    self.parts = parts
    self.surroundings = surroundings
  }

  mutating func load(_ record: Record, part: Int, row: Int, hash: ContentHash) -> Result<Case, Problems> {
    if made == nil { make() }
    guard let made else { return .failure(Problems([])) }
    let reader = made.reader
    reader.diagnostics = Diagnostics()
    let (rows, defaults) = made.rows[part]
    let location = SourceLocation(file: parts[part].recipe.path, line: record.line, column: record.column)
    let layer = rows.layer(record, index: row, reader)
    let decoded = layer.map {
      made.decoder.decode([defaults, $0].compactMap(\.self), at: location, hash: hash)
    }
    if let value = decoded?.value { return .success(value) }
    return .failure(Problems(reader.diagnostics.all(firstFile: location.file)))
  }

  private mutating func make() {
    let checks = CheckReader(graders: surroundings.vocabulary.graders)
    let reader = Reader(
      vocabulary: surroundings.vocabulary, environment: surroundings.environment, checks: checks,
      origin: Origin(root: JSONDocument().root, directory: ".") { _ in
        SourceLocation(file: "", line: 1, column: 1)
      })
    let shared = surroundings.checks.map { fragment in
      let origin = fragment.parsed()
      return reader.with(origin) { SharedChecks(origin.root, reader) }
    }
    let decoder = CaseDecoder(
      reader: reader, defaults: layer(surroundings.defaults, reader), sharedChecks: shared ?? SharedChecks())
    made = (reader, decoder, parts.map { (RowDecoder($0.recipe), layer($0.defaults, reader)) })
  }

  private func layer(_ fragment: Fragment?, _ reader: Reader) -> Layer? {
    guard let origin = fragment?.parsed() else { return nil }
    return reader.with(origin) { ObjectTable.caseDefaults.scan(origin.root, reader)?.asCase }
  }
}
