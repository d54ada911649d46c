import EvalCore

/// What a server says of an error, whatever shape it says it in.
struct ErrorBody {
  var message: String?
  /// The code as a word: `context_length_exceeded`.
  var code: String?
  /// The code as a number, which servers use for an HTTP status.
  var number: Int?
  /// `invalid_request_error`, or Google's status `RESOURCE_EXHAUSTED`.
  var type: String?
  /// The request member that the error is about.
  var parameter: String?
  /// Every further word that may decide: an inner code, a reason, a quota's name.
  var hints: [String] = []
  /// The provider's own words, passed on by a relay.
  var relayed: String?
  var promptTokens: Int?
  var contextSize: Int?
  /// A protobuf duration such as `34.07s`.
  var retryDelay: String?
  /// Header fields that a stream carries inside its error event.
  var headers: [(name: String, value: String)] = []

  /// The provider's code for a person: the word, else the type, else the number.
  var spelledCode: String? { code ?? type ?? number.map { String($0) } }

  /// - Parameter value: an error object, the object around it, a list of one, or a bare text.
  init(_ value: JSONValue) {
    switch value {
    case .string(let text): message = text
    case .array(let items):
      if let first = items.first { self = ErrorBody(first) }
      if let listed = Self.validationMessages(items) { message = listed }
    case .object(let object): read(object)
    default: break
    }
  }

  private mutating func read(_ object: JSONObject) {
    guard let inner = Self.wrapped(object) else { return readFlat(object) }
    switch inner {
    case .object, .array:
      self = ErrorBody(inner)
      if message == nil { message = object["message"]?.stringValue ?? object["error_message"]?.stringValue }
    default:
      // The word beside a message is a code: {"error": "not_found", "message": "…"}.
      readFlat(object)
      if message == nil { message = inner.stringValue } else { code = code ?? inner.stringValue }
    }
  }

  private mutating func readFlat(_ object: JSONObject) {
    message = object["message"]?.stringValue ?? object["error_message"]?.stringValue
    message = message ?? object["msg"]?.stringValue ?? object["detail"]?.stringValue
    if let nested = object["message"], message == nil, nested.objectValue != nil || nested.arrayValue != nil {
      message = ErrorBody(nested).message ?? nested.serialized(.compact)
    }
    let codes = ["code", "error_code", "status_code", "statusCode"].lazy.compactMap { object[$0] }
    readCode(codes.first { !$0.isNull })
    let status = object["status"]
    type = object["type"]?.stringValue ?? object["error_type"]?.stringValue ?? status?.stringValue
    if type == "error" { type = nil }
    if number == nil { number = status?.intValue.map { Int($0) } ?? type.flatMap { Int($0) } }
    readDetails(object)
  }

  private mutating func readCode(_ value: JSONValue?) {
    guard let value else { return }
    if let text = value.stringValue {
      if let digits = Int(text) { number = digits } else if !text.isEmpty { code = text }
    } else if let integer = value.intValue {
      number = Int(integer)
    }
  }

  private mutating func readDetails(_ object: JSONObject) {
    parameter = object["param"]?.stringValue
    promptTokens = object["n_prompt_tokens"]?.intValue.map { Int($0) }
    contextSize = object["n_ctx"]?.intValue.map { Int($0) }
    for key in ["innererror", "inner_error"] {
      if let inner = object[key]?["code"]?.stringValue { hints.append(inner) }
    }
    if let metadata = object["metadata"] {
      relayed = metadata["raw"]?.stringValue
      if let word = metadata["error_type"]?.stringValue { hints.append(word) }
    }
    for detail in object["details"]?.arrayValue ?? [] {
      if let reason = detail["reason"]?.stringValue { hints.append(reason) }
      if let limit = detail["metadata"]?["quota_limit"]?.stringValue { hints.append(limit) }
      if let delay = detail["retryDelay"] { retryDelay = Self.duration(delay) }
      for violation in detail["violations"]?.arrayValue ?? [] {
        if let id = violation["quotaId"]?.stringValue { hints.append(id) }
      }
    }
    readHeaders(object["headers"])
    // OpenRouter's place for them.
    readHeaders(object["metadata"]?["headers"])
  }

