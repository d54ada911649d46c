import EvalCore

extension RecordedExchange {
  /// The line with its line break.
  var line: [UInt8] {
    var writer = JSONWriter(.canonical)
    writer.beginObject()
    writeKey(&writer)
    if let body {
      writer.key("body")
      writer.raw(body)
    }
    writeResponse(&writer)
    writer.endObject()
    return writer.bytes + [0x0A]
  }

  private func writeKey(_ writer: inout JSONWriter) {
    writer.key("hash")
    writer.string(hash.hex)
    writer.key("endpoint")
    writer.string(endpoint)
    writer.key("model")
    writer.string(model)
    writer.key("repeat")
    writer.int(repeatIndex)
    writer.key("attempt")
    writer.int(attemptIndex)
    writer.key("profile")
    writer.string(profile)
    writer.key("startedAt")
    writer.double(startedAt)
    writer.key("outcome")
    writer.string(outcome)
  }

  private func writeResponse(_ writer: inout JSONWriter) {
    if let status {
      writer.key("status")
      writer.int(status)
      writer.key("headers")
      writer.beginArray()
      for field in headers { writer.raw([.string(field.name), .string(field.value)]) }
      writer.endArray()
    }
    writer.key("stamps")
    writer.beginObject()
    for (name, moment) in [
      ("connectionReady", stamps.connectionReady), ("firstByte", stamps.firstByte), ("head", stamps.head),
      ("done", stamps.done),
    ] {
      guard let moment else { continue }
      writer.key(name)
      writer.int(moment)
    }
    writer.endObject()
    writeConnection(&writer)
    writer.key("end")
    writer.raw(end.recorded)
    writer.key("reads")
    writer.beginArray()
    for read in reads { writer.raw([.integer(Int64(read.end)), .integer(read.at)]) }
    writer.endArray()
    writeStream(&writer)
  }

  private func writeConnection(_ writer: inout JSONWriter) {
    writer.key("connection")
    writer.beginObject()
    if let isCold = connection.isCold {
      writer.key("new")
      writer.bool(isCold)
    }
    if let version = connection.httpVersion {
      writer.key("http")
      writer.string(version)
    }
    writer.key("sent")
    writer.int(connection.bytesSent ?? 0)
    writer.key("received")
    writer.int(connection.bytesReceived ?? 0)
    writer.endObject()
  }

  /// As text where it is text, so that a person can read and search it.
  private func writeStream(_ writer: inout JSONWriter) {
    if stream.isEmpty { return }
    if let text = String(validating: stream, as: UTF8.self) {
      writer.key("stream")
      writer.string(text)
    } else {
      writer.key("streamBase64")
      writer.string(base64(stream))
    }
  }
}

extension TransferEnd {
  /// `"complete"`, `"terminal"`, `"cancelled"`, `{"timeout": …}` `{"curl": …, "message": …}` or
  /// `{"exit": …, "message": …}`.
  fileprivate var recorded: JSONValue {
    switch self {
    case .complete: "complete"
    case .stoppedBySink: "terminal"
    case .cancelled: "cancelled"
    case .timeout(let limit): ["timeout": .string(limit.rawValue)]
    case .failed(let code, let message): ["curl": .integer(Int64(code)), "message": .string(message)]
    case .exited(let code, let message): ["exit": .integer(Int64(code)), "message": .string(message)]
    }
  }
}
