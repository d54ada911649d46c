import EvalCore

/// What a trace comes to, in a few numbers: what scores are made of.
package struct TraceOutcome: Sendable {
  package struct Flags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Exact or modeled: the whole trial is there.
    package static let whole = Flags(rawValue: 1 << 0)
    package static let modeled = Flags(rawValue: 1 << 1)
    package static let bounded = Flags(rawValue: 1 << 2)
    /// Whole, but nobody could judge the answer.
    package static let unjudged = Flags(rawValue: 1 << 3)
    /// Some attempt left the device.
    package static let left = Flags(rawValue: 1 << 4)
    package static let leftToPrivateCloud = Flags(rawValue: 1 << 5)
    package static let leftToThirdParty = Flags(rawValue: 1 << 6)
    /// The last answer came from beyond the device.
    package static let servedFromPrivateCloud = Flags(rawValue: 1 << 7)
    package static let servedFromThirdParty = Flags(rawValue: 1 << 8)
    /// An error sent it to another arm.
    package static let fellBack = Flags(rawValue: 1 << 9)
    package static let ok = Flags(rawValue: 1 << 10)
    /// An answer that was not good enough sent it to another arm.
    package static let escalated = Flags(rawValue: 1 << 11)
    package static let blocked = Flags(rawValue: 1 << 12)
    /// The strong arm was called.
    package static let calledStrong = Flags(rawValue: 1 << 13)

    /// How many there are.
    static let bits = 14

    /// Whole, and somebody could judge it.
    var isScored: Bool { rawValue & (Flags.whole.rawValue | Flags.unjudged.rawValue) == Flags.whole.rawValue }
  }

  /// In 0…1; NaN where `PolicyTrace.quality` is `nil`.
  package var quality: Double
  /// US dollars; NaN is unknown.
  package var dollars: Double
  /// NaN was not measured.
  package var seconds: Double
  package var flags: Flags
  package var leaks: UInt16

  /// True when it has a quality.
  package var isScored: Bool { flags.isScored }

  /// - Parameter strong: the arm of which `calledStrong` speaks.
  package init(_ trace: PolicyTrace, strong: String? = nil) {
    quality = trace.label.isWhole ? trace.quality ?? .nan : .nan
    dollars = trace.dollars ?? .nan
    seconds = trace.latency.map { Double($0) / 1e9 } ?? .nan
    leaks = UInt16(clamping: trace.leaks.count)
    flags = []
    switch trace.label {
    case .exact: flags.insert(.whole)
    case .modeled: flags.formUnion([.whole, .modeled])
    case .bounded: flags.insert(.bounded)
    case .missing: break
    }
    if trace.isUnjudged { flags.insert(.unjudged) }
    for attempt in trace.attempts {
      if attempt.leftDevice {
        flags.formUnion(
          attempt.boundary == .privateCloud ? [.left, .leftToPrivateCloud] : [.left, .leftToThirdParty])
      }
      if case .fallback = attempt.cause { flags.insert(.fellBack) }
      if attempt.cause == .escalation { flags.insert(.escalated) }
      if attempt.arm == strong { flags.insert(.calledStrong) }
    }
    if let served = trace.served.last, trace.status != .failed, trace.status != .blocked {
      switch trace.attempts[served].boundary {
      case .device: break
      case .privateCloud: flags.insert(.servedFromPrivateCloud)
      case .thirdParty: flags.insert(.servedFromThirdParty)
      }
    }
    if trace.status == .ok, trace.label.isWhole { flags.insert(.ok) }
    if trace.status == .blocked { flags.insert(.blocked) }
  }
}

/// How many of a policy's trials a replay can say something about.
package struct ReplayCoverage: Sendable, Hashable {
  /// Cases × repeats.
  package var trials = 0
  package var exact = 0
  package var modeled = 0
  /// Conversations that went another way than the recording's.
  package var bounded = 0
  package var missing = 0
  /// Of the exact and modeled ones, those that no grader judged.
  package var unjudged = 0

  package init(_ outcomes: some Sequence<TraceOutcome>) {
    for outcome in outcomes { add(outcome.flags) }
  }

  init() {}

  mutating func add(_ flags: TraceOutcome.Flags, count: Int = 1) {
    trials += count
    if flags.contains(.whole) {
      if flags.contains(.modeled) { modeled += count } else { exact += count }
      if flags.contains(.unjudged) { unjudged += count }
    } else if flags.contains(.bounded) {
      bounded += count
    } else {
      missing += count
    }
  }

  /// Trials with a quality.
  package var scored: Int { exact + modeled - unjudged }

  /// `scored` in 0…1; 0 without trials.
  package var share: Double { trials > 0 ? Double(scored) / Double(trials) : 0 }

  /// Below this share of scored trials nothing is ranked.
  package static let floor = 0.95
}
