/// Which HTTP version to ask for.
package enum HTTPVersion: String, Sendable {
  /// HTTP/1.1: one stream per connection, so that timed streams do not share flow control.
  case h1 = "1.1"
  /// HTTP/2 over TLS, negotiated by ALPN. Plain `http://` stays HTTP/1.1.
  case h2 = "2"
}

/// How long a transfer may take in each phase; `nil` means for ever.
package struct TransferTimeouts: Sendable, Equatable {
  /// From the start until the connection is ready: name lookup, TCP and TLS.
  package var connect: Duration?
  /// From the start until the sink has seen a token.
  package var firstToken: Duration?
  /// Between two reads that moved the sink's `progressMark`; runs from the first such read.
  ///
  /// Pings and comments do not count: they are bytes, but not progress.
  package var stall: Duration?
  /// From the start to the end.
  package var total: Duration?

  package init(
    connect: Duration? = nil, firstToken: Duration? = nil, stall: Duration? = nil, total: Duration? = nil
  ) {
    self.connect = connect
    self.firstToken = firstToken
    self.stall = stall
    self.total = total
  }
}

/// One HTTP request, ready to be sent.
package struct HTTPRequest: Sendable {
  package var method: String
  /// An absolute `http://` or `https://` URL.
  package var url: String
  /// Sent in this order. A name or value that contains CR, LF or NUL fails the transfer with curl code 43.
  package var headers: [(String, String)]
  /// `nil` sends no body; for POST and PUT that is an empty one.
  package var body: [UInt8]?
  package var timeouts: TransferTimeouts
  package var httpVersion: HTTPVersion

  package init(
    method: String = "POST", url: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
    timeouts: TransferTimeouts = TransferTimeouts(), httpVersion: HTTPVersion = .h1
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.httpVersion = httpVersion
  }
}
