import EvalAnalysis
import EvalCore
import EvalStore

/// What a run is held against.
struct BaselineSides {
  var name: String
  /// One for each target of the baseline.
  var sides: [ComparisonInput]

  /// The baseline that `--baseline` names; `nil` without the option.
  /// - Throws: `.usage` for a name that is none, or after printing what is wrong with its file.
  init?(_ session: Session) throws(CommandFailure) {
    guard let text = session.arguments.text("baseline") else { return nil }
    let desk = BaselineDesk(session: session)
    let baseline = try desk.open(text)
    name = baseline.name
    let source = try desk.source(baseline)
    do {
      sides = try ComparisonInput.read(source, label: baseline.name)
    } catch {
      throw CommandFailure(error)
    }
    if case .file = baseline.origin {
      // Its answers are nowhere here, even if a run of that id is.
      for place in sides.indices { sides[place].facts.runID = nil }
    }
  }
}
