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

extension PrivacyRules {
  /// Whether content with these signals may travel so far.
  ///
  /// - Parameter boundary: `nil`, unknown, is taken for the farthest.
  package func allows(_ boundary: Boundary?, signals: JSONObject) -> Bool {
    let boundary = boundary ?? .thirdParty
    let sensitivity = signals["sensitivity"]?.stringValue.flatMap(Sensitivity.init(rawValue:)) ?? .unknown
    guard boundary <= maxBoundary[sensitivity] ?? .device else { return false }
    guard consentRequired.contains(boundary) else { return true }
    if let all = signals["consent"]?.boolValue { return all }
    return signals["consent"]?.arrayValue?.contains(.string(boundary.rawValue)) ?? false
  }

  package var json: JSONValue {
    var limits: JSONObject = [:]
    for sensitivity in Sensitivity.allCases {
      limits[sensitivity.rawValue] = maxBoundary[sensitivity].map { .string($0.rawValue) }
    }
    return [
      "maxBoundary": .object(limits),
      "consentRequired": .array(
        Boundary.allCases.filter(consentRequired.contains).map { .string($0.rawValue) }),
    ]
  }

  /// Reads what `json` wrote. What cannot be read is the most restrictive.
  package init(json: JSONValue) {
    var limits: [Sensitivity: Boundary] = [:]
    for sensitivity in Sensitivity.allCases {
      let word = json["maxBoundary"]?[sensitivity.rawValue]?.stringValue
      limits[sensitivity] = word.flatMap(Boundary.init(rawValue:)) ?? .device
    }
    let names = json["consentRequired"]?.arrayValue?.compactMap(\.stringValue)
    self.init(
      maxBoundary: limits,
      consentRequired: names.map { Set($0.compactMap(Boundary.init(rawValue:))) } ?? Set(Boundary.allCases))
  }
}
