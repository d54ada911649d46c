import EvalCore

/// `{"env": "NAME"}` or `{"file": "path"}` while it is read.
struct SecretDraft: Draft {
  var env: String?
  var file: String?
}

extension ObjectTable where Into == SecretDraft {
  static let secret = ObjectTable(
    "secret", "a key's place", extra: ["minProperties": 1],
    [
      Key("env", \.env, .variableName, "The name of an environment variable.").oneOf("place"),
      Key("file", \.file, .name, "A file that only its owner can read; ~ is the home folder.").oneOf("place"),
    ])

  static let environmentName = ObjectTable(
    "environmentName", "an environment variable's place",
    [Key("env", \.env, .variableName, "The name of an environment variable.").required()])
}

extension Shape where Value == String {
  static var variableName: Shape {
    Shape(["type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"]) { view, reader in
      if let name = view.string, isVariableName(name) { return name }
      // Whatever stands here instead of a name may be the secret itself.
      reader.error(
        "expected the name of an environment variable", at: view,
        advice: "letters, digits and _, such as OPENAI_API_KEY")
      return nil
    }
  }

  private static func isVariableName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first == UInt8(ascii: "_") || isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

extension ConfiguredValue {
  /// The name in `{"env": "NAME"}`; `nil` after noting what is wrong.
  static func variable(_ view: JSONView, _ reader: Reader) -> String? {
    ObjectTable.environmentName.shape.read(view, reader)?.env
  }
}

extension Shape where Value == ConfiguredValue {
  /// Where a secret is found. A literal is refused and never shown.
  static var secret: Shape {
    Shape(reference("secret")) { view, reader in
      guard view.kind == .object else {
        reader.error(
          "a key is not written into a suite", at: view,
          advice: "give the name of an environment variable that holds it: {\"env\": \"NAME\"}")
        return nil
      }
      guard let draft = ObjectTable.secret.shape.read(view, reader) else { return nil }
      if let name = draft.env { return checkedVariable(name, at: view, reader) }
      if let file = draft.file { return checkedFile(file, at: view, reader) }
      reader.error(
        "a key's place is 'env' or 'file'", at: view, advice: "such as {\"env\": \"OPENAI_API_KEY\"}")
      return nil
    }
  }

  /// A variable that is not set is no error here: a replayed run needs no key.
  private static func checkedVariable(_ name: String, at view: JSONView, _ reader: Reader) -> ConfiguredValue
  {
    if let value = reader.environment[name], !HeaderRule.isValue(value) {
      reader.error(
        "the value of '\(name)' has a line break or another control character in it", at: view,
        advice: "set it again without one")
    }
    return .environment(name)
  }

  private static func checkedFile(_ file: String, at view: JSONView, _ reader: Reader) -> ConfiguredValue? {
    let path = Paths.resolve(file, in: reader.origin.directory, home: reader.environment["HOME"])
    let place = view["file"] ?? view
    do throws(FileFault) {
      let opened = try OpenFile(path)
      if opened.mode & 0o077 != 0 {
        reader.error(
          "the key file '\(path)' can be read by others", at: place, advice: "run: chmod 600 \(path)")
      }
      if !HeaderRule.isValue(String(decoding: try opened.bytes(), as: UTF8.self).trimmed) {
        reader.error(
          "the key file '\(path)' holds more than one line", at: place, advice: "keep the key alone")
      }
      return .file(path)
    } catch {
      reader.error(error.message, at: place, advice: error.advice)
      return nil
    }
  }
}

extension Key where Into == ProfileDraft {
  static var headers: Key {
    let value: JSONValue = [
      "anyOf": [["type": "string"], ["type": "null"], Shape<ConfiguredValue>.reference("secret")]
    ]
    let schema: JSONValue = ["type": "object", "additionalProperties": value]
    return Key("headers", schema: schema, "Further HTTP headers; a secret one by {\"env\": \"NAME\"}.") {
      draft, view, reader in
      guard view.kind == .object else { return reader.wrong(view, expected: "an object of headers") }
      for member in view.members {
        let name = member.key.string ?? ""
        draft.profile.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if !member.value.isNull, let field = header(name, member, reader) {
          draft.profile.headers.append(field)
        }
      }
    }
  }

  private static func header(
    _ name: String, _ member: (key: JSONView, value: JSONView), _ reader: Reader
  ) -> HeaderField? {
    guard HeaderRule.isName(name) else {
      reader.error("'\(name)' is not a header's name", at: member.key, advice: "letters, digits and -")
      return nil
    }
    if HeaderRule.isReserved(name) {
      reader.error("the header '\(name)' is set by evalrun itself", at: member.key, advice: "remove it")
      return nil
    }
    if member.value.kind == .object {
      return Shape.secret.read(member.value, reader).map { HeaderField(name: name, value: $0) }
    }
    guard let text = member.value.string else {
      reader.error("a header's value is a string or {\"env\": \"NAME\"}", at: member.value)
      return nil
    }
    if SecretLook.isSecretName(name) || SecretLook.isSecretValue(text) {
      reader.error(
        "the header '\(name)' carries a secret, which is not written into a suite", at: member.value,
        advice: "give the name of an environment variable that holds it: {\"env\": \"NAME\"}")
      return nil
    }
    if !HeaderRule.isValue(text) {
      reader.error(
        "the header '\(name)' has a line break or another control character in it", at: member.value)
      return nil
    }
    return HeaderField(name: name, value: .literal(text))
  }
}

extension Reader {
  /// Notes texts, however deep, that look like a service's key or are called one.
  func noteKeys(in view: JSONView, called name: String = "") {
    switch view.kind {
    case .string:
      if let text = view.string, SecretLook.isKey(text) || !text.isEmpty && SecretLook.isSecretMember(name) {
        error(
          "this looks like a key, which is not written into a suite", at: view,
          advice: "give 'key' or a header with the name of an environment variable: {\"env\": \"NAME\"}")
      }
    case .array: for item in view.elements { noteKeys(in: item, called: name) }
    case .object: for member in view.members { noteKeys(in: member.value, called: member.key.string ?? "") }
    default: break
    }
  }
}
