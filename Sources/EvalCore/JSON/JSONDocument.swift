/// A reusable JSON parser that keeps its memory between parses, so that a stream of short texts costs no
/// allocation. It copies the text; ``JSONView``s read it until the next parse.
///
/// One document belongs to one task or thread at a time: it is not `Sendable`.
package final class JSONDocument {
  let storage: UnsafeMutablePointer<JSONTapeStorage>

  /// An empty document, whose root is null until a text is parsed.
  package init() {
    storage = .allocate(capacity: 1)
    storage.initialize(to: JSONTapeStorage())
  }

  /// Parses `bytes` at once.
  ///
  /// - Throws: the first syntax error.
  package convenience init(parsing bytes: [UInt8], dialect: JSONDialect = .strict) throws(JSONSyntaxError) {
    self.init()
    try parse(bytes, dialect: dialect)
  }

  deinit {
    storage.pointee.deallocate()
    storage.deallocate()
  }

  /// Replaces the document's text. Views of the former text become invalid: using one traps.
  ///
  /// - Throws: the first syntax error; the root is then null.
  package func parse(
    _ bytes: UnsafeRawBufferPointer, dialect: JSONDialect = .strict
  ) throws(JSONSyntaxError) {
    storage.pointee.generation &+= 1
    guard bytes.count < Int(Int32.max) else {
      storage.pointee.reset()
      throw JSONSyntaxError(offset: 0, message: JSONFault.tooLong.message(found: ""))
    }
    storage.pointee.load(bytes)
    var parser = JSONParser(
      text: storage.pointee.text, count: bytes.count, tape: storage.pointee.tape,
      relaxed: dialect == .relaxed)
    guard parser.run() else {
      storage.pointee.reset()
      throw parser.syntaxError()
    }
  }

  /// Replaces the document's text, as ``parse(_:dialect:)`` does.
  package func parse(_ bytes: [UInt8], dialect: JSONDialect = .strict) throws(JSONSyntaxError) {
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, JSONSyntaxError> in
      Result { () throws(JSONSyntaxError) in try self.parse(buffer, dialect: dialect) }
    }
    try result.get()
  }

  /// The text's outermost value.
  package var root: JSONView {
    JSONView(document: self, index: 0, generation: storage.pointee.generation)
  }
}
