/// A URI reference split as RFC 3986 says, for the names of schemas.
struct URIReference: CustomStringConvertible {
  var scheme: String?
  var authority: String?
  var path: String
  var query: String?
  /// Percent-decoded.
  var fragment: String?

  /// Splits with the expression of RFC 3986, appendix B.
  init(_ text: String) {
    var rest = text[...]
    if let hash = rest.firstIndex(of: "#") {
      fragment = URIReference.decoded(rest[rest.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.firstIndex(of: "?") {
      query = String(rest[rest.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.firstIndex(of: ":"), colon != rest.startIndex, !rest[..<colon].contains("/") {
      scheme = String(rest[..<colon]).lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  var withoutFragment: URIReference {
    var copy = self
    copy.fragment = nil
    return copy
  }

  /// The target of this reference, RFC 3986 §5.2.2.
  func resolved(against base: URIReference) -> URIReference {
    if scheme != nil { return self }
    var target = self
    target.scheme = base.scheme
    if authority != nil { return target }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if !path.hasPrefix("/") {
      let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? (base.authority == nil ? "" : "/")
      target.path = URIReference.withoutDots(String(folder) + path)
    } else {
      target.path = URIReference.withoutDots(path)
    }
    return target
  }

  var description: String {
    var text = scheme.map { "\($0):" } ?? ""
    if let authority { text += "//\(authority)" }
    text += path
    if let query { text += "?\(query)" }
    if let fragment { text += "#\(fragment)" }
    return text
  }

  /// RFC 3986 §5.2.4.
  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.contains("%") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.first {
      let hex = rest.dropFirst().prefix(2)
      if byte == UInt8(ascii: "%"), hex.count == 2,
        let value = UInt8(String(decoding: hex, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
