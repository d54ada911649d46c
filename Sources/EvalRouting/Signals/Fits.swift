import EvalCore

extension Signal {
  static let fits = Signal(
    name: "fits", domain: .flag,
    summary: "Whether input and reserved output fit in the arm's window, less the margin.",
    isPerArm: true, origin: "tokensIn, the arm's window, reserveOutput and windowMargin",
    read: { context in
      guard let arm = context.arm, let fits = context.terms.capacity.fits(arm, context.facts) else {
        return nil
      }
      let source = context.facts.arms[arm]?.tokensIn?.source
      return Reading(.flag(fits), source == .server ? .counted : .estimated)
    },
    basis: { terms, arm in terms.capacity.basis(ofWindow: arm) })
}
