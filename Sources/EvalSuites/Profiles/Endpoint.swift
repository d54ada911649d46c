import EvalCore

/// Whether a text is a URL that requests can be sent to, without a secret in it.
enum Endpoint {
  /// Notes what is wrong, without ever showing what may be a secret.
  /// - Parameter source: how messages call the text; the text itself unless given.
  static func checked(_ text: String, at view: JSONView, _ reader: Reader, source: String? = nil) -> String? {
    guard let fault = fault(of: text) else { return text }
    let name = source ?? (fault.mayShow ? "'\(text)'" : "the endpoint")
    reader.error("\(name) \(fault.message)", at: view, advice: fault.advice)
    return nil
  }

  struct Fault: Equatable {
    var message: String
    var advice: String?
    /// Whether the text is free of what may be a secret.
    var mayShow = true
  }

  static func fault(of text: String) -> Fault? {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard scheme == "http" || scheme == "https", text.dropFirst(scheme.count).hasPrefix("://") else {
      // What stands before an @ may be a password even where the scheme is forgotten.
      return Fault(
        message: "is not a URL", advice: "it begins with http:// or https://", mayShow: !text.contains("@"))
    }
    let rest = text.dropFirst(scheme.count + 3)
    let authority = rest.prefix { !"/?#".contains($0) }
    if authority.contains("@") {
      return Fault(
        message: "has a user name or password in it", advice: "give the key by 'key': {\"env\": \"NAME\"}",
        mayShow: false)
    }
    if let fault = fault(ofQuery: rest.dropFirst(authority.count)) { return fault }
    if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
      return Fault(message: "is not a URL: it has white space in it")
    }
    return fault(ofAuthority: authority)
  }

  private static func fault(ofQuery text: Substring) -> Fault? {
    if text.contains("#") {
      return Fault(message: "has a fragment, which no server sees", advice: "remove '#' and what follows")
    }
    guard let mark = text.firstIndex(of: "?") else { return nil }
    for pair in text[text.index(after: mark)...].split(separator: "&") {
      let name = pair.prefix { $0 != "=" }
      if SecretLook.isSecretParameter(String(name), String(pair.dropFirst(name.count + 1))) {
        return Fault(
          message: "has a secret in its query ('\(name)')",
          advice: "give the key by 'key': {\"env\": \"NAME\"}",
          mayShow: false)
      }
    }
    return nil
  }

  private static func fault(ofAuthority authority: Substring) -> Fault? {
    var host = authority
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else {
        return Fault(message: "is not a URL: '[' without ']'")
      }
      host = authority[authority.index(after: authority.startIndex)..<close]
      let port = authority[authority.index(after: close)...]
      if !port.isEmpty, !port.hasPrefix(":") { return Fault(message: "is not a URL: its host is not one") }
      if let fault = fault(ofPort: port.dropFirst()) { return fault }
      return host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." || $0 == "%" } && host.contains(":")
        ? nil : Fault(message: "is not a URL: its host is not an address")
    }
    if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      let port = authority[authority.index(after: colon)...]
      if port.isEmpty { return Fault(message: "is not a URL: no port stands after ':'") }
      if let fault = fault(ofPort: port) { return fault }
    }
    let isHost = !host.isEmpty && host.allSatisfy { $0.isLetter || $0.isNumber || "-._~%".contains($0) }
    return isHost ? nil : Fault(message: "is not a URL: it has no host")
  }

  private static func fault(ofPort port: Substring) -> Fault? {
    if port.isEmpty { return nil }
    if let number = Int(port), (1...65_535).contains(number) { return nil }
    return Fault(message: "is not a URL: its port is not a number from 1 to 65535")
  }
}
