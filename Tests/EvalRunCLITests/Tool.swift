import EvalTestSupport
import Foundation
import Synchronization

/// The built `evalrun`, run as a person would run it: a real process in a folder of its own.
struct Tool {
  let folder: URL

  struct Result {
    var code: Int32
    var output: String
    var errors: String
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("evalrun-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Beside the test bundle, where SwiftPM puts every product.
  static let executable: URL = {
    let bundle = CommandLine.arguments[0].contains("xctest") ? CommandLine.arguments[0] : Self.testBundlePath
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("evalrun")
  }()

  private static var testBundlePath: String {
    #if os(macOS)
      Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath ?? CommandLine.arguments[0]
    #else
      CommandLine.arguments[0]
    #endif
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    return name
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
    try await start(arguments, environment: environment).wait()
  }

  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var variables = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"]
    variables.merge(environment) { _, new in new }
    process.environment = variables
    let output = folder.appendingPathComponent("stdout-\(UUID().uuidString)")
    let errors = folder.appendingPathComponent("stderr-\(UUID().uuidString)")
    for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    let ended = Ended()
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    return Running(process: process, output: output, errors: errors, ended: ended)
  }

  struct Running {
    let process: Process
    let output: URL
    let errors: URL
    let ended: Ended

    /// Waits without holding one of the few threads that tests share.
    func wait() async -> Result {
      await ended.wait()
      let code =
        process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
      let result = Result(code: code, output: text(output), errors: text(errors))
      for file in [output, errors] { try? FileManager.default.removeItem(at: file) }
      return result
    }

    var errorsSoFar: String { text(errors) }

    private func text(_ file: URL) -> String {
      String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }
  }

  /// Every byte of every file the tool wrote here, by path.
  func files() -> [String: Data] {
    var found: [String: Data] = [:]
    let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    for path in paths {
      let place = folder.appendingPathComponent(path)
      if let data = try? Data(contentsOf: place) { found[path] = data }
    }
    return found
  }
}

/// Waits without blocking a thread until `condition` holds.
func until(_ condition: () -> Bool) async throws {
  while !condition() { try await Task.sleep(for: .milliseconds(3)) }
}

/// The end of a process, for one who waits.
final class Ended: Sendable {
  private let state = Mutex<(isOver: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

  func signal() {
    let waiting = state.withLock { state in
      state.isOver = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }
}

/// A suite against a local server.
struct SmallSuite {
  var endpoint: String
  var cases = 1
  var profile = ""
  var run = ""

  var text: String {
    let list = (0..<cases).map { #"{"id": "c\#($0)", "input": "say \#($0)"}"# }.joined(separator: ",")
    return """
      {
        "version": 1, "name": "small",
        "profiles": {"local": {"endpoint": "\(endpoint)", "model": "m", "price": "free", "boundary": "device"\(profile)}},
        "cases": [\(list)],
        "checks": [{"contains": "ok"}],
        "run": {"retries": {"limit": 0}\(run)}
      }
      """
  }
}

extension StubReply {
  /// A whole streamed answer.
  func answer(_ text: String) {
    sseHead()
    chunk(
      "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
    )
    chunk("data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(text)\"}}]}\n\n")
    chunk("data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
    chunk(
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2,\"total_tokens\":9}}\n\n")
    chunk("data: [DONE]\n\n")
    finish()
  }
}
