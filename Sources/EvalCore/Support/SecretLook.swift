/// What looks like a secret, which is never written down: neither in a suite nor on a command line.
package enum SecretLook {
  private static let secretWords: Set<String> = [
    "authorization", "cookie", "key", "apikey", "token", "secret", "password", "passwd", "pwd", "credential",
    "credentials", "signature", "sig", "auth", "jwt", "bearer",
  ]

  /// Whether a header or query name usually carries a secret: one of its words is one of a known few.
  package static func isSecretName(_ name: String) -> Bool {
    words(of: name).contains { secretWords.contains($0) || $0.hasSuffix("token") || $0.hasSuffix("apikey") }
  }

  /// Whether a value looks like a credential whatever it is called.
  package static func isSecretValue(_ value: String) -> Bool {
    let lowered = value.lowercased()
    if ["bearer ", "basic "].contains(where: { lowered.hasPrefix($0) }) { return true }
    return isKey(value)
  }

  /// Whether a value begins like the keys of known services and is as long as one.
  package static func isKey(_ value: String) -> Bool {
    let prefixes = ["sk-", "sk_", "gsk_", "ghp_", "xai-", "AIza", "hf_", "AKIA"]
    return value.utf8.count >= 16 && prefixes.contains { value.hasPrefix($0) }
      && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// Whether a query's parameter carries a secret: by its name, or by what it is.
  package static func isSecretParameter(_ name: String, _ value: String) -> Bool {
    // Azure Functions call their key a code.
    isSecretName(name) || name.lowercased() == "code" || isSecretValue(value)
  }

  /// Whether a member of a request's body carries a secret by its name. Only whole names: bodies have members such as
  /// `prompt_cache_key` that are none.
  package static func isSecretMember(_ name: String) -> Bool {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return [
      "apikey", "authorization", "password", "passwd", "secret", "secretkey", "clientsecret", "accesstoken",
      "authtoken",
      "bearertoken", "accesskey", "credential", "credentials",
    ].contains(plain)
  }

  /// `X-Api_KeyName` is x, api, key and name.
  private static func words(of name: String) -> [String] {
    var words: [String] = [""]
    var wasLower = false
    for character in name {
      if !character.isLetter && !character.isNumber {
        words.append("")
        wasLower = false
        continue
      }
      if character.isUppercase, wasLower { words.append("") }
      wasLower = character.isLowercase
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}
