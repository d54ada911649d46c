/// Where a route's policy is written, so that what is wrong with it can be said at its place.
package struct PolicyText: Sendable {
  /// The suite, or the policy's own file.
  package var source: SourceText
  /// The policy's bytes in the source; a whole text that parses.
  package var range: Range<Int>
  /// The policy's path in its file, for instance `routes.careful`; empty for a file of its own.
  package var path: String

  package init(source: SourceText, range: Range<Int>, path: String) {
    self.source = source
    self.range = range
    self.path = path
  }

  /// The policy, parsed anew from its place. Offsets of its views count from the beginning of `range`.
  package func parsed() -> JSONView {
    let document = JSONDocument()
    // It was parsed before; an empty document's root is null, which no policy is.
    try? document.parse(Array(source.bytes[range]), dialect: .relaxed)
    return document.root
  }

  /// The place of a value or key that `parsed` gave.
  package func location(of view: JSONView) -> SourceLocation {
    let (line, column) = source.position(of: range.lowerBound + view.range.lowerBound)
    return SourceLocation(file: source.name, line: line, column: column)
  }
}
