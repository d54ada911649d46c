/// How far a request travels from the person who wrote it, from near to far.
package enum Boundary: String, Sendable, Hashable, CaseIterable, Comparable {
  /// Stays on the machine in the person's hand.
  case device
  /// A cloud that the app's owner answers for (for instance Apple's Private Cloud Compute).
  case privateCloud
  /// Anybody else's cloud.
  case thirdParty

  package static func < (left: Boundary, right: Boundary) -> Bool { left.distance < right.distance }

  private var distance: Int {
    switch self {
    case .device: 0
    case .privateCloud: 1
    case .thirdParty: 2
    }
  }
}
