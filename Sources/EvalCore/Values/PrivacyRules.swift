/// How much harm a case's content does in the wrong hands, from little to much.
package enum Sensitivity: String, Sendable, Hashable, CaseIterable {
  case `public`, `internal`, `private`, secret
  /// The case does not say, or says a word that is none of these.
  case unknown
}

/// How far content may travel, as the suite states it for every route. A policy can only be stricter.
package struct PrivacyRules: Sendable, Hashable {
  package var maxBoundary: [Sensitivity: Boundary]
  /// Boundaries that content crosses only where the case's `consent` names them.
  package var consentRequired: Set<Boundary>

  package init(maxBoundary: [Sensitivity: Boundary], consentRequired: Set<Boundary>) {
    self.maxBoundary = maxBoundary
    self.consentRequired = consentRequired
  }

  /// What holds unless the suite says otherwise: secrets and what nobody has classified stay on the device, private and
  /// internal content stays in the owner's cloud, and a third party needs the person's consent.
  package static let standard = PrivacyRules(
    maxBoundary: [
      .public: .thirdParty, .internal: .privateCloud, .private: .privateCloud, .secret: .device,
      .unknown: .device,
    ], consentRequired: [.thirdParty])
}
