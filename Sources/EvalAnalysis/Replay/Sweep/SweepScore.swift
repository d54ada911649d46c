/// A policy's scores in a sweep: the numbers alone, without intervals. The same definitions as in `PolicyScore`.
package struct SweepScore: Sendable, Hashable {
  package var coverage = ReplayCoverage()
  /// False below the coverage floor: the numbers are over its own trials and stand beside no others.
  package var isCompared = true
  /// Trials and cases that the numbers rest on.
  package var trials = 0
  package var cases = 0
  /// In 0…1; `nil` without trials.
  package var quality: Double?
  /// Mean US dollars of a case; `nil` when one is unknown.
  package var costPerCase: Double?
  /// Milliseconds, over trials whose time was measured; the mean is of a case and `nil` when one was not measured.
  package var latencyMean: Double?
  package var latencyP50: Double?
  package var latencyP95: Double?
  /// Shares of cases; `nil` without any.
  package var cloudShare: Double?
  package var privateCloudShare: Double?
  package var thirdPartyShare: Double?
  package var servedCloudShare: Double?
  package var strongShare: Double?
  package var fallbackRate: Double?
  package var escalationRate: Double?
  package var blockedRate: Double?
  /// `nil` when nothing fell back.
  package var recoveryRate: Double?
  /// Over all trials, scored or not.
  package var leaks = 0
}
