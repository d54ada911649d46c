import EvalAnalysis
import EvalCore

/// The gates of a command: those of the suite or the run, with the command line's, and what they mean for the exit code.
struct GateWiring {
  let session: Session

  /// Adds `--gate` and `--inconclusive` to what is there.
  ///
  /// - Parameters:
  ///   - targets: names that a rule may use.
  ///   - cases: for the tags and ids in rules; `nil` takes any.
  /// - Throws: `.usage` after printing everything that is wrong with the rules.
  func settings(
    _ base: GateSettings, targets: [String], cases: [CaseSummary]?
  ) throws(CommandFailure) -> GateSettings {
    var settings = base
    var errors = 0
    for rule in session.arguments.texts("gate") {
      do throws(GateProblem) {
        let gate = try GateSpec.read(rule, measures: MeasureRegistry.infos)
        let problems = gate.problems(targets: targets, cases: cases)
        for problem in problems { refuse(problem, rule) }
        errors += problems.count
        if !settings.gates.contains(where: { $0.rule == gate.rule }) { settings.gates.append(gate) }
      } catch {
        refuse(error, rule)
        errors += 1
      }
    }
    if errors > 0 { throw CommandFailure(.usage, "\(counted(errors, "error")) in --gate; nothing ran") }
    if let wish = session.arguments.text("inconclusive").flatMap(GateSettings.Leaning.init(rawValue:)) {
      settings.inconclusive = wish
    }
    return settings
  }

  private func refuse(_ problem: GateProblem, _ rule: String) {
    session.console.problem(Problem(.error, "--gate \"\(rule)\": \(problem.message)", advice: problem.advice))
  }

  /// What the gates make of an exit code that would be `done`; says so where they do not pass.
  func code(_ verdict: GateVerdict?) -> ExitCode {
    guard let verdict else { return .done }
    let code = ExitCode(verdict)
    guard code != .done else { return code }
    let words = GateOutcome.allCases.filter { $0 != .pass && verdict.count($0) > 0 }
      .map { "\(verdict.count($0)) \($0.rawValue)" }.joined(separator: ", ")
    session.console.error("gates: \(words), of \(verdict.results.count)")
    guard session.arguments.has("no-fail") else { return code }
    session.console.error(
      "--no-fail: reporting only; the exit code is 0 and would have been \(code.rawValue)")
    return .done
  }
}

extension ExitCode {
  /// A failed gate is 1, what proves nothing or is undecided is 3 unless the settings say what undecided counts as.
  init(_ verdict: GateVerdict) {
    switch (verdict.outcome, verdict.settings.inconclusive) {
    case (.pass, _), (.inconclusive, .pass): self = .done
    case (.fail, _), (.inconclusive, .fail): self = .gateFailed
    case (.invalid, _), (.inconclusive, nil): self = .inconclusive
    }
  }
}
