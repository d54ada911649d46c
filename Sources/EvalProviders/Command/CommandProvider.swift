import EvalCore

/// Answers calls by starting a program for each.
struct CommandProvider: Provider {
  let options: CommandOptions
  /// The program's path or, where it is looked up in `PATH`, its name.
  let program: String
  let directory: String
  let exchange: any Exchange

  var limitKey: String { program }

  func send(_ call: ProviderCall) async -> ProviderReply {
    let request: ExchangeRequest
    do {
      request = try prepare(call)
    } catch {
      var reply = ProviderReply(outcome: .failed(error))
      reply.timeline.scheduled = call.scheduled
      return reply
    }
    var reading = CommandReading(output: options.output, isStream: call.profile.stream)
    reading.onPiece = call.onPiece
    let sink = CommandSink(reading, counters: call.counters)
    let result = await exchange.perform(request, sink: sink)
    var reply = sink.reply(endedBy: result.transfer.end, clientTime: WallClock.now())
    if let error = result.error { reply.outcome = .failed(error) }
    reply.timeline.add(result.transfer, scheduled: call.scheduled, isWhole: false)
    reply.connection = ConnectionInfo(
      bytesSent: result.transfer.bytesSent, bytesReceived: result.transfer.bytesReceived)
    reply.provenance = result.provenance
    reply.requestHash = request.hash
    return reply
  }

  private func prepare(_ call: ProviderCall) throws(ProviderError) -> ExchangeRequest {
    let body = JSONValue.object(CommandRequest.object(call))
    let prompt = CommandRequest.plainPrompt(call)
    if prompt == nil, options.input != .request {
      throw ProviderError(
        .unsupportedCapability,
        "the program is given a prompt only; a conversation or an image needs \"input\": \"request\"")
    }
    var arguments = try arguments(for: call, prompt ?? body["prompt"]?.stringValue ?? "")
    arguments[0] = program
    let input: [UInt8] =
      switch options.input {
      case .request: body.bytes(.compact) + [0x0A]
      case .prompt: Array((prompt ?? "").utf8)
      case .none: []
      }
    let template = JSONValue.array(options.arguments.map { .string($0) })
    let endpoint = "command:" + template.serialized(.compact)
    let identity: JSONValue = ["endpoint": .string(endpoint), "body": body]
    return ExchangeRequest(
      carrier: .program(
        ProgramRequest(
          arguments: arguments, directory: directory, input: input, timeouts: timeouts(of: call))),
      hash: ContentHash(of: identity, kind: "request").hex, endpoint: endpoint, model: call.profile.model,
      body: body, profile: call.profile.name, repeatIndex: call.repeatIndex, attemptIndex: call.attemptIndex)
  }

  private func arguments(for call: ProviderCall, _ prompt: String) throws(ProviderError) -> [String] {
    let variables = CommandOptions.variables(
      of: call.profile, instructions: call.instructions, prompt: prompt)
    let arguments: [String]
    do {
      arguments = try options.filled(variables)
    } catch {
      throw ProviderError(.invalidRequest, error.message)
    }
    if arguments.contains(where: { $0.utf8.contains(0) }) {
      throw ProviderError(.invalidRequest, "a NUL cannot stand in an argument of a program")
    }
    return arguments
  }

  /// An answer in one piece shows no token before its end, so only the total limit can hold.
  private func timeouts(of call: ProviderCall) -> TransferTimeouts {
    let wanted = call.timeouts
    guard call.profile.stream else { return TransferTimeouts(total: wanted.total) }
    return TransferTimeouts(firstToken: wanted.firstToken, stall: wanted.stall, total: wanted.total)
  }
}
