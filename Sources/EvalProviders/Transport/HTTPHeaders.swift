/// The header fields of a response, kept as the bytes that came and read on demand.
///
/// Most responses are asked for one or two fields, so nothing is split before somebody asks.
package struct HTTPHeaders: Sendable {
  /// Field lines, each with its line end; no status line and no closing blank line.
  private let block: [UInt8]

  /// - Parameter block: field lines, each ending in LF or CRLF.
  package init(block: [UInt8] = []) { self.block = block }

  package init(_ fields: [(String, String)]) {
    block = fields.flatMap { Array("\($0.0): \($0.1)\r\n".utf8) }
  }

  /// The first value of a field, without surrounding white space; `nil` when the field is absent.
  ///
  /// - Parameter name: compared without regard to ASCII case.
  package subscript(name: String) -> String? {
    var found: String?
    forEachLine { field, value in
      guard Self.same(field, name.utf8) else { return true }
      found = String(decoding: value, as: UTF8.self)
      return false
    }
    return found
  }

  /// Every field in the order of arrival, names in lower case, values without surrounding white space.
  package var fields: [(name: String, value: String)] { fields(containing: "") }

  /// The fields whose names hold a text.
  ///
  /// - Parameter part: in lower case.
  func fields(containing part: String) -> [(name: String, value: String)] {
    var all: [(name: String, value: String)] = []
    forEachLine { field, value in
      let lowered = field.map { Self.lower($0) }
      guard part.isEmpty || lowered.firstRange(of: part.utf8) != nil else { return true }
      all.append((String(decoding: lowered, as: UTF8.self), String(decoding: value, as: UTF8.self)))
      return true
    }
    return all
  }

  /// Calls `visit` with the name and the trimmed value of each line until it returns false.
  private func forEachLine(_ visit: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool) {
    var start = block.startIndex
    while start < block.endIndex {
      let end = block[start...].firstIndex(of: 0x0A) ?? block.endIndex
      let line = block[start..<end]
      start = end + 1
      guard let colon = line.firstIndex(of: 0x3A) else { continue }
      if !visit(Self.trim(line[..<colon]), Self.trim(line[(colon + 1)...])) { return }
    }
  }

  private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return [] }
    return bytes[first...last]
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static func same(_ field: ArraySlice<UInt8>, _ name: String.UTF8View) -> Bool {
    field.elementsEqual(name) { lower($0) == lower($1) }
  }
}
