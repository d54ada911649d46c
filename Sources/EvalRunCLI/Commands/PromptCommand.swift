import EvalCore
import EvalProviders

/// `evalrun prompt TEXT`: one prompt to one or several profiles, for exploring before there is a suite.
struct PromptCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    // There is nothing to save: the first Ctrl-C ends it.
    Interrupts.begin()
    let profiles = try profiles()
    let text = try promptText()
    let asked = try CallWiring.live(profiles, session: session)
    session.console.redact(with: asked.redactor)
    let replies: [ProviderReply]
    if profiles.count == 1 {
      replies = [ask(profiles[0], asked.providers[0], text, asked.redactor)]
      session.console.result("\n")
      session.console.error(PromptLine(profile: profiles[0], reply: replies[0]).text)
    } else {
      replies = askAll(profiles, asked.providers, text)
      let columns = zip(profiles, replies).map { (title: $0.name, text: shown(answer($1), asked.redactor)) }
      session.console.result(SideBySide(columns: columns, width: session.console.output.width).text)
      let width = profiles.map(\.name.count).max() ?? 0
      for (profile, reply) in zip(profiles, replies) {
        session.console.error(
          "\(pad(profile.name, to: width))  \(PromptLine(profile: profile, reply: reply).text)")
      }
    }
    return replies.contains { $0.outcome.error == nil } ? .done : .couldNotRun
  }

  /// The suite's profiles that are named, or one made of `--provider` and `--model`.
  private func profiles() throws(CommandFailure) -> [Profile] {
    let arguments = session.arguments
    let names = arguments.texts("profile")
    var profiles: [Profile]
    if let path = arguments.text("suite") {
      let suite = try SuiteLoading(session: session).load(path)
      profiles = names.isEmpty ? Array(suite.profiles.prefix(1)) : []
      for name in names {
        guard let profile = suite.profiles.first(where: { $0.name == name }) else {
          throw CommandFailure(
            .usage, "\(path) has no profile '\(name)'",
            advice: suggestion(for: name, among: suite.profiles.map(\.name)))
        }
        profiles.append(profile)
      }
    } else {
      guard names.isEmpty else {
        throw CommandFailure(.usage, "--profile needs --suite, which says what it is")
      }
      guard let model = arguments.text("model") else {
        throw CommandFailure(
          .usage, "whom to ask?", advice: "name a profile with --suite and --profile, or give --model")
      }
      var profile = Profile(name: model, provider: arguments.text("provider") ?? "openai-chat", model: model)
      profile.endpoint = arguments.text("endpoint")
      profile.key = arguments.text("key-env").map(ConfiguredValue.environment)
      profiles = [profile]
    }
    for index in profiles.indices { override(&profiles[index]) }
    return profiles
  }

  private func override(_ profile: inout Profile) {
    let arguments = session.arguments
    if let text = arguments.text("instructions") { profile.instructions = text }
    if let value = arguments.amount("temperature") { profile.parameters.temperature = value }
    if let count = arguments.count("max-tokens") { profile.parameters.maxOutputTokens = count }
    if arguments.has("no-stream") { profile.stream = false }
  }

  private func promptText() throws(CommandFailure) -> String {
    let text = session.arguments.positional[0]
    guard text == "-" else { return text }
    let read = try Files.readStandardInput()
    guard !read.trimmed.isEmpty else { throw CommandFailure(.usage, "standard input holds no prompt") }
    return read
  }

  private func askAll(_ profiles: [Profile], _ providers: [any Provider], _ text: String) -> [ProviderReply] {
    let command = self
    return blocking {
      await withTaskGroup(of: (Int, ProviderReply).self) { group in
        for index in profiles.indices {
          group.addTask { (index, await command.send(profiles[index], providers[index], text, onPiece: nil)) }
        }
        var replies = [ProviderReply?](repeating: nil, count: profiles.count)
        for await (index, reply) in group { replies[index] = reply }
        return replies.compactMap(\.self)
      }
    }
  }

  private func ask(
    _ profile: Profile, _ provider: any Provider, _ text: String, _ redactor: Redactor
  ) -> ProviderReply {
    let (command, console) = (self, session.console)
    let answer = LiveAnswer(redactor, console.output)
    let reply = blocking {
      await command.send(profile, provider, text) { piece in
        if case .text(let text) = piece { console.result(answer.next(text)) }
      }
    }
    console.result(answer.rest())
    if !profile.stream || reply.timeline.firstContent == nil {
      console.result(shown(self.answer(reply), redactor))
    }
    return reply
  }

  /// A whole answer as `LiveAnswer` shows it.
  private func shown(_ text: String, _ redactor: Redactor) -> String {
    let answer = LiveAnswer(redactor, session.console.output)
    return answer.next(text) + answer.rest()
  }

  private func send(
    _ profile: Profile, _ provider: any Provider, _ text: String, onPiece: (@Sendable (StreamPiece) -> Void)?
  ) async -> ProviderReply {
    var timeouts = CallTimeouts()
    if let total = session.arguments.duration("timeout") { timeouts.total = total }
    return await provider.send(
      ProviderCall(
        profile: profile, instructions: profile.instructions, messages: [Message(.user, text)],
        timeouts: timeouts, scheduled: Monotonic.now(), onPiece: onPiece))
  }

  private func answer(_ reply: ProviderReply) -> String {
    var parts = [reply.text, reply.refusal ?? ""]
    parts += reply.toolCalls.map { "\($0.name)(\($0.arguments.serialized()))" }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

/// The closing line: first token, total, tokens, cost, or what went wrong.
struct PromptLine {
  let profile: Profile
  let reply: ProviderReply

  var text: String {
    var parts: [String] = []
    if case .failed(let error) = reply.outcome {
      parts.append("\(error.kind.rawValue): \(error.message)")
    } else if reply.outcome != .ok {
      parts.append(reply.outcome.label)
    }
    parts.append("first token \(milliseconds(reply.timeline.timeToFirstToken))")
    parts.append("total \(milliseconds(reply.timeline.total))")
    parts.append("tokens \(count(reply.usage?.input)) in, \(count(reply.usage?.output)) out")
    parts.append("cost \(cost)")
    if let served = reply.servedModel, served != profile.model { parts.append("served by \(served)") }
    return (parts + reply.notes).joined(separator: " · ")
  }

  private var cost: String {
    guard let dollars = profile.price?.cost(of: reply.usage) else { return "unknown" }
    return dollars == 0 ? "$0" : "$\(short(dollars, places: 6))"
  }

  private func milliseconds(_ nanoseconds: Int64?) -> String {
    guard let nanoseconds else { return "—" }
    return "\(short(Double(nanoseconds) / 1_000_000, places: 1)) ms"
  }

  private func count(_ tokens: Int?) -> String { tokens.map(String.init) ?? "—" }
}

/// Texts in columns beside each other, or below each other where they do not fit.
struct SideBySide {
  let columns: [(title: String, text: String)]
  let width: Int

  var text: String {
    let columnWidth = (width - 3 * (columns.count - 1)) / max(1, columns.count)
    guard columnWidth >= 24 else {
      return columns.map { "\($0.title)\n\($0.text)\n" }.joined(separator: "\n")
    }
    let wrapped = columns.map { column in
      [column.title, String(repeating: "-", count: min(columnWidth, column.title.count))]
        + column.text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
          let lines = wrap(String(line), to: columnWidth)
          return (lines.isEmpty ? [""] : lines).flatMap { cut($0, to: columnWidth) }
        }
    }
    let height = wrapped.map(\.count).max() ?? 0
    return (0..<height).map { row in
      let cells = wrapped.map { row < $0.count ? $0[row] : "" }
      let line = cells.map { pad($0, to: columnWidth) }.joined(separator: " | ")
      return "\(String(line.reversed().drop { $0 == " " }.reversed()))\n"
    }.joined()
  }

  /// A word that is longer than the column.
  private func cut(_ line: String, to width: Int) -> [String] {
    var pieces: [String] = []
    var rest = line[...]
    while rest.count > width {
      pieces.append(String(rest.prefix(width)))
      rest = rest.dropFirst(width)
    }
    return pieces + [String(rest)]
  }
}
