import EvalCore

/// A hash spelled out once for many rows.
struct HashText {
  let hex: String
  init(_ hash: ContentHash) { hex = hash.hex }
}

/// The cells of one row on their way into the database, and the one choke point of its texts.
///
/// Open text goes in by `text` and `json`, which take every secret out; what needs no redaction (numbers, hashes and
/// words of closed vocabularies) has entrances of its own, so that no open text can pass unseen.
struct Row {
  enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    case text(start: Int, count: Int)
    case blob(start: Int, count: Int)
  }

  private let redactor: Redactor
  private var cells: [Cell] = []
  /// The bytes of all texts, kept together so that a row costs no allocation.
  private var bytes: [UInt8] = []

  init(_ redactor: Redactor) {
    self.redactor = redactor
    bytes.reserveCapacity(4096)
    cells.reserveCapacity(64)
  }

  mutating func clear() {
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Lends the cells and the bytes that their texts and blobs lie in.
  func withCells<Result>(_ body: (_ cells: [Cell], _ bytes: UnsafePointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      // Capacity is reserved, so there is an address even when there are no bytes.
      body(cells, buffer.baseAddress.unsafelyUnwrapped)
    }
  }
}

extension Row {
  mutating func null() { cells.append(.null) }
  mutating func integer(_ value: Int64?) { cells.append(value.map(Cell.integer) ?? .null) }
  mutating func integer(_ value: Int?) { integer(value.map(Int64.init)) }
  mutating func flag(_ value: Bool?) { integer(value.map { $0 ? 1 : 0 }) }

  /// A number; one that is not finite is no number.
  mutating func real(_ value: Double?) {
    cells.append(value.flatMap { $0.isFinite ? .real($0) : nil } ?? .null)
  }

  mutating func word(_ word: (some RawRepresentable<String>)?) { unseen(word?.rawValue) }
  mutating func word(_ cause: AttemptCause) { unseen(cause.label) }
  mutating func word(_ outcome: Outcome) { unseen(outcome.label) }
  mutating func hash(_ hash: ContentHash) { unseen(hash.hex) }
  mutating func hex(_ hash: HashText) { unseen(hash.hex) }
  /// As text: SQLite's integers end at 2^63 − 1.
  mutating func decimal(_ value: UInt64) { unseen(String(value)) }
  /// The tool makes it of the time and chance.
  mutating func name(ofRun run: RunInfo) { unseen(run.id) }

  /// Open text, without the secrets in it.
  mutating func text(_ text: String?) { unseen(redactor.redact(text)) }

  /// JSON as text, without the secrets in it, and still JSON.
  mutating func json(_ value: JSONValue?) {
    unseen(value.map { Row.clean($0, redactor) })
  }

  /// Three cells: the text, its length in bytes, and nothing; or, hidden, nothing, its length and its digest.
  mutating func text(_ text: String?, hidden: Bool) {
    triple(text.map { redactor.redact($0) }, hidden: hidden)
  }

  /// Three cells, as for a text.
  mutating func json(_ value: JSONValue?, hidden: Bool) {
    triple(value.map { Row.clean($0, redactor) }, hidden: hidden)
  }

  mutating func blob(_ content: [UInt8]?) {
    guard let content else { return null() }
    cells.append(.blob(start: bytes.count, count: content.count))
    bytes.append(contentsOf: content)
  }

  /// Secrets are looked for in each string, where escapes cannot hide them, and once more in the whole text: one that
  /// is a number or spans members makes the whole a string, which keeps it JSON.
  static func clean(_ value: JSONValue, _ redactor: Redactor) -> String {
    let text = redactor.redact(value).serialized()
    let clean = redactor.redact(text)
    if clean.utf8.count == text.utf8.count, clean == text { return text }
    return redactor.redact(JSONValue.string(clean).serialized())
  }

  private mutating func triple(_ clean: String?, hidden: Bool) {
    unseen(hidden ? nil : clean)
    integer(clean?.utf8.count)
    unseen(hidden ? clean.map(SHA256.hexOf) : nil)
  }

  private mutating func unseen(_ text: String?) {
    guard var text else { return null() }
    let start = bytes.count
    text.withUTF8 { bytes.append(contentsOf: $0) }
    cells.append(.text(start: start, count: bytes.count - start))
  }
}
