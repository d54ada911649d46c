import EvalCore
import Synchronization

/// Keeps graders made for checks that many cases share, so that a pattern is compiled once.
final class GraderCache: Sendable {
  private static let capacity = 256

  private let made = Mutex<[CheckSpec: any Grader]>([:])
  private let make: @Sendable (CheckSpec) throws(GraderProblem) -> any Grader

  init(make: @escaping @Sendable (CheckSpec) throws(GraderProblem) -> any Grader) { self.make = make }

  /// - Throws: `GraderProblem` for a check that the suite reader let through and the grader does not take.
  func grader(for spec: CheckSpec) throws(GraderProblem) -> any Grader {
    if let known = made.withLock({ $0[spec] }) { return known }
    let grader = try make(spec)
    made.withLock { made in
      // Checks that differ from case to case would only push each other out.
      if made.count >= GraderCache.capacity { made.removeAll(keepingCapacity: true) }
      made[spec] = grader
    }
    return grader
  }
}
