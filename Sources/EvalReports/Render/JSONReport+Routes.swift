import EvalAnalysis
import EvalCore

extension JSONReport {
  /// `null` for a run without a route.
  static func writeRoute(_ route: RouteSummary?, to writer: inout JSONWriter) {
    writer.key("route")
    guard let route else {
      writer.null()
      return
    }
    writer.beginObject()
    writer.field("trials", route.trials)
    writeCloud(route, to: &writer)
    writeFallbacks(route.fallbacks, to: &writer)
    writer.key("waste")
    writer.beginObject()
    writer.field("attempts", route.waste.attempts)
    writer.estimate("milliseconds", route.waste.time)
    writer.estimate("deviceMilliseconds", route.waste.deviceTime)
    writer.estimate("dollars", route.waste.dollars)
    writer.endObject()
    writer.distribution("decisionMilliseconds", route.decisions)
    writer.field("leakCount", route.decisions == nil ? nil : route.leaks.count)
    writer.array("leaks", route.leaks) { leak, writer in
      writer.beginObject()
      writer.field("case", leak.caseID)
      writer.field("repeat", leak.repeatIndex + 1)
      writer.field("attempt", leak.attempt)
      writer.field("arm", leak.arm)
      writer.field("boundary", leak.boundary.rawValue)
      writer.field("sensitivity", leak.sensitivity)
      writer.array("rules", leak.rules) { $1.string($0.rawValue) }
      writer.endObject()
    }
    writer.endObject()
  }

  private static func writeCloud(_ route: RouteSummary, to writer: inout JSONWriter) {
    writer.key("leftDevice")
    writer.beginObject()
    writer.estimate("any", route.cloud.any)
    writer.estimate("privateCloud", route.cloud.privateCloud)
    writer.estimate("thirdParty", route.cloud.thirdParty)
    writer.estimate("served", route.cloud.served)
    writer.estimate("tokens", route.cloud.tokens)
    writer.endObject()
    writer.key("servedFrom")
    writer.beginObject()
    for served in route.servedFrom { writer.estimate(served.boundary.rawValue, served.share) }
    writer.endObject()
  }

  private static func writeFallbacks(_ fallbacks: FallbackUse, to writer: inout JSONWriter) {
    writer.key("fallbacks")
    writer.beginObject()
    writer.estimate("rate", fallbacks.rate)
    writer.array("classes", fallbacks.classes) { entry, writer in
      writer.beginObject()
      writer.field("class", entry.kind.rawValue)
      writer.field("trials", entry.trials)
      writer.endObject()
    }
    writer.estimate("recovery", fallbacks.recovery)
    writer.endObject()
    writer.estimate("escalations", fallbacks.escalation)
    writer.estimate("blocked", fallbacks.blocked)
  }
}
