import EvalAnalysis
import EvalCore
import EvalSuites

/// Makes the what-if of a replay from the command line.
struct ScenarioReader {
  let session: Session
  let profiles: [Profile]

  /// - Throws: `.usage` after printing every problem.
  func scenario() throws(CommandFailure) -> Scenario {
    var problems: [Problem] = []
    var scenario = Scenario()
    let arguments = session.arguments
    if let text = arguments.text("inject") {
      do throws(Problems) {
        let injection = try InjectionReader(text)
        scenario.injection = Scenario.Injection(rates: injection.rates, seed: injection.seed)
      } catch { problems += error.all }
    }
    if arguments.has("offline") { scenario.signals["network"] = "offline" }
    if arguments.has("low-power") { scenario.signals["lowPower"] = true }
    for name in arguments.texts("outage") {
      if let problem = unknownArm(name) { problems.append(problem) }
      scenario.outages.insert(name)
    }
    if let path = arguments.text("prices") {
      do throws(Problems) {
        scenario.prices = try PriceFile.read(path: path, for: profiles)
      } catch { problems += error.all }
    }
    guard problems.isEmpty else {
      for problem in problems { session.console.problem(problem) }
      throw CommandFailure(
        .usage, "\(counted(problems.count, "error")) in what to suppose; nothing was replayed")
    }
    return scenario
  }

  private func unknownArm(_ name: String) -> Problem? {
    let known = profiles.map(\.name) + profiles.map { $0.endpoint ?? $0.provider }
    if known.contains(name) { return nil }
    return Problem(
      .error, "--outage: the run has no arm and no endpoint '\(name)'",
      advice: suggestion(for: name, among: known) ?? "it has \(profiles.map(\.name).joined(separator: ", "))")
  }
}
