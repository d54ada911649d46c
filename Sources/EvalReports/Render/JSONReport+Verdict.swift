import EvalAnalysis
import EvalCore

extension JSONReport {
  static func writeVerdict(_ verdict: GateVerdict?, to writer: inout JSONWriter) {
    writer.key("verdict")
    guard let verdict else {
      writer.null()
      return
    }
    writer.beginObject()
    writer.field("outcome", verdict.outcome.rawValue)
    writer.field("earlyFraction", verdict.earlyFraction)
    writer.field("falseAlarmRate", verdict.falseAlarmRate)
    writer.field("maxErrorRate", verdict.settings.maxErrorRate)
    writer.field("minCoverage", verdict.settings.minCoverage)
    writer.field("inconclusiveCountsAs", verdict.settings.inconclusive?.rawValue)
    writer.array("gates", verdict.results) { write($0, to: &$1) }
    writer.endObject()
  }

  private static func write(_ result: GateResult, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("rule", result.gate.rule)
    writer.field("name", result.gate.name)
    writer.field("line", result.gate.location?.line)
    writer.field("column", result.gate.location?.column)
    writer.field("target", result.target)
    writer.field("reference", result.reference)
    writer.field("outcome", result.outcome.rawValue)
    writer.field("unit", result.unit.rawValue)
    if let estimate = result.estimate {
      writer.estimate("estimate", estimate)
    } else {
      writer.key("estimate")
      writer.null()
    }
    writer.field("reason", result.reason)
    writer.field("advice", result.advice)
    writer.array("failingCases", result.failingCases) { $1.string($0) }
    writer.field("falseAlarmRate", result.falseAlarmRate)
    writer.endObject()
  }
}
