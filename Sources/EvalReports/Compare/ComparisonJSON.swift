import EvalAnalysis
import EvalCore

/// Writes comparisons as JSON, version 1. Keys keep their order; an absent number is null, never 0.
enum ComparisonJSON {
  static let version = 1

  static func text(_ comparisons: [Comparison]) -> String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.field("format", "evalrun.comparison")
    writer.field("version", version)
    writer.array("comparisons", comparisons) { write($0, to: &$1) }
    writer.endObject()
    return writer.text + "\n"
  }

  private static func write(_ comparison: Comparison, to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, side, cost) in [
      ("reference", comparison.reference, comparison.referenceCost),
      ("candidate", comparison.candidate, comparison.candidateCost),
    ] {
      writer.key(key)
      write(side, cost, to: &writer)
    }
    writer.array("cautions", comparison.cautions) { caution, writer in
      writer.beginObject()
      writer.field("code", caution.code)
      writer.field("message", caution.message)
      writer.field("advice", caution.advice)
      writer.endObject()
    }
    writer.key("pairing")
    write(comparison.pairing, to: &writer)
    writer.field("familySize", comparison.familySize)
    writer.array("differences", comparison.differences) { difference, writer in
      writer.beginObject()
      write(difference, to: &writer)
      writer.endObject()
    }
    writer.key("costPerSuccess")
    if let cost = comparison.costPerSuccess {
      writer.beginObject()
      writer.estimate("reference", cost.reference)
      writer.estimate("candidate", cost.candidate)
      writer.estimate("change", cost.change)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.array("targetChanges", comparison.targetChanges) { change, writer in
      writer.beginObject()
      writer.field("path", change.path)
      writer.key("reference")
      writer.raw(change.reference ?? .null)
      writer.key("candidate")
      writer.raw(change.candidate ?? .null)
      writer.endObject()
    }
    writer.array("slices", comparison.slices) { slice, writer in
      writer.beginObject()
      writer.field("tag", slice.tag)
      write(slice.difference, to: &writer)
      writer.endObject()
    }
    writer.array("flips", comparison.flips) { write($0, to: &$1) }
    writer.endObject()
  }

  private static func write(
    _ side: ComparisonFacts, _ cost: Comparison.CostLedger, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.field("label", side.label)
    writer.field("suite", side.suiteName)
    writer.field("suiteHash", side.suiteHash.hex)
    writer.field("target", side.target.name)
    writer.field("kind", side.target.kind)
    writer.field("targetHash", side.target.hash.hex)
    writer.field("provenance", side.provenance.rawValue)
    writer.field("recording", side.recording)
    writer.field("status", side.status.rawValue)
    writer.field("repeats", side.repeats)
    writer.field("plannedTrials", side.plannedTrials)
    writer.field("finishedTrials", cost.trials)
    writer.field("knownDollars", cost.trials > cost.unknown ? cost.known : nil)
    writer.field("unknownCosts", cost.unknown)
    writer.field("toolVersion", side.toolVersion)
    writer.field("machine", side.machine)
    writer.endObject()
  }

  private static func write(_ pairing: CasePairing, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("cases", pairing.pairs.count)
    writer.field("trialPairs", pairing.trialPairs)
    writer.field("coverage", pairing.coverage)
    writer.array("onlyReference", pairing.onlyReference) { $1.string($0) }
    writer.array("onlyCandidate", pairing.onlyCandidate) { $1.string($0) }
    writer.field("unmatchedReferenceTrials", pairing.unmatchedReferenceTrials)
    writer.field("unmatchedCandidateTrials", pairing.unmatchedCandidateTrials)
    writer.endObject()
  }

  static func write(_ difference: PairedDifference, to writer: inout JSONWriter) {
    writer.field("measure", difference.measure.rawValue)
    writer.field("scale", difference.measure.scale == .ratio ? "ratio" : "difference")
    writer.estimate("reference", difference.reference)
    writer.estimate("candidate", difference.candidate)
    writer.estimate("change", difference.change)
    writer.key("isBetter")
    if let isBetter = difference.isBetter { writer.bool(isBetter) } else { writer.null() }
    writer.field("isSure", difference.test != nil && difference.isSure)
    writer.key("test")
    if let test = difference.test {
      writer.beginObject()
      writer.field("method", test.method.rawValue)
      writer.field("p", test.p)
      writer.field("adjusted", test.adjusted)
      writer.field("differing", test.differing)
      writer.field("canBeSignificant", test.canBeSignificant)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.key("detectable")
    if let detectable = difference.detectable {
      writer.beginObject()
      writer.field("difference", detectable.difference)
      writer.field("power", Power.standard)
      writer.field("units", detectable.units)
      writer.field("unitsForObserved", detectable.unitsForObserved)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.field("cases", difference.cases)
    writer.field("risen", difference.risen)
    writer.field("fallen", difference.fallen)
    writer.field("missing", difference.missing)
    writer.field("unlike", difference.unlike)
  }

  static func write(_ flip: Flip, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("case", flip.caseID)
    writer.field("caseHash", flip.hash.hex)
    writer.array("tags", flip.tags) { $1.string($0) }
    writer.field("change", flip.change)
    writer.field("repeat", flip.repeatIndex + 1)
    for (key, side) in [("reference", flip.reference), ("candidate", flip.candidate)] {
      writer.key(key)
      writer.beginObject()
      writer.field("passes", side.passes)
      writer.field("verdicts", side.verdicts)
      writer.field("score", side.score)
      writer.field("unanswered", side.unanswered)
      writer.endObject()
    }
    writer.endObject()
  }
}
