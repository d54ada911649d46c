import EvalTestSupport

@testable import EvalProviders

/// A recorded response taken apart in memory by other means than libcurl's: head, chunk framing, body pieces.
struct WireFeed {
  var status = 0
  var headers = HTTPHeaders()
  /// Body bytes by the flush in which they came.
  var pieces: [(flush: Int, bytes: [UInt8])] = []
  /// False when the chunk framing was cut.
  var isClean = true
  var isCompressed = false

  /// - Parameter cuts: exclusive offsets in the file at which a read ends.
  init(_ bytes: [UInt8], cuts: [Int]) {
    var headEnd = 0
    repeat {
      let end = Self.endOfHead(bytes, from: headEnd)
      let head = String(decoding: bytes[headEnd..<end], as: UTF8.self)
      headEnd = end
      let lines = head.split(separator: "\r\n")
      status = Int(lines[0].split(separator: " ")[1]) ?? 0
      headers = HTTPHeaders(block: Array((lines.dropFirst().joined(separator: "\r\n") + "\r\n").utf8))
    } while status < 200
    isCompressed = headers["content-encoding"] != nil
    let isChunked = headers["transfer-encoding"]?.lowercased() == "chunked"
    var chunks = Dechunker()
    var start = 0
    for (flush, end) in cuts.enumerated() {
      let from = max(start, headEnd)
      start = end
      guard end > from else { continue }
      let raw = Array(bytes[from..<end])
      let body = isChunked ? chunks.take(raw) : raw
      if !body.isEmpty { pieces.append((flush, body)) }
    }
    isClean = !isChunked || chunks.isOver
  }

  var body: [UInt8] { pieces.flatMap(\.bytes) }

  private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + 4 <= bytes.count {
      if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 {
        return index + 4
      }
      index += 1
    }
    return bytes.count
  }

  /// Chunk framing (RFC 9112 §7.1), fed in any cuts.
  private struct Dechunker {
    private enum State {
      case size
      case data(Int)
      case dataEnd, trailer
    }
    private var state = State.size
    private var line: [UInt8] = []
    private(set) var isOver = false

    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
      var body: [UInt8] = []
      for byte in bytes where !isOver {
        switch state {
        case .data(let left):
          body.append(byte)
          state = left == 1 ? .dataEnd : .data(left - 1)
        case .size, .dataEnd, .trailer:
          line.append(byte)
          guard byte == 10 else { continue }
          endLine(String(decoding: line.dropLast(2), as: UTF8.self))
          line = []
        }
      }
      return body
    }

    private mutating func endLine(_ text: String) {
      switch state {
      case .size:
        let size = Int(text.prefix { $0 != ";" }, radix: 16) ?? 0
        state = size == 0 ? .trailer : .data(size)
      case .dataEnd: state = .size
      case .trailer: isOver = text.isEmpty
      case .data: break
      }
    }
  }
}
