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
  /// Only of the last argument: it takes every word that is left.
  package var repeats: Bool
  package var help: String

  package init(_ name: String, isOptional: Bool = false, repeats: Bool = false, _ help: String) {
    self.name = name
    self.isOptional = isOptional
    self.repeats = repeats
    self.help = help
  }

  var usage: String {
    let word = repeats ? "\(name)..." : name
    return isOptional ? "[\(word)]" : word
  }
}

/// One command: what the parser and the help read, and what it does.
package struct CommandSpec: Sendable {
  /// The words that call it: `run`, or `route test` for a command of a group.
  package var name: String
  package var summary: String
  package var discussion: String
  package var arguments: [ArgumentRow]
  package var options: [OptionRow]
  /// Command lines with what they do.
  package var examples: [(line: String, what: String)]
  let perform: @Sendable (Session) throws(CommandFailure) -> ExitCode

  init(
    name: String, summary: String, discussion: String = "", arguments: [ArgumentRow] = [],
    options: [OptionRow] = [], examples: [(line: String, what: String)] = [],
    perform: @escaping @Sendable (Session) throws(CommandFailure) -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.examples = examples
    self.perform = perform
  }

  /// The first word of a name of two: `route` of `route test`; `nil` for a command of one word.
  package var group: String? {
    let words = name.split(separator: " ")
    return words.count > 1 ? String(words[0]) : nil
  }
}
