/// The help texts, made from the command table.
package struct Help: Sendable {
  package let commands: [CommandSpec]

  package init(_ commands: [CommandSpec]) { self.commands = commands }

  /// The page of `evalrun --help`.
  package var overview: String {
    let width = commands.map(\.name.count).max() ?? 0
    let list = commands.map { "  \(pad($0.name, to: width))  \($0.summary)" }
    let codes = ExitCode.allCases.map { "  \(padLeft(String($0.rawValue), to: 3))  \($0.meaning)" }
    return """
      evalrun runs a suite of prompts against models on the device and in the cloud, and reports
      quality, latency, tokens and cost side by side.

      usage: evalrun SUITE.json [options]
             evalrun COMMAND [options]

      commands:
      \(list.joined(separator: "\n"))

      'evalrun COMMAND --help' says more; 'evalrun --version' prints the version.

      exit codes:
      \(codes.joined(separator: "\n"))

      """
  }

  /// The page of a group: its commands.
  func page(ofGroup name: String) -> String {
    let list = rows(commands.filter { $0.group == name }.map { ($0.name, $0.summary) })
    return """
      usage: evalrun \(name) COMMAND [options]

      commands:
      \(list)
      'evalrun \(name) COMMAND --help' says more.

      """
  }

  /// The page of one command.
  package func page(for command: CommandSpec) -> String {
    var text = "\(command.summary)\n\nusage: \(usage(of: command))\n"
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    if !command.arguments.isEmpty {
      text += "\narguments:\n" + rows(command.arguments.map { ($0.name, $0.help) })
    }
    if !command.options.isEmpty {
      text += "\noptions:\n" + rows(command.options.map { ($0.usage, $0.help) })
    }
    if !command.examples.isEmpty {
      text += "\nexamples:\n" + command.examples.map { "  \($0.line)\n      \($0.what)\n" }.joined()
    }
    return text
  }

  /// `Docs/CommandReference.md`.
  package var reference: String {
    var text = """
      # Command reference

      Made from the table behind `evalrun --help`; a test holds it equal. Do not edit.

      Results go to standard output, everything else to standard error.

      ## Exit codes

      | code | meaning |
      |--:|---|

      """
    for code in ExitCode.allCases { text += "| \(code.rawValue) | \(code.meaning) |\n" }
    for command in commands {
      text += "\n## evalrun \(command.name)\n\n\(command.summary)\n\n```\n\(usage(of: command))\n```\n"
      if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
      let arguments = command.arguments.map { ("`\($0.name)`", $0.help) }
      let options = command.options.map { ("`\($0.usage)`", $0.help) }
      if !(arguments + options).isEmpty {
        text += "\n| | |\n|---|---|\n"
        for (name, help) in arguments + options {
          text += "| \(name.replacing("|", with: "\\|")) | \(help.replacing("|", with: "\\|")) |\n"
        }
      }
      for example in command.examples { text += "\n```sh\n\(example.line)   # \(example.what)\n```\n" }
    }
    return text
  }

  private func usage(of command: CommandSpec) -> String {
    let words = command.arguments.map(\.usage).joined(separator: " ")
    let options = command.options.isEmpty ? "" : " [options]"
    return "evalrun \(command.name)\(words.isEmpty ? "" : " \(words)")\(options)"
  }

  private func rows(_ rows: [(name: String, help: String)]) -> String {
    let width = min(30, rows.map(\.name.count).max() ?? 0)
    var text = ""
    for row in rows {
      let indent = String(repeating: " ", count: width + 4)
      let lines = wrap(row.help, to: 96 - width)
      if row.name.count > width {
        text += "  \(row.name)\n" + lines.map { "\(indent)\($0)\n" }.joined()
      } else {
        text += "  \(pad(row.name, to: width))  \(lines.joined(separator: "\n\(indent)"))\n"
      }
    }
    return text
  }
}

/// Words in lines of at most `width` characters.
func wrap(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? word : " \(word)"
  }
  return line.isEmpty ? lines : lines + [line]
}

func pad(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

func padLeft(_ text: String, to width: Int) -> String {
  String(repeating: " ", count: max(0, width - text.count)) + text
}
