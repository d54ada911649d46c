import EvalCore

/// Reads the JSON of an answer.
struct AnswerJSON: Sendable {
  static let options = [SharedOption.allowFence, SharedOption.allowProse]

  private let allowFence: Bool
  private let allowProse: Bool

  init(_ reader: CheckReader) throws(GraderProblem) {
    allowFence = try reader.bool("allowFence", default: true)
    allowProse = try reader.bool("allowProse", default: false)
    if allowProse, !allowFence {
      throw GraderProblem(
        "'allowProse' accepts a code fence too", path: "allowFence", advice: "leave one of both out")
    }
  }

  init(allowFence: Bool = true, allowProse: Bool = false) {
    self.allowFence = allowFence
    self.allowProse = allowProse
  }

  /// The value, or a sentence that says why there is none.
  func read(_ answer: String) -> Either<JSONValue, String> {
    let whole = Result { () throws(JSONSyntaxError) in try JSONValue.parse(answer) }
    if case .success(let value) = whole { return .first(value) }
    let text = answer.trimmedFast
    if text.isEmpty { return .second("the answer is empty, not JSON") }
    if allowFence {
      switch AnswerJSON.fenced(text) {
      case .whole(let inner): return AnswerJSON.parse(inner)
      case .open: return .second("the answer's code fence is not closed: \(Quote.text(text))")
      case .none: break
      }
    }
    if allowProse { return AnswerJSON.search(text) }
    return AnswerJSON.parse(answer)
  }

  private static func parse(_ text: String) -> Either<JSONValue, String> {
    do {
      return .first(try JSONValue.parse(text))
    } catch {
      return .second(
        "the answer is not JSON: \(error.message), at byte \(error.offset) of \(Quote.text(text))")
    }
  }

  private enum Fence {
    case whole(String)
    case open
    case none
  }

  /// A text that is one Markdown code fence and nothing else.
  private static func fenced(_ text: String) -> Fence {
    guard let mark = ["```", "~~~"].first(where: text.hasPrefix) else { return .none }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let closing = lines.dropFirst().firstIndex { $0.trimmed.hasPrefix(mark) }
    guard let closing else { return .open }
    guard closing == lines.count - 1 else { return .none }
    return .whole(lines[1..<closing].joined(separator: "\n"))
  }

  /// The one fenced block in a text, else its first object or array.
  private static func search(_ text: String) -> Either<JSONValue, String> {
    let blocks = fencedBlocks(text)
    if blocks.count == 1 { return parse(blocks[0]) }
    if blocks.count > 1 { return .second("the answer has \(blocks.count) code blocks") }
    let bytes = Array(text.utf8)
    var position = 0
    var tries = 0
    while let start = bytes[position...].firstIndex(where: {
      $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[")
    }),
      tries < 64
    {
      tries += 1
      if let end = matchingEnd(bytes, from: start), let value = try? JSONValue.parse(bytes[start..<end]) {
        return .first(value)
      }
      position = start + 1
    }
    return .second("there is no JSON object or array in \(Quote.text(text))")
  }

  private static func fencedBlocks(_ text: String) -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.trimmed.hasPrefix("```") {
        if let finished = block {
          blocks.append(finished.joined(separator: "\n"))
          block = nil
        } else {
          block = []
        }
      } else {
        block?.append(line)
      }
    }
    return blocks
  }

  /// The offset behind the bracket that closes the one at `start`; `nil` when none does.
  static func matchingEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    var depth = 0
    var isString = false
    var position = start
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\\") where isString: position += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "{") where !isString, UInt8(ascii: "[") where !isString: depth += 1
      case UInt8(ascii: "}") where !isString, UInt8(ascii: "]") where !isString:
        depth -= 1
        if depth == 0 { return position + 1 }
      default: break
      }
      position += 1
    }
    return nil
  }
}
