import EvalAnalysis
import EvalCore

/// Writes a sweep as JSON, version 1 (`Docs/ReportJSON.md`). An absent number is null, never 0.
enum SweepJSON {
  static func text(_ report: SweepReport) -> String {
    let choice = report.choice
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.field("format", "evalrun.sweep")
    writer.field("version", 1)
    writer.field("whatIf", true)
    writer.replayHead(report.recorded, scenario: report.scenario)
    writer.field("policy", report.policy)
    writer.field("origin", report.origin)
    writer.array("vary", report.axes) { axis, writer in
      writer.beginObject()
      writer.field("path", axis.path)
      writer.field("values", axis.values)
      writer.endObject()
    }
    writer.field("policies", choice.scores.count)
    writer.field("refused", report.refused)
    writer.names("refusal", report.refusal.map(\.message))
    writer.field("compared", choice.scores.count { $0.isCompared })
    writer.field("feasible", choice.feasible.count)
    writer.field("optimize", choice.objective.metric.rawValue)
    writer.names("subjectTo", choice.constraints.map(\.text))
    writer.field("seed", String(choice.seed))
    writer.field("tuningCases", choice.split.tuning.count)
    writer.field("heldOutCases", choice.split.heldOut.count)
    writer.key("chosen")
    writeChosen(report, to: &writer)
    writer.field("leaks", report.leaks)
    writer.key("frontier")
    writeFrontier(report, to: &writer)
    writer.key("curve")
    writeCurve(report.curve, to: &writer)
    writer.endObject()
    return writer.text + "\n"
  }

  private static func writeChosen(_ report: SweepReport, to writer: inout JSONWriter) {
    let choice = report.choice
    guard let chosen = choice.chosen else { return writer.null() }
    writer.beginObject()
    writeValues(chosen, report, to: &writer)
    writer.field("hash", report.chosenHash?.hex)
    writer.field("file", report.written)
    writer.key("tuning")
    write(choice.scores[chosen], to: &writer)
    writer.key("heldOut")
    if let score = choice.heldOut { write(score, to: &writer) } else { writer.null() }
    writer.estimate("difference", choice.difference)
    writer.names("broken", choice.broken.map(\.text))
    writer.endObject()
  }

  private static func writeValues(_ policy: Int, _ report: SweepReport, to writer: inout JSONWriter) {
    writer.key("values")
    writer.beginObject()
    for (axis, value) in zip(report.axes, report.values(policy)) {
      writer.key(axis.path)
      writer.raw(value)
    }
    writer.endObject()
  }

  private static func write(_ score: SweepScore, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("isCompared", score.isCompared)
    writer.field("trials", score.trials)
    for metric in SweepReport.metrics where metric != .coverage {
      writer.field(metric.rawValue, score[metric])
    }
    writer.coverage(score.coverage)
    writer.endObject()
  }

  private static func writeFrontier(_ report: SweepReport, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("gain", report.frontier.gain.rawValue)
    writer.field("price", report.frontier.price.rawValue)
    writer.array("points", report.frontier.points) { point, writer in
      writer.beginObject()
      writeValues(point.policy, report, to: &writer)
      writer.field("alike", point.alike)
      writer.field("isFeasible", report.choice.feasible.contains(point.policy))
      writer.key("tuning")
      write(report.choice.scores[point.policy], to: &writer)
      writer.endObject()
    }
    writer.endObject()
  }

  private static func writeCurve(_ curve: SweepCurve, to writer: inout JSONWriter) {
    writer.beginObject()
    switch curve {
    case .undefined(let reason):
      writer.field("apgr", Double?.none)
      writer.field("undefinedBecause", reason)
    case .curve(let curve):
      writer.field("apgr", curve.apgr)
      writer.field("cpt50", curve.cpt(0.5))
      writer.field("cpt80", curve.cpt(0.8))
      writer.array("points", curve.points) { point, writer in
        writer.beginObject()
        writer.field("strongShare", point.share)
        writer.field("pgr", point.pgr)
        writer.endObject()
      }
    }
    writer.endObject()
  }
}

/// Writes a sweep with one row a policy, scored on the cases for choosing.
enum SweepCSV {
  static func write(_ report: SweepReport, to sink: ReportSink) {
    let metrics = SweepReport.metrics
    let head =
      ["what_if"] + report.axes.map(\.path) + metrics.map(\.rawValue) + [
        "trials", "compared", "feasible", "chosen",
      ]
    sink(head.map(CSVText.text).joined(separator: ",") + "\r\n")
    let feasible = Set(report.choice.feasible)
    let world = report.scenario.isEmpty ? "as recorded" : report.scenario.joined(separator: "; ")
    var lines = ""
    for (index, score) in report.choice.scores.enumerated() {
      var cells = [CSVText.text(world)]
      cells += report.values(index).map {
        $0.stringValue.map(CSVText.text) ?? CSVText.field($0.serialized())
      }
      cells += metrics.map { CSVText.number(score[$0].map(Numbers.rounded)) }
      cells += [
        String(score.trials), String(score.isCompared), String(feasible.contains(index)),
        String(report.choice.chosen == index),
      ]
      lines += cells.joined(separator: ",") + "\r\n"
      if lines.utf8.count > 60_000 {
        sink(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    sink(lines)
  }
}
