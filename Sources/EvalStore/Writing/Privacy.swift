import EvalCore

/// What stands for a text that is not stored.
struct Digest {
  let sha256: String
  let bytes: Int

  init(of text: String) {
    sha256 = SHA256.hexOf(text)
    bytes = text.utf8.count
  }

  var json: JSONValue { ["sha256": .string(sha256), "bytes": .integer(Int64(bytes))] }
}

/// What a private run keeps of the texts that pass: nothing that a person or a model has written.
///
/// A digest lets equal texts be found equal. It hides no text that can be guessed.
struct Privacy {
  let isPrivate: Bool

  /// Strings of a decision up to this length are words of the policy; longer ones may quote.
  private static let longestWord = 64

  /// A message of the transport names hosts and times; any other may quote what was sent or answered.
  func message(of error: ProviderError) -> String? {
    if !isPrivate { return error.message }
    switch error.kind {
    case .network, .connectTimeout, .firstTokenTimeout, .stallTimeout, .totalTimeout, .cancelled:
      return error.message
    default: return nil
    }
  }

  /// A grader's or provider's free text; it may quote.
  func remark(_ text: String?) -> String? { isPrivate ? nil : text }

  func decision(_ decision: JSONValue?) -> JSONValue? { isPrivate ? decision.map(hidingLong) : decision }

  /// A target's content without its instructions, which are part of the prompt.
  func target(_ content: JSONValue) -> JSONValue {
    guard isPrivate, case .object(var object) = content,
      let instructions = object["instructions"]?.stringValue
    else { return content }
    object["instructions"] = Digest(of: instructions).json
    return .object(object)
  }

  private func hidingLong(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text) where text.utf8.count > Privacy.longestWord: Digest(of: text).json
    case .array(let items): .array(items.map(hidingLong))
    case .object(let object):
      .object(JSONObject(object.members.map { (key: $0.key, value: hidingLong($0.value)) }))
    default: value
    }
  }
}
