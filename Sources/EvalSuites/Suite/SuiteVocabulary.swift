package import EvalCore

/// What a suite may name: the registries of providers and graders, handed in by the roof.
package struct SuiteVocabulary: Sendable {
  package var providers: [ProviderDescriptor]
  package var graders: [GraderDescriptor]
  /// Whether a check compares with the case's reference, so that a case without one is refused.
  package var needsReference: @Sendable (CheckSpec) -> Bool

  package init(
    providers: [ProviderDescriptor], graders: [GraderDescriptor],
    needsReference: @escaping @Sendable (CheckSpec) -> Bool = { _ in false }
  ) {
    self.providers = providers
    self.graders = graders
    self.needsReference = needsReference
  }

  func provider(_ name: String) -> ProviderDescriptor? { providers.first { $0.name == name } }
  func grader(_ kind: String) -> GraderDescriptor? { graders.first { $0.name == kind } }

  /// The provider of a profile that names none.
  static let defaultProvider = "openai-chat"
}
