import EvalAnalysis
import EvalCore

extension JSONReport {
  static func writeAccepted(_ acceptance: AcceptanceSummary?, to writer: inout JSONWriter) {
    writer.key("accepted")
    guard let acceptance else { return writer.null() }
    writer.beginObject()
    writer.estimate("rate", acceptance.rate)
    for (key, part) in [("dollars", acceptance.cost), ("waitMilliseconds", acceptance.wait)] {
      writer.key(key)
      writer.beginObject()
      writer.estimate("perAsk", part.perAsk)
      writer.estimate("perAccepted", part.perAccepted)
      writer.key("atLeast")
      if let least = part.atLeast { writer.double(least) } else { writer.null() }
      writer.field("reason", part.reason?.rawValue)
      writer.endObject()
    }
    writer.key("again")
    if let again = acceptance.again {
      writer.beginObject()
      writer.field("cases", again.cases)
      writer.field("never", again.never)
      writer.key("neverExpected")
      writer.double(again.neverExpected)
      writer.key("pValue")
      if let p = again.pValue { writer.double(p) } else { writer.null() }
      writer.endObject()
    } else {
      writer.null()
    }
    writer.endObject()
  }
}
