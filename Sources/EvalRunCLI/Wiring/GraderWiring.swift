import EvalCore
import EvalGraders

/// Makes the graders of a suite's checks.
struct GraderWiring: Sendable {
  let suite: Suite
  let allowsCommands: Bool

  var make: @Sendable (CheckSpec) throws(GraderProblem) -> any Grader {
    let directory = suite.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    let (allowsCommands, rubrics) = (allowsCommands, suite.rubrics)
    return { spec throws(GraderProblem) in
      try makeGrader(
        spec, allowsCommands: allowsCommands, directory: directory.isEmpty ? "." : directory, rubrics: rubrics
      )
    }
  }
}
