import EvalCore

/// A sink that can say what the bytes it took amount to.
protocol JudgingSink: ResponseSink {
  /// The reply as the provider will read it.
  func reply(endedBy end: TransferEnd, clientTime: Double) -> ProviderReply
}

extension ReadingSink: JudgingSink {
  func reply(endedBy end: TransferEnd, clientTime: Double) -> ProviderReply {
    // The reading is a value: finishing this copy leaves the provider's as it is.
    ReplyComposer(end: end, clientTime: clientTime).reply(from: reading)
  }
}

/// Keeps what passes on its way to another sink. It belongs to the loop thread until the exchange is over.
final class RecordingSink: ResponseSink {
  private(set) var status: Int?
  private(set) var headers: [(name: String, value: String)] = []
  private(set) var headAt: Int64?
  private(set) var stream: [UInt8] = []
  /// Moments are the clock's own here.
  private(set) var reads: [RecordedExchange.Read] = []
  private let inner: any ResponseSink
  private var lastSequence = -1

  init(_ inner: any ResponseSink) { self.inner = inner }

  func head(status: Int, headers: HTTPHeaders, at: Int64) {
    self.status = status
    self.headers = headers.fields.filter { RecordedHeaders.keeps($0.name) }
    headAt = at
    inner.head(status: status, headers: headers, at: at)
  }

  func body(_ bytes: UnsafeRawBufferPointer, at: Int64, readSequence: Int) -> SinkVerdict {
    let verdict = inner.body(bytes, at: at, readSequence: readSequence)
    guard !bytes.isEmpty else { return verdict }
    stream.append(contentsOf: bytes)
    if readSequence == lastSequence {
      reads[reads.count - 1].end = stream.count
    } else {
      lastSequence = readSequence
      reads.append(.init(end: stream.count, at: at))
    }
    return verdict
  }

  var sawToken: Bool { inner.sawToken }
  var progressMark: Int { inner.progressMark }
}
