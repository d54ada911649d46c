import EvalCore

extension AttemptSource {
  static let textColumns: [Column<AttemptSource>] = [
    Column("attempt_no") { $0.integer($1.number) },
    jsonColumn("request") { $0.request.json },
    textColumn("answer") { $0.reply.text },
    textColumn("reasoning") { $0.reply.reasoning.isEmpty ? nil : $0.reply.reasoning },
    jsonColumn("tool_calls") { source in
      source.reply.toolCalls.isEmpty ? nil : .array(source.reply.toolCalls.map(\.json))
    },
    textColumn("refusal") { $0.reply.refusal },
  ]

  private static func textColumn(
    _ name: String, _ text: @escaping @Sendable (AttemptSource) -> String?
  ) -> Column<AttemptSource> {
    Column(triple: name) { $0.text(text($1), hidden: $1.privacy.isPrivate) }
  }

  private static func jsonColumn(
    _ name: String, _ value: @escaping @Sendable (AttemptSource) -> JSONValue?
  ) -> Column<AttemptSource> {
    Column(triple: name) { $0.json(value($1), hidden: $1.privacy.isPrivate) }
  }
}
