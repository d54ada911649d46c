/// A number of a sweep by the name it has in constraints and objectives.
package enum SweepMetric: String, Sendable, Hashable, CaseIterable {
  case quality, costPerCase, latencyMean, latencyP50, latencyP95, cloudShare, privateCloudShare,
    thirdPartyShare,
    servedCloudShare, strongShare, fallbackRate, escalationRate, recoveryRate, blockedRate, leaks, coverage

  /// Whether more of it is what one wants.
  package var isHigherBetter: Bool {
    switch self {
    case .quality, .recoveryRate, .coverage: true
    case .costPerCase, .latencyMean, .latencyP50, .latencyP95, .cloudShare, .privateCloudShare,
      .thirdPartyShare, .servedCloudShare, .strongShare, .fallbackRate, .escalationRate, .blockedRate, .leaks:
      false
    }
  }

  /// US dollars, milliseconds, a share in 0…1, or a count.
  package enum Unit: Sendable, Hashable { case dollars, milliseconds, share, count }

  package var unit: Unit {
    switch self {
    case .costPerCase: .dollars
    case .latencyMean, .latencyP50, .latencyP95: .milliseconds
    case .leaks: .count
    case .quality, .cloudShare, .privateCloudShare, .thirdPartyShare, .servedCloudShare, .strongShare,
      .fallbackRate, .escalationRate, .recoveryRate, .blockedRate, .coverage:
      .share
    }
  }
}

extension SweepScore {
  /// `nil` is unknown, which satisfies no constraint.
  package subscript(_ metric: SweepMetric) -> Double? {
    switch metric {
    case .quality: quality
    case .costPerCase: costPerCase
    case .latencyMean: latencyMean
    case .latencyP50: latencyP50
    case .latencyP95: latencyP95
    case .cloudShare: cloudShare
    case .privateCloudShare: privateCloudShare
    case .thirdPartyShare: thirdPartyShare
    case .servedCloudShare: servedCloudShare
    case .strongShare: strongShare
    case .fallbackRate: fallbackRate
    case .escalationRate: escalationRate
    case .recoveryRate: recoveryRate
    case .blockedRate: blockedRate
    case .leaks: Double(leaks)
    case .coverage: coverage.share
    }
  }
}
