package import EvalCore

/// A request with what a recording needs to know it by.
package struct ExchangeRequest: Sendable {
  /// What takes the request to its answer.
  package enum Carrier: Sendable {
    case http(HTTPRequest)
    case program(ProgramRequest)
  }

  package var carrier: Carrier
  /// The identity of the request: endpoint and canonical body, without headers and secrets.
  package var hash: String
  /// The URL, where a key in the query is refused before anything is sent; for a program `command:` and its arguments.
  package var endpoint: String
  /// The profile's model, which not every dialect has in the body.
  package var model: String
  /// The whole body, from which `hash` is made.
  package var body: JSONValue
  package var profile: String
  package var repeatIndex: Int
  package var attemptIndex: Int
}

/// A program to be started for one call.
package struct ProgramRequest: Sendable {
  /// The program and its arguments, filled in.
  package var arguments: [String]
  /// Where it runs; empty for the current folder.
  package var directory: String
  /// What it reads on standard input.
  package var input: [UInt8]
  /// There is no connection to wait for.
  package var timeouts: TransferTimeouts
}

/// How an exchange went.
package struct ExchangeResult: Sendable {
  package var transfer: TransferResult
  package var provenance: Provenance
  /// An error that is not the network's, such as a replay without a recording; `nil` when the transfer says it all.
  package var error: ProviderError?
  /// Seconds since 1970 when the exchange took place; `nil` is now.
  package var clientTime: Double?

  package init(_ transfer: TransferResult, provenance: Provenance = .live, error: ProviderError? = nil) {
    self.transfer = transfer
    self.provenance = provenance
    self.error = error
  }
}

/// Carries a request to an answer's bytes: over the network, or from a recording. What comes back goes into the sink
/// with its stamps, so that one reading serves both.
package protocol Exchange: Sendable {
  func perform(_ request: ExchangeRequest, sink: any ResponseSink) async -> ExchangeResult
}

/// The network and the programs of this machine.
package struct LiveExchange: Exchange {
  private let transport: HTTPTransport

  package init(_ transport: HTTPTransport) { self.transport = transport }

  package func perform(_ request: ExchangeRequest, sink: any ResponseSink) async -> ExchangeResult {
    switch request.carrier {
    case .http(let http): ExchangeResult(await transport.perform(http, sink: sink))
    case .program(let program): await program.perform(sink: sink)
    }
  }
}
