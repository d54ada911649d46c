import EvalCore
import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

/// A folder with programs, and the ways to ask them.
final class CommandBench: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
  }

  /// A profile whose suite lies in the folder.
  func profile(_ command: [String], _ change: (inout Profile) -> Void = { _ in }) -> Profile {
    var profile = Profile(name: "p", provider: "command", model: "")
    profile.options["command"] = .array(command.map { .string($0) })
    profile.location = SourceLocation(file: path("suite.json"), line: 1, column: 1)
    change(&profile)
    return profile
  }

  /// What a shell script answers.
  func ask(
    _ script: String, text: Bool = false, messages: [Message] = [Message(.user, "Hi")],
    change: (inout Profile) -> Void = { _ in }, call adapt: (inout ProviderCall) -> Void = { _ in }
  ) async throws -> ProviderReply {
    var profile = profile(["/bin/sh", "-c", script], change)
    if text { profile.options["output"] = "text" }
    return try await send(profile, messages, adapt)
  }

  func send(
    _ profile: Profile, _ messages: [Message] = [Message(.user, "Hi")],
    _ adapt: (inout ProviderCall) -> Void = { _ in }
  ) async throws -> ProviderReply {
    var asked = call(profile, messages, instructions: profile.instructions)
    adapt(&asked)
    return try await Self.factory().make(profile).send(asked)
  }

  static func factory(_ environment: [String: String] = [:], allowsCommands: Bool = true) -> ProviderFactory {
    ProviderFactory(
      transport: HTTPTransport.forTests(1), environment: environment, allowsCommands: allowsCommands)
  }
}

/// A killed process may stay a zombie until its new parent looks, which is gone enough.
func expectGone(_ id: Int32) async throws {
  for _ in 0..<500 {
    if kill(id, 0) != 0 { return }
    let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    if let status, status.contains(") Z ") { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("process \(id) is still there")
}

extension ProviderReply {
  var failure: ErrorClass? { outcome.error?.kind }
}
