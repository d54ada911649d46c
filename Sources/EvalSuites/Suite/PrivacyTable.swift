import EvalCore

/// The suite's privacy while it is read: what it leaves out is as `PrivacyRules.standard` has it.
struct PrivacyDraft: Draft {
  var limits = BoundaryLimits()
  var consentRequired = PrivacyRules.standard.consentRequired.sorted()

  var rules: PrivacyRules {
    PrivacyRules(maxBoundary: limits.bySensitivity, consentRequired: Set(consentRequired))
  }
}

/// How far content may travel, by how sensitive it is.
struct BoundaryLimits: Draft {
  var bySensitivity = PrivacyRules.standard.maxBoundary

  fileprivate subscript(_ sensitivity: Sensitivity) -> Boundary {
    get { bySensitivity[sensitivity] ?? .device }
    set { bySensitivity[sensitivity] = newValue }
  }
}

extension ObjectTable where Into == PrivacyDraft {
  static let privacy = ObjectTable(
    "privacy", "the privacy rules",
    [
      Key(
        "maxBoundary", \.limits, ObjectTable<BoundaryLimits>.maxBoundary.tolerantShape,
        "How far content may travel, by the case's `sensitivity`."),
      Key(
        "consentRequired", \.consentRequired, .array(of: .word),
        "Boundaries that content crosses only where the case's `consent` names them; thirdParty unless given."
      ),
    ])
}

extension ObjectTable where Into == BoundaryLimits {
  static let maxBoundary = ObjectTable(
    "maxBoundary", "the farthest boundaries",
    [
      Key("public", \.[.public], .word, "Of public content; thirdParty unless given."),
      Key("internal", \.[.internal], .word, "Of internal content; privateCloud unless given."),
      Key("private", \.[.private], .word, "Of private content; privateCloud unless given."),
      Key("secret", \.[.secret], .word, "Of secret content; device unless given."),
      Key(
        "unknown", \.[.unknown], .word,
        "Of content whose sensitivity the case does not say; device unless given."),
    ])
}
