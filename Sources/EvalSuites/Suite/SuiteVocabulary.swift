package import EvalCore

/// What a suite may name: the registries of providers, graders and signals, handed in by the roof.
package struct SuiteVocabulary: Sendable {
  package var providers: [ProviderDescriptor]
  package var graders: [GraderDescriptor]
  /// The signals that cases may give besides `custom`; empty leaves them unchecked.
  package var signals: [SignalDescriptor]
  /// What a gate may be about.
  package var measures: [MeasureInfo]
  /// Whether a check compares with the case's reference, so that a case without one is refused.
  package var needsReference: @Sendable (CheckSpec) -> Bool

  package init(
    providers: [ProviderDescriptor], graders: [GraderDescriptor], signals: [SignalDescriptor] = [],
    measures: [MeasureInfo] = [],
    needsReference: @escaping @Sendable (CheckSpec) -> Bool = { _ in false }
  ) {
    self.providers = providers
    self.graders = graders
    self.signals = signals
    self.measures = measures
    self.needsReference = needsReference
  }

  func provider(_ name: String) -> ProviderDescriptor? { providers.first { $0.name == name } }
  func grader(_ kind: String) -> GraderDescriptor? { graders.first { $0.name == kind } }

  /// The provider of a profile that names none.
  static let defaultProvider = "openai-chat"
}
