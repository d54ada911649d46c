#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Sends HTTP requests and stamps what comes back where it arrives.
///
/// One plain thread owns libcurl. Neither it nor libcurl exists before the first request. Proxies from the
/// environment are honoured except for this machine; certificates are always verified, against
/// `CURL_CA_BUNDLE` or `SSL_CERT_FILE` when set.
package final class HTTPTransport: Sendable {
  private let loop: TransportLoop

  /// - Parameters:
  ///   - maxConnections: the number of requests that will run at once. More are not refused: limiting is the
  ///     caller's business. It sizes the cache of idle connections.
  ///   - userAgent: sent with every request.
  package convenience init(maxConnections: Int, userAgent: String) {
    let bundle = Self.environment("CURL_CA_BUNDLE") ?? Self.environment("SSL_CERT_FILE")
    self.init(maxConnections: maxConnections, userAgent: userAgent, caBundle: bundle)
  }

  /// - Parameter caBundle: a PEM file of trusted certificates; `nil` takes libcurl's own.
  init(maxConnections: Int, userAgent: String, caBundle: String?) {
    let settings = EasyHandle.Settings(userAgent: userAgent, caBundle: caBundle)
    loop = TransportLoop(settings: settings, maxConnections: maxConnections)
  }

  deinit { loop.stop() }

  /// Sends a request and feeds its response to `sink`; returns when the transfer has ended.
  ///
  /// Never throws: what goes wrong is in the result. Cancelling the task ends the transfer.
  package func perform(_ request: HTTPRequest, sink: any ResponseSink) async -> TransferResult {
    let transfer = Transfer(request, sink: sink)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.onEnd(resume: continuation)
        loop.start(transfer)
      }
    } onCancel: {
      loop.cancel(transfer)
    }
  }

  /// Cancels all transfers, closes all connections and waits for the loop thread to end.
  ///
  /// Later requests end as cancelled. Must not be called from a sink.
  package func shutdown() {
    loop.stop()
    loop.join()
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
