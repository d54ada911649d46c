/// What a case whose `network` signal is `offline` does to the calls of a route, live and in replay alike: nothing
/// leaves the device.
package enum OfflineWorld {
  /// What an attempt that could not leave says of itself.
  package static let note = "the case is offline: the call did not leave the device"

  /// Whether a call to an arm beyond `boundary` fails for want of a network.
  ///
  /// - Parameter boundary: the arm's; `nil`, unknown, is taken for the farthest.
  package static func stops(_ boundary: Boundary?, signals: JSONObject) -> Bool {
    signals["network"]?.stringValue == "offline" && boundary != .device
  }

  /// Why such a call failed. The same call in the same world fails again.
  package static var error: ProviderError { ProviderError(.network, note, retryable: false) }

  /// The reply of a call that did not leave: nothing sent, no time taken.
  ///
  /// - Parameters:
  ///   - moment: monotonic nanoseconds.
  ///   - provenance: that of the run.
  package static func reply(at moment: Int64, provenance: Provenance) -> ProviderReply {
    var timeline = Timeline()
    timeline.start = moment
    timeline.done = moment
    var reply = ProviderReply(outcome: .failed(error), timeline: timeline)
    reply.connection.bytesSent = 0
    reply.connection.bytesReceived = 0
    reply.provenance = provenance
    reply.notes = [note]
    return reply
  }
}
