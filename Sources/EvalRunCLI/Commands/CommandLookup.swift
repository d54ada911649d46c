import EvalCore

extension CommandTable {
  /// What the first words of a command line ask for.
  enum Match {
    /// A command, and the words behind its name.
    case command(CommandSpec, [String])
    /// A group's name without one of its commands; `wasAsked` after `--help`.
    case group(String, wasAsked: Bool)
  }

  /// A command by its name, a group's list, or `run` for a suite's path.
  static func find(_ words: [String]) throws(CommandFailure) -> Match {
    let first = words.first ?? ""
    switch match(words) {
    case .command(let command, let rest): return .command(command, rest)
    case .group(let name, let wasAsked) where wasAsked || words.count == 1:
      return .group(name, wasAsked: wasAsked)
    case .group(let name, _):
      throw unknown(words, "'\(words[1])' is not a command of 'evalrun \(name)'")
    case nil:
      if first.hasPrefix("-") || first.contains(".") || first.contains("/") { return .command(run, words) }
      throw unknown(words, "'\(first)' is neither a command nor a suite's path")
    }
  }

  /// The command with the longest name that the words begin with, or the group that the first word names.
  static func match(_ words: [String]) -> Match? {
    for count in [2, 1] where words.count >= count {
      let name = words.prefix(count).joined(separator: " ")
      if let command = all.first(where: { $0.name == name }) {
        return .command(command, Array(words.dropFirst(count)))
      }
    }
    guard let first = words.first, all.contains(where: { $0.group == first }) else { return nil }
    return .group(first, wasAsked: words.count > 1 && ["--help", "-h"].contains(words[1]))
  }

  /// A failure that names the closest command.
  static func unknown(_ words: [String], _ message: String) -> CommandFailure {
    let first = words.first ?? ""
    let group = all.filter { $0.group == first }.map { String($0.name.dropFirst(first.count + 1)) }
    let advice: String? =
      if !group.isEmpty, words.count > 1 {
        suggestion(for: words[1], among: group) ?? "one of \(group.joined(separator: ", "))"
      } else {
        suggestion(for: first, among: all.map { $0.group ?? $0.name })
      }
    return CommandFailure(.usage, message, advice: advice ?? "see 'evalrun --help'")
  }
}
