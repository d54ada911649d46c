import EvalCore

/// A request in one dialect, before endpoint, key and the profile's own headers and body members are put to it.
struct EncodedRequest: Sendable {
  /// Below the base path, with a leading slash: `/chat/completions`.
  var path: String
  var query: [(String, String)] = []
  /// Headers that belong to the dialect, such as a version. Content type and key are not among them.
  var headers: [(String, String)] = []
  var body: JSONObject
  /// What the profile asks for and the dialect or server cannot say.
  var notes: [String] = []
  /// Takes the place of the traits' base path, for a server that puts the model into the URL.
  var basePath: String?
}

/// How one API spells requests and answers. A dialect is one file and one line in `ProviderRegistry`.
///
/// It holds no state: `encode` is a function of the call, and each response gets a decoder of its own. What differs
/// between servers of one dialect is in its `servers`.
protocol Dialect: Sendable {
  var descriptor: ProviderDescriptor { get }
  /// The servers that are known, the dialect's home first. At least one.
  var servers: [ServerTraits] { get }
  /// How a stream is framed when its content type does not say.
  var framing: StreamFraming { get }

  /// Everything that the call and its profile say, in the dialect's words. `extraBody`, `headers` and the key are
  /// added afterwards, for every dialect alike.
  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest

  /// A decoder for one response.
  ///
  /// - Parameter streaming: whether the request asked for a stream.
  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder
}
