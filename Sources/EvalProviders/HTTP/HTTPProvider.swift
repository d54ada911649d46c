import EvalCore
import Synchronization

/// Answers calls of one profile over HTTP, in one dialect.
final class HTTPProvider: Provider {
  let dialect: any Dialect
  let traits: ServerTraits
  let endpoint: Endpoint
  let limitKey: String
  private let headers: [(String, String)]
  let exchange: any Exchange
  /// Which way of counting the server takes.
  let counting: Mutex<CountingState>
  /// Body members that an answer does not need, so that a server may refuse them.
  private static let droppable = ["stream_options"]
  /// Those that this server has refused.
  private let dropped = Mutex<Set<String>>([])

  /// - Parameters:
  ///   - headers: the key and the profile's own headers, resolved.
  ///   - keyName: what the key is called where it comes from, for `limitKey`.
  init(
    dialect: any Dialect, traits: ServerTraits, endpoint: Endpoint, headers: [(String, String)],
    keyName: String?,
    exchange: any Exchange
  ) {
    self.dialect = dialect
    self.traits = traits
    self.endpoint = endpoint
    self.headers = headers
    self.exchange = exchange
    counting = Mutex(CountingState(recipes: traits.counts.count))
    limitKey = endpoint.origin + (keyName.map { "#\($0)" } ?? "")
  }

  func send(_ call: ProviderCall) async -> ProviderReply {
    var request = prepare(call)
    var reply = await perform(request, call)
    if let member = refusedMember(reply, request.body) {
      dropped.withLock { _ = $0.insert(member) }
      request = prepare(call)
      reply = await perform(request, call)
      reply.notes.append("the server refuses '\(member)'; the request was sent again without it")
    }
    if reply.outcome.error?.kind == .notRecorded { return await replayWithout(request.body, call) ?? reply }
    return reply
  }

  /// The server may have refused a member when the recording was made; then the later requests lack it.
  private func replayWithout(_ body: JSONObject, _ call: ProviderCall) async -> ProviderReply? {
    let members = Self.droppable.filter { body[$0] != nil }
    if members.isEmpty { return nil }
    let reply = await perform(prepare(call, without: members), call)
    return reply.outcome.error?.kind == .notRecorded ? nil : reply
  }

  // MARK: Request

  private struct Prepared {
    var exchange: ExchangeRequest
    var body: JSONObject
    var notes: [String]
  }

  private func prepare(_ call: ProviderCall, without members: [String] = []) -> Prepared {
    let encoded = dialect.encode(call, traits)
    var body = encoded.body.merging(call.profile.extraBody)
    for member in dropped.withLock({ $0.union(members) }) { body.removeValue(forKey: member) }
    let url = endpoint.url(
      basePath: encoded.basePath ?? traits.basePath, path: encoded.path, query: encoded.query)
    let value = JSONValue.object(body)
    let http = HTTPRequest(
      url: url, headers: fields(encoded.headers), body: value.bytes(.compact), timeouts: timeouts(of: call))
    let identity: JSONValue = ["endpoint": .string(url), "body": value]
    let exchange = ExchangeRequest(
      carrier: .http(http), hash: ContentHash(of: identity, kind: "request").hex, endpoint: url,
      model: call.profile.model, body: value, profile: call.profile.name, repeatIndex: call.repeatIndex,
      attemptIndex: call.attemptIndex)
    return Prepared(exchange: exchange, body: body, notes: encoded.notes)
  }

  /// A later field of the same name replaces an earlier one: the profile has the last word.
  func fields(_ dialectHeaders: [(String, String)]) -> [(String, String)] {
    var fields: [(String, String)] = []
    for field in [("Content-Type", "application/json")] + dialectHeaders + headers {
      fields.removeAll { $0.0.lowercased() == field.0.lowercased() }
      fields.append(field)
    }
    return fields
  }

  /// An answer in one piece shows no token before its end, so only the total limit can hold.
  private func timeouts(of call: ProviderCall) -> TransferTimeouts {
    let wanted = call.timeouts
    guard call.profile.stream else { return TransferTimeouts(connect: wanted.connect, total: wanted.total) }
    return TransferTimeouts(
      connect: wanted.connect, firstToken: wanted.firstToken, stall: wanted.stall, total: wanted.total)
  }

  // MARK: Reply

  private func perform(_ request: Prepared, _ call: ProviderCall) async -> ProviderReply {
    let streams = call.profile.stream
    var reading = StreamReading(
      decoder: dialect.makeDecoder(streaming: streams, traits), framing: dialect.framing,
      asksForStream: streams,
      zeroInputIsAbsent: traits.zeroInputIsAbsent)
    reading.onPiece = call.onPiece
    let sink = ReadingSink(reading, counters: call.counters)
    let result = await exchange.perform(request.exchange, sink: sink)
    let composer = ReplyComposer(end: result.transfer.end, clientTime: result.clientTime ?? WallClock.now())
    var reply = composer.reply(from: sink.reading)
    if let error = result.error { reply.outcome = .failed(error) }
    reply.timeline.add(result.transfer, scheduled: call.scheduled, isWhole: !sink.reading.shape.isStream)
    reply.connection = ConnectionInfo(
      isCold: result.transfer.newConnection, httpVersion: result.transfer.httpVersion,
      bytesSent: result.transfer.bytesSent, bytesReceived: result.transfer.bytesReceived)
    reply.provenance = result.provenance
    reply.requestHash = request.exchange.hash
    reply.notes = request.notes + reply.notes
    return reply
  }

  /// A member that only asks for accounting, when the server refuses the request because of it.
  private func refusedMember(_ reply: ProviderReply, _ body: JSONObject) -> String? {
    guard let error = reply.outcome.error, error.kind == .invalidRequest, !error.inBand else { return nil }
    return Self.droppable.first { body[$0] != nil && error.message.contains($0) }
  }
}

extension Timeline {
  /// The stamps that the transport knows.
  ///
  /// - Parameter isWhole: the answer did not stream: its end is the end of the body.
  mutating func add(_ transfer: TransferResult, scheduled: Int64, isWhole: Bool) {
    self.scheduled = scheduled
    start = transfer.stamps.start
    connectionReady = transfer.stamps.connReady
    firstByte = transfer.stamps.firstByte
    done = transfer.stamps.done
    // Without an end marker of its own a stream ends where its body ends.
    if transfer.end == .complete, isWhole || terminal == nil { terminal = transfer.stamps.done }
  }
}

extension JSONObject {
  /// The object with `other`'s members, which win; objects merge member by member.
  func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    for member in other.members {
      if let mine = merged[member.key]?.objectValue, let theirs = member.value.objectValue {
        merged[member.key] = .object(mine.merging(theirs))
      } else {
        merged[member.key] = member.value
      }
    }
    return merged
  }
}
