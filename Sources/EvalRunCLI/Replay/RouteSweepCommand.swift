import EvalAnalysis
import EvalCore
import EvalReports
import EvalRouting
import EvalStore

/// `evalrun route sweep RUN --policy FILE --vary …`.
struct RouteSweepCommand {
  let session: Session

  /// What the command line asks for.
  private struct Wish {
    var objective: SweepObjective
    var constraints: [SweepConstraint]
    var share: Double
    var seed: UInt64
  }

  func perform() throws(CommandFailure) -> ExitCode {
    let desk = try ReplayDesk(session: session)
    let scenario = try ScenarioReader(session: session, profiles: desk.profiles).scenario()
    let base = try desk.base()
    let (wish, variants) = try read(base, desk)
    let made = variants.make()
    guard !made.policies.isEmpty else { throw refuse(made, variants.grid) }
    let recorded = try desk.recorded(readsEveryText: made.policies[0].policy.readsAnswerLength)
    var settings = try desk.comparisonSettings(recorded)
    settings.seed = wish.seed
    let replayer = Replayer(recorded.table, scenario: scenario, settings: recorded.settings)
    let contenders = made.policies.map { Contender(policy: $0.policy, constraints: $0.policy.privacy) }
    let sweep = PolicySweep(replayer, strong: settings.strong)
    let choice = blocking {
      await sweep.choose(
        contenders, wish.objective, subjectTo: wish.constraints, share: wish.share, seed: wish.seed)
    }
    let report = try report(
      base, variants.grid, made, recorded, scenario, choice, curve: curve(sweep, choice, settings))
    try desk.write { format, options, sink in report.render(format, options, to: sink) }
    return code(report, desk)
  }

  private func curve(
    _ sweep: PolicySweep, _ choice: PolicyChoice, _ settings: ComparisonSettings
  ) -> SweepCurve {
    let tuning = Replayer(
      sweep.replayer.table.selecting(choice.split.tuning), scenario: sweep.replayer.scenario,
      settings: sweep.replayer.settings)
    return SweepCurve.make(tuning, choice.scores, settings: settings)
  }

  private func code(_ report: SweepReport, _ desk: ReplayDesk) -> ExitCode {
    if report.choice.chosen == nil {
      session.console.error("no policy keeps the limits")
      return .gateFailed
    }
    return desk.code(leaks: report.leaks)
  }

  // MARK: What is asked for

  private func read(
    _ base: ReplayDesk.Base, _ desk: ReplayDesk
  ) throws(CommandFailure) -> (Wish, PolicyVariants) {
    var problems: [Problem] = []
    var wish = Wish(objective: SweepObjective(.quality), constraints: [], share: 0.5, seed: 1)
    let arguments = session.arguments
    do throws(Problems) {
      wish.objective = try SweepOptions.objective(arguments.text("optimize") ?? "quality")
    } catch { problems += error.all }
    do throws(Problems) {
      wish.constraints = try SweepOptions.constraints(arguments.text("subject-to") ?? "")
    } catch { problems += error.all }
    if let share = arguments.amount("split") {
      if share <= 0 || share >= 1 {
        problems.append(Problem(.error, "--split takes a share between 0 and 1"))
      }
      wish.share = share
    }
    if let seed = arguments.count("seed") { wish.seed = UInt64(seed) }
    var variations: [PolicyVariation] = []
    for text in arguments.texts("vary") {
      do throws(Problem) { variations.append(try PolicyVariation(text)) } catch { problems.append(error) }
    }
    var grid: PolicyGrid?
    do throws(Problems) { grid = try PolicyGrid(variations, over: base.json) } catch { problems += error.all }
    guard problems.isEmpty, let grid else {
      for problem in problems { session.console.problem(problem) }
      throw CommandFailure(
        .usage, "\(counted(problems.count, "error")) in what to search; nothing was replayed")
    }
    return (wish, PolicyVariants(grid, reader: desk.reader, name: base.name))
  }

  private func refuse(_ made: PolicyVariants.Made, _ grid: PolicyGrid) -> CommandFailure {
    for problem in made.firstRefusal?.problems ?? [] { session.console.problem(problem) }
    return CommandFailure(
      .usage, "none of \(counted(grid.count, "variant")) is a right policy; the first is wrong as said above")
  }

  // MARK: What was found

  private func report(
    _ base: ReplayDesk.Base, _ grid: PolicyGrid, _ made: PolicyVariants.Made, _ recorded: RecordedRun,
    _ scenario: Scenario, _ choice: PolicyChoice, curve: SweepCurve
  ) throws(CommandFailure) -> SweepReport {
    let places = made.policies.map(\.index)
    var report = SweepReport(
      recorded: recorded, scenario: scenario.statement, policy: base.name, origin: base.origin,
      axes: grid.axes.map { SweepReport.Axis(path: $0.path, values: $0.values.count) }, refused: made.refused,
      refusal: made.firstRefusal?.problems ?? [], choice: choice,
      frontier: SweepFrontier(choice.scores, gain: choice.objective.metric), curve: curve,
      values: { grid.values(at: places[$0]) })
    if let chosen = choice.chosen {
      report.chosenHash = made.policies[chosen].policy.hash
      report.written = try writeChosen(grid.policy(at: places[chosen]))
    }
    return report
  }

  private func writeChosen(_ policy: JSONValue) throws(CommandFailure) -> String? {
    guard let path = session.arguments.text("out") else { return nil }
    let file = try OutputFile(path: path)
    file.write(policy.serialized(.pretty) + "\n")
    try file.close()
    session.console.note("the chosen policy: \(path)")
    return path
  }
}

extension ReplayDesk {
  /// The policy that a sweep varies. It need not be right itself: a value that is swept may be a blank.
  struct Base {
    var name: String
    var json: JSONValue
    var origin: String
  }

  func base() throws(CommandFailure) -> Base {
    guard let name = session.arguments.text("policy") else {
      throw CommandFailure(
        .usage, "'evalrun route sweep' needs --policy", advice: "a policy's file, or a route of the run")
    }
    if BaselineDesk.isFile(name) {
      let text = SourceText(name: name, bytes: try Files.read(name))
      do throws(JSONSyntaxError) {
        let json = try JSONValue.parse(text.bytes, .relaxed)
        return Base(name: json["policy"]?.stringValue ?? name, json: json, origin: name)
      } catch {
        throw CommandFailure(text.problem(error))
      }
    }
    let route = try route(name)
    return Base(
      name: route.content["policy"]?.stringValue ?? name, json: route.content, origin: "route of the run")
  }
}
