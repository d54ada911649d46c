import EvalTestSupport

@testable import EvalProviders

/// Collects a response; done when its text so far contains the terminal marker.
///
/// Text with `data:` counts as a token, everything else as a ping.
final class CollectingSink: ResponseSink {
  struct Read: Equatable {
    var text: String
    var at: Int64
    var sequence: Int
  }

  private(set) var status: Int?
  private(set) var headers = HTTPHeaders()
  private(set) var headAt: Int64?
  private(set) var headCount = 0
  private(set) var reads: [Read] = []
  private(set) var bytes: [UInt8] = []
  private(set) var progressMark = 0
  /// Calls that came after `done`, which must not happen.
  private(set) var callsAfterDone = 0
  private var isDone = false
  private let terminal: String?
  private let onRead: (@Sendable () -> Void)?

  /// - Parameters:
  ///   - terminal: text that ends the response for the caller; `nil` reads to the end.
  ///   - onRead: called on the loop thread with each read.
  init(terminal: String? = nil, onRead: (@Sendable () -> Void)? = nil) {
    self.terminal = terminal
    self.onRead = onRead
  }

  var sawToken: Bool { progressMark > 0 }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  func head(status: Int, headers: HTTPHeaders, at: Int64) {
    self.status = status
    self.headers = headers
    headAt = at
    headCount += 1
  }

  func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> SinkVerdict {
    if isDone { callsAfterDone += 1 }
    let text = String(decoding: bytes, as: UTF8.self)
    self.bytes.append(contentsOf: bytes)
    reads.append(Read(text: text, at: at, sequence: readSequence))
    if text.contains("data:") { progressMark += 1 }
    onRead?()
    if let terminal, self.text.contains(terminal) { isDone = true }
    return isDone ? .done : .more
  }
}

extension HTTPTransport {
  static func forTests(_ maxConnections: Int = 8) -> HTTPTransport {
    HTTPTransport(maxConnections: maxConnections, userAgent: "evalrun-tests")
  }

  /// A POST with a small body.
  func post(
    _ url: String, _ sink: CollectingSink, timeouts: TransferTimeouts = TransferTimeouts()
  ) async -> TransferResult {
    await perform(HTTPRequest(url: url, body: Array("{}".utf8), timeouts: timeouts), sink: sink)
  }
}

extension TransferEnd {
  /// The curl code of a failure.
  var code: Int? {
    if case .failed(let code, _) = self { code } else { nil }
  }
}
