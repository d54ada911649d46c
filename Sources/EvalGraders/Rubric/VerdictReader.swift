import EvalCore

/// Finds the verdict in what a judge answered.
///
/// Only an object that carries the call's code is one: the judge was given the code outside the material, so whatever it
/// quotes from there is none. The last verdict counts. An answer that broke off has none, nor has one whose last verdict is
/// not well-formed, whatever stands before: the judge's last word is then not known.
enum VerdictReader {
  /// - Parameter read: takes a verdict apart, or says what is wrong with it.
  static func read(
    _ reply: ProviderReply, code: String, _ read: (JSONObject) -> Either<JudgeReading, String>
  ) -> JudgeReading {
    if let reading = ending(of: reply) { return reading }
    if let call = reply.toolCalls.last(where: { $0.name == verdictTool }) {
      switch call.arguments {
      case .object(let object):
        guard object["verdict"]?.stringValue == code else {
          return .unread(.noVerdict, "the verdict does not carry the code")
        }
        return reading(read(object))
      case .string(let text): return self.read(text: text, code: code, read)
      default: return .unread(.noVerdict, "the verdict is no object")
      }
    }
    return self.read(text: reply.text, code: code, read)
  }

  /// How an answer that did not end well is read; `nil` for one that did.
  private static func ending(of reply: ProviderReply) -> JudgeReading? {
    switch reply.outcome {
    case .failed(let error):
      return .unread(
        error.kind == .cancelled ? .cancelled : .callFailed,
        "\(error.kind.rawValue): \(Quote.shortened(error.message))")
    case .refused: return .unread(.refused, "the judge refused: \(Quote.text(reply.refusal ?? reply.text))")
    case .empty: return .unread(.noVerdict, "the judge's answer is empty")
    case .ok: break
    }
    switch reply.finish {
    case .length: return .unread(.truncated, "the judge's answer reached its limit of tokens")
    case .contentFilter, .refusal: return .unread(.refused, "the judge's answer was filtered")
    default: return nil
    }
  }

  private static func read(
    text: String, code: String, _ read: (JSONObject) -> Either<JudgeReading, String>
  ) -> JudgeReading {
    if text.allSatisfy(\.isWhitespace) { return .unread(.noVerdict, "the judge's answer is empty") }
    if isStillThinking(text) {
      return .unread(.truncated, "the judge's thinking has no end: \(Quote.text(String(text.suffix(80))))")
    }
    let bytes = Array(text.utf8)
    guard let (object, end) = JSONSearch.last(in: bytes, where: { $0["verdict"]?.stringValue == code }) else {
      return bytes.contains(code)
        ? .unread(.truncated, "the verdict is cut or is no JSON: \(Quote.text(String(text.suffix(80))))")
        : .unread(.noVerdict, "there is no verdict in \(Quote.text(text))")
    }
    if bytes[end...].contains(code) {
      return .unread(.truncated, "the last verdict is cut: \(Quote.text(String(text.suffix(80))))")
    }
    if isThinking(before: bytes[end...]) {
      return .unread(.noVerdict, "the verdict stands in the judge's thinking: \(Quote.text(text))")
    }
    return reading(read(object))
  }

  /// Whether an answer begins with inline thinking (`<think>`) that never ends.
  private static func isStillThinking(_ text: String) -> Bool {
    let start = text.drop(while: \.isWhitespace).lowercased()
    return thinking.contains { start.hasPrefix("<\($0)>") && !start.contains("</\($0)>") }
  }

  /// Whether inline thinking ends behind a verdict, which was then only weighed.
  private static func isThinking(before rest: ArraySlice<UInt8>) -> Bool {
    let rest = String(decoding: rest, as: UTF8.self).lowercased()
    return thinking.contains { rest.contains("</\($0)>") }
  }

  private static let thinking = ["think", "thinking", "reasoning"]

  private static func reading(_ result: Either<JudgeReading, String>) -> JudgeReading {
    switch result {
    case .first(let reading): reading
    case .second(let why): .unread(.noVerdict, why)
    }
  }
}

extension Collection<UInt8> {
  /// Whether a text stands among these bytes.
  fileprivate func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      if rest[start...].starts(with: wanted) { return true }
      rest = rest[rest.index(after: start)...]
    }
    return false
  }
}

/// Finds JSON objects among prose, code fences and other objects.
enum JSONSearch {
  /// So many objects are tried: an answer of nothing but braces costs no more.
  private static let tries = 512

  /// The last object for which a condition holds, and the offset behind it. One that lies within another counts only when
  /// that one does not parse.
  static func last(in bytes: [UInt8], where isWanted: (JSONObject) -> Bool) -> (JSONObject, end: Int)? {
    var found: (JSONObject, end: Int)?
    var position = 0
    var tried = 0
    while tried < tries, let start = bytes[position...].firstIndex(of: UInt8(ascii: "{")) {
      tried += 1
      guard let end = AnswerJSON.matchingEnd(bytes, from: start), let object = object(bytes[start..<end])
      else {
        position = start + 1
        continue
      }
      if isWanted(object) { found = (object, end) }
      position = end
    }
    return found
  }

  /// Models write comments, trailing commas and escapes that JSON does not have.
  private static func object(_ bytes: ArraySlice<UInt8>) -> JSONObject? {
    if let value = try? JSONValue.parse(bytes, .relaxed) { return value.objectValue }
    return (try? JSONValue.parse(mendedEscapes(bytes), .relaxed))?.objectValue
  }

  /// A backslash before what cannot follow one, as in `\d` or `\'`, becomes a backslash of its own.
  private static func mendedEscapes(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    var mended: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      mended.append(byte)
      index += 1
      guard byte == backslash, index < bytes.endIndex else { continue }
      if !#""\/bfnrtu"#.utf8.contains(bytes[index]) { mended.append(backslash) }
      mended.append(bytes[index])
      index += 1
    }
    return mended
  }
}
