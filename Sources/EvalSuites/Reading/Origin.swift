import EvalCore

/// Where a parsed text comes from, to turn a byte offset into a place for messages.
struct Origin {
  /// The text's outermost value.
  let root: JSONView
  /// The path of `root` in its file, for instance `[3]`.
  var prefix = ""
  /// The file's folder, from which relative paths in the text start.
  let directory: String
  /// False for data whose braces are text.
  var takesTemplates = true
  /// Asked only when there is something to say.
  let locate: (_ offset: Int) -> SourceLocation

  func path(to offset: Int) -> String? { JSONPath.path(to: offset, in: root, prefix: prefix) }
}

extension Origin {
  /// A text that is read whole, or a part of it that begins at `base`.
  init(_ source: SourceText, root: JSONView, base: Int = 0, prefix: String = "") {
    self.init(root: root, prefix: prefix, directory: Paths.directory(of: source.name)) { offset in
      let (line, column) = source.position(of: base + offset)
      return SourceLocation(file: source.name, line: line, column: column)
    }
  }
}
