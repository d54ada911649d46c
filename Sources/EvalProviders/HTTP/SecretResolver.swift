package import EvalCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Turns the names that a suite writes for its secrets into their values, and remembers every value for the `Redactor`.
package final class SecretResolver: Sendable {
  private let environment: [String: String]
  private let isNeeded: Bool
  private let resolved = Mutex<Set<String>>([])

  /// - Parameter isNeeded: false when nothing is sent: then every secret is empty, and none is looked up.
  package init(environment: [String: String], isNeeded: Bool = true) {
    self.environment = environment
    self.isNeeded = isNeeded
  }

  /// Every secret resolved so far. Make the `Redactor` from it after all providers are made.
  package var secrets: [String] { resolved.withLock { $0.sorted() } }

  /// The value of an environment variable; `nil` when it is unset or empty.
  package func variable(_ name: String) -> String? {
    guard let value = environment[name], !value.isEmpty else { return nil }
    return value
  }

  /// - Parameter path: where the value stands in its profile, for the problem.
  /// - Throws: a `Problem` when the variable is not set, the file is missing or may be read by others, or the value
  ///   cannot stand in a header.
  package func resolve(_ value: ConfiguredValue, path: String) throws(Problem) -> String {
    switch value {
    case .literal(let text):
      try check(text, "the value", path)
      return text
    case .environment where !isNeeded, .file where !isNeeded:
      return ""
    case .environment(let name):
      guard let text = variable(name) else {
        throw Problem(
          .error, "the environment variable \(name) is not set", path: path, advice: "export \(name)=…")
      }
      return try keep(text, "the environment variable \(name)", path)
    case .file(let name):
      return try keep(try contents(name, path), "the file \(name)", path)
    }
  }

  /// Takes what stands in the environment under a credential's name for a secret, because a program inherits it and may
  /// say any of it.
  ///
  /// Values of less than 8 bytes are left alone: they are switches and counts, and words of ordinary texts.
  func keepInherited() {
    let marks: Set<Substring> = [
      "KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS",
      "PAT", "COOKIE",
    ]
    let values = environment.compactMap { name, value in
      let words = name.uppercased().split(separator: "_")
      return value.utf8.count >= 8 && words.contains(where: marks.contains) ? value.trimmed : nil
    }
    resolved.withLock { $0.formUnion(values) }
  }

  private func keep(_ text: String, _ source: String, _ path: String) throws(Problem) -> String {
    // A file ends in a newline, and so does what a person pastes; what is left is the secret.
    let secret = text.trimmed
    guard !secret.isEmpty else { throw Problem(.error, "\(source) is empty", path: path) }
    try check(secret, source, path)
    resolved.withLock { _ = $0.insert(secret) }
    return secret
  }

  private func check(_ text: String, _ source: String, _ path: String) throws(Problem) {
    guard !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
      throw Problem(
        .error, "\(source) holds a line break or control character", path: path,
        advice: "a key is one line")
    }
  }

  private func contents(_ name: String, _ path: String) throws(Problem) -> String {
    var place = name
    if name.hasPrefix("~/"), let home = variable("HOME") { place = home + name.dropFirst() }
    let file = open(place, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw Problem(
        .error, "the key file \(name) cannot be read: \(String(cString: strerror(errno)))", path: path)
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Problem(.error, "the key file \(name) is not a file", path: path)
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Problem(
        .error, "the key file \(name) can be read by others", path: path, advice: "chmod 600 \(name)")
    }
    guard status.st_size <= 65_536 else {
      throw Problem(.error, "the key file \(name) is too large", path: path)
    }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw Problem(.error, "the key file \(name) cannot be read", path: path) }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
