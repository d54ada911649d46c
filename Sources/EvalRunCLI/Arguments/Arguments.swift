import EvalCore

/// The command line of one command, read against its table. Typed look-ups cannot fail: values were checked when read.
package struct Arguments: Sendable {
  package private(set) var positional: [String] = []
  private var values: [String: [String]] = [:]

  /// Reads the words behind a command's name.
  /// - Throws: `CommandFailure` with `.usage` for an unknown option, a missing or wrong value, or too many arguments.
  package init(_ words: [String], for command: CommandSpec) throws(CommandFailure) {
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if word == "--", !optionsEnded {
        optionsEnded = true
      } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
        try takeOption(word, &rest, command)
      } else {
        positional.append(word)
      }
    }
    try checkPositional(command)
  }

  package func has(_ name: String) -> Bool { values[name] != nil }
  package func text(_ name: String) -> String? { values[name]?.last }
  package func texts(_ name: String) -> [String] { values[name] ?? [] }
  package func count(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
  package func amount(_ name: String) -> Double? { text(name).flatMap { Double($0) } }
  package func duration(_ name: String) -> Duration? { text(name).flatMap { parseDuration($0) } }

  private mutating func takeOption(
    _ word: String, _ rest: inout ArraySlice<String>, _ command: CommandSpec
  ) throws(CommandFailure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let option = command.options.first { row in
      parts[0] == "--\(row.name)" || row.short.map { parts[0] == "-\($0)" } == true
    }
    guard let option else { throw unknown(parts[0], command) }
    guard let (placeholder, kind) = option.value else {
      guard parts.count == 1 else {
        throw CommandFailure(.usage, "--\(option.name) takes no value", advice: seeHelp(command))
      }
      values[option.name] = [""]
      return
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw CommandFailure(
        .usage, "--\(option.name) needs a value: \(option.usage)", advice: seeHelp(command))
    }
    try check(value, kind, option: option.name, placeholder: placeholder)
    if option.repeats {
      values[option.name, default: []].append(value)
    } else {
      values[option.name] = [value]
    }
  }

  private func check(
    _ value: String, _ kind: ValueKind, option: String, placeholder: String
  ) throws(CommandFailure) {
    switch kind {
    case .text:
      if value.isEmpty { throw CommandFailure(.usage, "--\(option) needs a value that is not empty") }
    case .count(let least):
      guard let number = Int(value), number >= least else {
        throw CommandFailure(
          .usage, "--\(option) takes a whole number of at least \(least), not '\(value)'")
      }
    case .amount:
      guard let number = Double(value), number >= 0, number.isFinite else {
        throw CommandFailure(.usage, "--\(option) takes a number of at least 0, not '\(value)'")
      }
    case .duration:
      guard let time = parseDuration(value), time > .zero else {
        throw CommandFailure(
          .usage, "--\(option) takes a duration above 0 such as 500ms, 10s or 2m, not '\(value)'")
      }
    case .choice(let words):
      guard words.contains(value) else {
        throw CommandFailure(
          .usage, "--\(option) takes \(words.joined(separator: ", ")), not '\(value)'",
          advice: suggestion(for: value, among: words))
      }
    }
  }

  private func unknown(_ word: String, _ command: CommandSpec) -> CommandFailure {
    let names = command.options.map { "--\($0.name)" }
    return CommandFailure(
      .usage, "'\(word)' is not an option of 'evalrun \(command.name)'",
      advice: suggestion(for: word, among: names) ?? seeHelp(command))
  }

  private func checkPositional(_ command: CommandSpec) throws(CommandFailure) {
    if has("help") { return }
    let needed = command.arguments.filter { !$0.isOptional }
    if positional.count < needed.count {
      throw CommandFailure(
        .usage, "'evalrun \(command.name)' needs \(needed[positional.count].name)", advice: seeHelp(command))
    }
    if positional.count > command.arguments.count, command.arguments.last?.repeats != true {
      throw CommandFailure(
        .usage,
        "'\(positional[command.arguments.count])' is one argument too many for 'evalrun \(command.name)'",
        advice: seeHelp(command))
    }
  }

  private func seeHelp(_ command: CommandSpec) -> String { "see 'evalrun \(command.name) --help'" }
}
