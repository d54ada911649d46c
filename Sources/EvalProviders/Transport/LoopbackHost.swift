/// Whether a URL names this machine; such requests never go through a proxy from the environment, which
/// would answer for a model server that it cannot reach.
enum LoopbackHost {
  static func isHost(ofURL url: String) -> Bool {
    guard let host = host(ofURL: url)?.lowercased() else { return false }
    if host == "localhost" || host == "::1" { return true }
    // "127.1" is 127.0.0.1 too.
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return (2...4).contains(parts.count) && parts[0] == "127" && parts.allSatisfy { UInt32($0) != nil }
  }

  /// The host of an absolute URL, without brackets, user or port; `nil` when there is none.
  static func host(ofURL url: String) -> Substring? {
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return nil }
    var authority = url[colon...].dropFirst(3).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
    if authority.first == "[" {
      return authority.dropFirst().prefix { $0 != "]" }
    }
    let host = authority.prefix { $0 != ":" }
    return host.isEmpty ? nil : host
  }
}
