/// A case read back from the store.
package struct CaseRecord: Sendable {
  package var id: String
  package var hash: ContentHash
  package var tags: [String]
  package var cluster: String?
  /// What policies may read.
  package var signals: JSONObject
  package var expects: Expectation
  /// `CaseFacts.content`; `nil` when it is not stored, as in a private run.
  package var content: JSONValue?

  package init(
    id: String, hash: ContentHash, tags: [String] = [], cluster: String? = nil, signals: JSONObject = [:],
    expects: Expectation = .answer, content: JSONValue? = nil
  ) {
    self.id = id
    self.hash = hash
    self.tags = tags
    self.cluster = cluster
    self.signals = signals
    self.expects = expects
    self.content = content
  }
}
