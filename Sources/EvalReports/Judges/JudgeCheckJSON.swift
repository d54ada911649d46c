import EvalAnalysis
import EvalCore

/// Writes what labels say of judges as JSON, version 1.
enum JudgeCheckJSON {
  static let version = 1

  static func text(_ check: JudgeCheck) -> String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.field("format", "evalrun.judgeCheck")
    writer.field("version", version)
    writer.field("run", check.run.id)
    writer.field("suite", check.run.suiteName)
    writer.field("labels", check.file)
    writer.field("labelledBy", check.labelledBy)
    writer.field("note", check.note)
    writer.field("open", check.open)
    writer.field("elsewhere", check.elsewhere)
    writer.array("findings", check.findings) { JSONReport.write($0, to: &$1) }
    writer.array("checks", check.checks) { write($0, to: &$1) }
    writer.endObject()
    return writer.text + "\n"
  }

  private static func write(_ measured: CheckMeasurement, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("check", measured.check)
    writer.array("judges", measured.judges) { $1.string($0) }
    writer.key("verdicts")
    if let errors = measured.errors { writer.errors(errors) } else { writer.null() }
    writer.array("rates", measured.rates) { $1.rate($0) }
    writer.array("criteria", measured.criteria) { criterion, writer in
      writer.beginObject()
      writer.field("criterion", criterion.criterion)
      writer.array("levels", criterion.levels) { $1.string($0) }
      writer.key("all")
      writer.agreement(criterion.inAll)
      writer.array("targets", criterion.targets) { target, writer in
        writer.beginObject()
        writer.field("target", target.name)
        writer.key("levels")
        writer.agreement(target.agreement)
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// How a judge errs, over all targets and for each.
  mutating func errors(_ errors: JudgeErrors) {
    beginObject()
    key("all")
    verdicts(errors.inAll)
    array("targets", errors.targets) { target, writer in
      writer.beginObject()
      writer.field("target", target.name)
      writer.key("verdicts")
      writer.verdicts(target.rates)
      writer.endObject()
    }
    array("differences", errors.differences) { difference, writer in
      writer.beginObject()
      writer.field("target", difference.target)
      writer.field("rate", difference.rate.rawValue)
      writer.field("by", difference.by)
      writer.range("interval", difference.interval)
      writer.field("favours", difference.favours)
      writer.endObject()
    }
    endObject()
  }

  private mutating func verdicts(_ rates: VerdictRates) {
    beginObject()
    for (key, count) in [
      ("labels", rates.n), ("bothPass", rates.bothPass), ("bothFail", rates.bothFail),
      ("judgePasses", rates.judgePasses), ("judgeFails", rates.judgeFails), ("uncovered", rates.uncovered),
    ] {
      field(key, count)
    }
    estimate("agreement", rates.agreement)
    estimate("kappa", rates.kappa)
    estimate("sensitivity", rates.sensitivity)
    estimate("specificity", rates.specificity)
    estimate("peoplePass", rates.people)
    endObject()
  }

  mutating func rate(_ rate: TargetRate) {
    beginObject()
    field("target", rate.target)
    estimate("judged", rate.raw)
    field("basis", rate.basis.rawValue)
    switch rate.corrected {
    case .success(let corrected):
      estimate("corrected", corrected.estimate)
      field("uncut", corrected.uncut)
      field("refused", String?.none)
      field("reason", String?.none)
    case .failure(let refusal):
      key("corrected")
      null()
      field("uncut", Double?.none)
      field("refused", refusal.code)
      field("reason", refusal.words)
    }
    endObject()
  }

  mutating func agreement(_ agreement: LevelAgreement) {
    beginObject()
    field("labels", agreement.n)
    array("table", agreement.table) { row, writer in
      writer.beginArray()
      for count in row { writer.int(count) }
      writer.endArray()
    }
    estimate("same", agreement.same)
    estimate("kappa", agreement.kappa)
    endObject()
  }
}
