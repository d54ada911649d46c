/// `evalrun help [COMMAND...]`.
struct HelpCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    session.console.result(try page(Help(CommandTable.all)))
    return .done
  }

  private func page(_ help: Help) throws(CommandFailure) -> String {
    let words = session.arguments.positional
    guard !words.isEmpty else { return help.overview }
    switch CommandTable.match(words) {
    case .command(let command, let rest) where rest.isEmpty: return help.page(for: command)
    case .group(let name, _) where words.count == 1: return help.page(ofGroup: name)
    default: throw CommandTable.unknown(words, "there is no command '\(words.joined(separator: " "))'")
    }
  }
}
