package import EvalCore

/// Where the answers of a run come from, and whether they are kept.
package enum ProviderMode: Sendable {
  /// From the providers.
  case live
  /// From the providers, each one kept in a file.
  ///
  /// - Parameters:
  ///   - to: a new file, or a recording that goes on.
  ///   - header: what the recording says of itself; see `RecordingHeader.description(machine:profiles:)`.
  ///   - isPrivate: whether the run is private. A recording is prompts and answers, so a private run has none.
  case recording(to: String, header: RecordingHeader, isPrivate: Bool)
  /// From a recording: no key is needed and no socket opened.
  ///
  /// - Parameter includeFailures: serve failed attempts as they went.
  case replaying(String, pace: ReplayPace, includeFailures: Bool)
}

extension ProviderFactory {
  /// - Parameters:
  ///   - transport: not used in a replay; it costs nothing before its first request.
  ///   - environment: where keys are looked up; not looked at in a replay.
  ///   - allowsCommands: whether profiles may start programs; a replay starts none.
  /// - Throws: a `Problem` for a recording that cannot be written or read.
  package init(
    _ mode: ProviderMode, transport: HTTPTransport, environment: [String: String],
    allowsCommands: Bool = false
  ) throws(Problem) {
    let live = LiveExchange(transport)
    switch mode {
    case .live:
      self.init(exchange: live, environment: environment, allowsCommands: allowsCommands)
    case .recording(let path, let header, let isPrivate):
      if isPrivate {
        throw Problem(
          .error, "a private run cannot be recorded: a recording is the prompts and answers",
          advice: "leave out one of --record and --private")
      }
      let resolver = SecretResolver(environment: environment)
      let recorder = try StreamRecorder(live, to: path, header: header) { resolver.secrets }
      self.init(exchange: recorder, resolver: resolver, allowsCommands: allowsCommands)
    case .replaying(let path, let pace, let includeFailures):
      let replay = ReplayExchange(
        try Recording(path: path), pace: pace, includeFailures: includeFailures)
      self.init(
        exchange: replay, resolver: SecretResolver(environment: [:], isNeeded: false), allowsCommands: false)
    }
  }

  /// Whether answers come from a recording.
  package var provenance: Provenance { exchange is ReplayExchange ? .recorded : .live }

  /// Where recorded answers came from, in the recording's own words, for `RunInfo.recording`; `nil` for live ones.
  package var recording: String? { (exchange as? ReplayExchange)?.recording.words }

  /// What is to be said of a recording that was made or replayed. Ask when the run has ended.
  package var findings: [Finding] {
    (exchange as? StreamRecorder)?.findings ?? (exchange as? ReplayExchange)?.recording.findings ?? []
  }
}
