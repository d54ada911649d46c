package import EvalCore

/// A base URL taken apart.
package struct Endpoint: Sendable, Hashable {
  /// `http` or `https`.
  package var scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  package var host: String
  package var port: Int
  /// Without a slash at its end; empty when the URL has none.
  package var path: String
  /// Without the question mark; `nil` when the URL has none.
  package var query: String?

  /// - Throws: a `Problem` that says what is wrong, for a text that is no base URL.
  package init(_ text: String) throws(Problem) {
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
      throw Self.problem(text, "it holds white space or control characters")
    }
    guard let colon = text.firstRange(of: "://") else {
      throw Self.problem(text, "it does not begin with http:// or https://")
    }
    scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw Self.problem(text, "its scheme is neither http nor https")
    }
    let rest = text[colon.upperBound...]
    guard !rest.contains("#") else { throw Self.problem(text, "it has a fragment") }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else {
      throw Problem(
        .error, "the endpoint holds a user name or password", path: "endpoint",
        advice: "name the key's environment variable under 'key'")
    }
    (host, port) = try Self.hostAndPort(authority, in: text, scheme: scheme)
    let tail = rest.dropFirst(authority.count)
    var path = String(tail.prefix { $0 != "?" })
    while path.last == "/" { path.removeLast() }
    self.path = path
    query = tail.firstIndex(of: "?").map { String(tail[tail.index(after: $0)...]) }
  }

  private static func hostAndPort(
    _ authority: Substring, in text: String, scheme: String
  ) throws(Problem) -> (String, Int) {
    let host: Substring
    var port: Substring = ""
    if authority.first == "[" {
      guard let close = authority.firstIndex(of: "]") else { throw problem(text, "its host has no ']'") }
      host = authority[...close]
      port = authority[authority.index(after: close)...]
    } else {
      host = authority.prefix { $0 != ":" }
      port = authority.dropFirst(host.count)
    }
    guard !host.isEmpty, host != "[]" else { throw problem(text, "it has no host") }
    if port.isEmpty { return (host.lowercased(), scheme == "https" ? 443 : 80) }
    guard port.first == ":", let number = Int(port.dropFirst()), (1...65535).contains(number) else {
      throw problem(text, "its port is not a number from 1 to 65535")
    }
    return (host.lowercased(), number)
  }

  private static func problem(_ text: String, _ reason: String) -> Problem {
    Problem(
      .error, "the endpoint '\(text)' is not a URL: \(reason)", path: "endpoint",
      advice: "write a base URL such as https://api.example.com/v1")
  }

  /// `scheme://host:port`.
  package var origin: String { "\(scheme)://\(host):\(port)" }

  /// Whether the endpoint is on this machine.
  package var isLocal: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
      || host == "0.0.0.0"
  }

  /// The URL of a path below the endpoint. An endpoint that already ends in the path is taken as it is, and one that
  /// ends in the version with which the path begins (`/v1`) does not get it twice.
  ///
  /// - Parameters:
  ///   - basePath: what goes between when the endpoint has no path of its own.
  ///   - query: put after the endpoint's own.
  func url(basePath: String, path: String, query extra: [(String, String)] = []) -> String {
    let base = self.path.isEmpty ? basePath : self.path
    let full = base.hasSuffix(path) ? base : base + Self.tail(of: path, below: base)
    let standard = scheme == "https" ? 443 : 80
    let pairs = ([query].compactMap(\.self) + extra.map { "\($0.0)=\($0.1)" }).filter { !$0.isEmpty }
    let tail = pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    return "\(scheme)://\(host)\(port == standard ? "" : ":\(port)")\(full)\(tail)"
  }

  private static func tail(of path: String, below base: String) -> Substring {
    let version = path.dropFirst().prefix { $0 != "/" }
    guard version.first == "v", version.dropFirst().first?.isNumber == true, base.hasSuffix("/\(version)")
    else {
      return path[...]
    }
    return path.dropFirst(version.count + 1)
  }
}
