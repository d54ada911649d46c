/// What an option's value must be.
package enum ValueKind: Sendable, Hashable {
  case text
  /// A whole number, at least the bound.
  case count(atLeast: Int)
  /// A number, at least 0.
  case amount
  /// `500ms`, `10s`, `2m`, or seconds as a number.
  case duration
  /// One of these words.
  case choice([String])
}

/// One option of a command: the table that the parser, the help and the reference all read.
package struct OptionRow: Sendable {
  package var name: String
  package var short: Character?
  /// `nil` for a flag.
  package var value: (placeholder: String, kind: ValueKind)?
  package var repeats: Bool
  package var help: String

  package init(
    _ name: String, short: Character? = nil, value: (placeholder: String, kind: ValueKind)? = nil,
    repeats: Bool = false, _ help: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.repeats = repeats
    self.help = help
  }

  var usage: String {
    let dashes = short.map { "-\($0), --\(name)" } ?? "--\(name)"
    return value.map { "\(dashes) \($0.placeholder)" } ?? dashes
  }
}

/// One positional argument.
package struct ArgumentRow: Sendable {
  package var name: String
  package var isOptional: Bool
  package var help: String

  package init(_ name: String, isOptional: Bool = false, _ help: String) {
    self.name = name
    self.isOptional = isOptional
    self.help = help
  }

  var usage: String { isOptional ? "[\(name)]" : name }
}

/// One command.
package struct CommandSpec: Sendable {
  package var name: String
  package var summary: String
  package var discussion: String
  package var arguments: [ArgumentRow]
  package var options: [OptionRow]
  /// Command lines with what they do.
  package var examples: [(line: String, what: String)]

  package init(
    name: String, summary: String, discussion: String = "", arguments: [ArgumentRow] = [],
    options: [OptionRow] = [], examples: [(line: String, what: String)] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.examples = examples
  }
}
