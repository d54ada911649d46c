import EvalCore

/// A table without what it is read into: for the schema, the documentation and their tests.
struct TableInfo: Sendable {
  struct KeyInfo: Sendable {
    var name: String
    var schema: JSONValue
    var summary: String
    var isRequired: Bool
    var group: String?
  }

  var name: String
  var summary: String
  var keys: [KeyInfo]
  var extra: JSONObject

  init<Into>(_ table: ObjectTable<Into>) {
    name = table.name
    summary = table.summary
    extra = table.extra
    keys = table.keys.map {
      KeyInfo(
        name: $0.text, schema: $0.schema, summary: $0.summary, isRequired: $0.isRequired, group: $0.group)
    }
  }

  /// Every kind of object that a suite has, the suite itself first.
  static let all: [TableInfo] = [
    TableInfo(ObjectTable<SuiteDraft>.suite), TableInfo(ObjectTable<DefaultsDraft>.defaults),
    TableInfo(ObjectTable<ProfileDraft>.profile), TableInfo(ObjectTable<ProfileDraft>.profileDefaults),
    TableInfo(ObjectTable<PriceDraft>.price), TableInfo(ObjectTable<RateLimit>.rateLimit),
    TableInfo(ObjectTable<SecretDraft>.secret), TableInfo(ObjectTable<SecretDraft>.environmentName),
    TableInfo(ObjectTable<SideFile>.sideFile), TableInfo(ObjectTable<ToolDraft>.tool),
    TableInfo(ObjectTable<NamedTool>.namedTool), TableInfo(ObjectTable<CaseDraft>.caseTable),
    TableInfo(ObjectTable<CaseDraft>.caseDefaults), TableInfo(ObjectTable<PartDraft>.part),
    TableInfo(ObjectTable<InlineImage>.inlineImage), TableInfo(ObjectTable<TurnDraft>.turn),
    TableInfo(ObjectTable<MessageDraft>.message), TableInfo(ObjectTable<ToolCallDraft>.toolCall),
    TableInfo(ObjectTable<ToolResultDraft>.toolResult), TableInfo(ObjectTable<CaseFileDraft>.caseFile),
    TableInfo(ObjectTable<RubricDraft>.rubric), TableInfo(ObjectTable<CriterionDraft>.criterion),
    TableInfo(ObjectTable<ExampleDraft>.scoredExample), TableInfo(ObjectTable<ComparisonDraft>.comparison),
    TableInfo(ObjectTable<RunSettings>.run), TableInfo(ObjectTable<CallTimeouts>.timeouts),
    TableInfo(ObjectTable<RetrySettings>.retries), TableInfo(ObjectTable<ReplayDraft>.replay),
    TableInfo(ObjectTable<PrivacyDraft>.privacy), TableInfo(ObjectTable<BoundaryLimits>.maxBoundary),
    TableInfo(ObjectTable<GatesDraft>.gates), TableInfo(ObjectTable<GateDraft>.gate),
  ]
}
