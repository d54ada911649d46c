import EvalCore
import EvalEngine
import EvalGraders

/// Makes the graders of a suite's checks.
struct GraderWiring: Sendable {
  let suite: Suite
  let allowsCommands: Bool
  /// `nil` when nobody judges.
  let judges: JudgeDesk?

  var make: @Sendable (CheckSpec) throws(GraderProblem) -> any Grader {
    let directory = suite.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let (allowsCommands, judging) = (allowsCommands, suite.judging(judges))
    return { spec throws(GraderProblem) in
      try makeGrader(
        spec, allowsCommands: allowsCommands, directory: directory.isEmpty ? "." : directory, judging: judging
      )
    }
  }
}
