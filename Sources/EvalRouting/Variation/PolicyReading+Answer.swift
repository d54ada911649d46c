extension RoutePolicy {
  /// Whether it looks at how long an answer is, which only the answer's text tells.
  package var readsAnswerLength: Bool {
    terms.accept.flatMap(\.when.atoms).contains { $0.use.signal.name == "characters" }
  }
}
