import EvalCore

/// Reads the values of one dialect into an `Answer`. It knows neither sockets nor framing nor the clock.
///
/// A decoder reads one response and is thrown away. It must not fail: what it does not know it passes over.
protocol ResponseDecoder {
  /// One event of a stream: the value of an SSE event, an NDJSON line, or an array element.
  ///
  /// - Parameters:
  ///   - value: valid during the call only.
  ///   - isError: true when the event's SSE name was `error`.
  mutating func event(_ value: JSONView, isError: Bool, into answer: inout Answer)

  /// The whole body of an answer that did not stream. It must call `answer.end` when the value is an answer; a
  /// value that is neither answer nor error is a malformed response.
  mutating func body(_ value: JSONView, into answer: inout Answer)

  /// The response is over, cleanly or not; for what can only be said then.
  mutating func finish(into answer: inout Answer)
}

extension ResponseDecoder {
  mutating func finish(into answer: inout Answer) {}
}

/// How a dialect frames a stream.
package enum StreamFraming: Sendable, Hashable {
  case sse, ndjson
  /// One JSON array whose elements are the events.
  case jsonArray
}