  private mutating func readHeaders(_ value: JSONValue?) {
    for member in value?.objectValue?.members ?? [] {
      let text = member.value.stringValue ?? member.value.intValue.map { String($0) }
      if let text { headers.append((member.key.lowercased(), text)) }
    }
  }

  /// A protobuf duration, also in its object form.
  private static func duration(_ value: JSONValue) -> String? {
    if let text = value.stringValue { return text }
    guard let object = value.objectValue else { return nil }
    let seconds = object["seconds"]?.doubleValue ?? object["seconds"]?.stringValue.flatMap { Double($0) } ?? 0
    return "\(seconds + (object["nanos"]?.doubleValue ?? 0) / 1_000_000_000)s"
  }

  /// FastAPI's list of what is wrong with a request.
  private static func validationMessages(_ items: [JSONValue]) -> String? {
    let messages = items.compactMap { item -> String? in
      guard let message = item["msg"]?.stringValue else { return nil }
      let place = (item["loc"]?.arrayValue ?? []).map { $0.stringValue ?? $0.serialized(.compact) }
      return place.isEmpty ? message : "\(place.joined(separator: ".")): \(message)"
    }
    return messages.isEmpty ? nil : messages.joined(separator: "; ")
  }

  /// What stands under `error`, `errors`, `detail` or `x_groq.error`.
  private static func wrapped(_ object: JSONObject) -> JSONValue? {
    for key in ["error", "errors", "detail"] {
      guard let value = object[key], isSomething(value) else { continue }
      if key == "detail", value.stringValue != nil, object["message"] != nil { continue }
      return value
    }
    if let value = object["x_groq"]?["error"], isSomething(value) { return value }
    return nil
  }

  private static func isSomething(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .bool(false): false
    case .string(let text): !text.isEmpty
    case .array(let items): !items.isEmpty
    case .object(let object): !object.isEmpty
    default: true
    }
  }
}

extension ErrorBody {
  /// The error that a value of a stream or of a 200 body holds; `nil` when it holds none.
  ///
  /// Shapes: `error` as object, text or list; a list of one such object; `object: "error"`; `type: "error"`; flat
  /// `error_type` and `error_message`; Groq's `x_groq.error`; `choices[0].error`; a bare code with a message.
  static func find(in value: JSONView) -> JSONValue? {
    if value.kind == .array {
      guard let first = value[0], first.kind == .object else { return nil }
      return find(in: first)
    }
    guard value.kind == .object else { return nil }
    if let error = value["error"], isTruthy(error) { return value.value }
    if value["object"]?.stringEquals("error") == true || value["type"]?.stringEquals("error") == true {
      return value.value
    }
    if let message = value.given("error_message") ?? value["error_type"], isTruthy(message) {
      return value.value
    }
    if let error = value["x_groq"]?["error"], isTruthy(error) { return value.value }
    if let error = value["choices"]?[0]?["error"], isTruthy(error) { return error.value }
    return isFlat(value) ? value.value : nil
  }

  /// An error with no word around it that says so: a code beside a message, or FastAPI's `detail` alone.
  private static func isFlat(_ value: JSONView) -> Bool {
    if value["choices"] != nil { return false }
    if let message = value["message"], message.kind == .string, !message.isEmptyString {
      return value.given("code") ?? value.given("statusCode") ?? value.given("status_code") != nil
    }
    guard let detail = value["detail"], detail.kind == .string || detail.kind == .array else { return false }
    return value.count == 1 && isTruthy(detail)
  }

  private static func isTruthy(_ view: JSONView) -> Bool {
    switch view.kind {
    case .null: false
    case .bool: view.bool == true
    case .string: !view.isEmptyString
    case .array, .object: view.count > 0
    case .number: view.int != 0
    }
  }
}
