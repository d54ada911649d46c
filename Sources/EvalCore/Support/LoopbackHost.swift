/// Whether a URL names this machine; such requests never go through a proxy from the environment, which
/// would answer for a model server that it cannot reach.
///
/// Works on bytes: it runs for every request.
package enum LoopbackHost {
  package static func isHost(ofURL url: String) -> Bool {
    guard let host = host(ofURL: url.utf8) else { return false }
    return same(host, "localhost") || same(host, "::1") || isIPv4Loopback(host)
  }

  /// The host of an absolute URL, without brackets, user or port; `nil` when there is none.
  private static func host(ofURL url: String.UTF8View) -> Substring.UTF8View? {
    guard let colon = url.firstIndex(of: UInt8(ascii: ":")), url[colon...].starts(with: "://".utf8) else {
      return nil
    }
    var authority = url[colon...].dropFirst(3).prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      authority = authority[authority.index(after: at)...]
    }
    if authority.first == UInt8(ascii: "[") {
      return authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }
    }
    return authority.prefix { $0 != UInt8(ascii: ":") }
  }

  private static func same(_ host: Substring.UTF8View, _ name: StaticString) -> Bool {
    name.withUTF8Buffer { name in
      host.elementsEqual(name) { byte, wanted in
        byte == wanted || ((0x41...0x5A).contains(byte) && byte | 0x20 == wanted)
      }
    }
  }

  /// 127.0.0.0/8; "127.1" is 127.0.0.1 too.
  private static func isIPv4Loopback(_ host: Substring.UTF8View) -> Bool {
    guard host.starts(with: "127.".utf8) else { return false }
    let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 4
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
