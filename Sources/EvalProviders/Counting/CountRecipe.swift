import EvalCore

/// Where a request beside the calls goes, seen from the URL of a call.
enum SidePath: Sendable, Hashable {
  /// Below it: `/chat/completions` and then `/input_tokens`.
  case belowCall(String)
  /// Below the base path, which the call's own path stands on: `/v1` and then `/models`. `{model}` stands for the model.
  case belowBase(String)
  /// In place of the last part of the call's path: `/api/chat` and then `/api/show`.
  case besideCall(String)
  /// Below what is left when the server's base path is taken away too: llama.cpp's `/props`.
  case root(String)
  /// Google's way: in place of the method after the last colon of the call's path; `nil` takes that away.
  case method(String?)
}

/// One way to have a server count the tokens of a request's input without generating. Data: a dialect's table of servers
/// says which ways a server has, in the order to try them.
struct CountRecipe: Sendable {
  /// What is made of the call's own body.
  enum Body: Sendable {
    /// Some of its members; servers refuse those that only generating needs.
    case members([String], adding: JSONObject = [:])
    /// All of it as one member beside nothing else, with the model's full name in it.
    case wrapped(in: String)
    /// All of it goes to a path that applies the chat template, and the text that comes back to one that counts tokens.
    case template(at: SidePath)
  }

  var path: SidePath
  var body: Body
  /// Spells the request where the server counts for another dialect only; `nil` for the profile's own.
  var dialect: (any Dialect)?

  init(_ path: SidePath, _ body: Body, as dialect: (any Dialect)? = nil) {
    self.path = path
    self.body = body
    self.dialect = dialect
  }
}

/// One way to learn the size of a model's window.
enum WindowRecipe: Sendable, Hashable {
  /// A member of the call's own body, by its path: the request itself sets the window.
  case member([String])
  case get(SidePath)
  /// With the model's name in this member of the body.
  case post(SidePath, model: String)
}

extension Endpoint {
  /// The URL of a request beside the calls. The endpoint's own query stays, the call's does not.
  func url(of path: SidePath, beside call: EncodedRequest, basePath: String, model: String) -> String {
    var plain = self
    plain.query = nil
    let callURL = plain.url(basePath: call.basePath ?? basePath, path: call.path)
    let base = callURL.hasSuffix(call.path) ? String(callURL.dropLast(call.path.count)) : callURL
    let url: String
    switch path {
    case .belowCall(let tail): url = callURL + tail
    case .belowBase(let tail): url = base + tail.replacing("{model}", with: model)
    case .besideCall(let tail):
      url = callURL.prefix(upTo: callURL.lastIndex(of: "/") ?? callURL.endIndex) + tail
    case .root(let tail):
      url = (base.hasSuffix(basePath) ? String(base.dropLast(basePath.count)) : base) + tail
    case .method(let name):
      let end = callURL.lastIndex(of: ":") ?? callURL.endIndex
      url = callURL[..<end] + (name.map { ":\($0)" } ?? "")
    }
    return query.map { "\(url)?\($0)" } ?? url
  }
}
