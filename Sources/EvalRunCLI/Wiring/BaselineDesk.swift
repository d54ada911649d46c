import EvalCore
import EvalStore

/// Finds what `--baseline` and the `baseline` commands name.
struct BaselineDesk {
  let session: Session

  /// A path, not a name: it has a slash or ends with `.json`, which no baseline's name does.
  static func isFile(_ text: String) -> Bool { text.contains("/") || text.hasSuffix(".json") }

  /// A baseline file, which needs no database, or a name in the database.
  /// - Throws: `.usage` after printing every problem of the file, each with its line.
  func open(_ text: String) throws(CommandFailure) -> Baseline {
    guard BaselineDesk.isFile(text) else {
      let store = try session.openStore(.read)
      do {
        return try store.baseline(named: text)
      } catch {
        throw CommandFailure(error)
      }
    }
    let file = try read(text).file
    return Baseline(name: file.name, origin: .file(file))
  }

  /// A baseline file with its bytes.
  func read(_ path: String) throws(CommandFailure) -> (file: BaselineFile, bytes: [UInt8]) {
    let bytes = try Files.read(path)
    do {
      return (try BaselineFile(bytes: bytes, path: path), bytes)
    } catch {
      for problem in error.all { session.console.problem(problem) }
      throw CommandFailure(.usage, "\(counted(error.all.count, "error")) in \(path)")
    }
  }

  /// Where a baseline's trials are read from.
  func source(_ baseline: Baseline) throws(CommandFailure) -> any TrialSource {
    switch baseline.origin {
    case .file(let file): return file
    case .run(let run): return try session.openStore(.read).trials(run)
    }
  }

  /// - Throws: `.usage` for a name that would be taken for a file or a run.
  func checkName(_ name: String) throws(CommandFailure) {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0)
    }
    guard isPlain, !name.isEmpty, !BaselineDesk.isFile(name), name != "latest" else {
      throw CommandFailure(
        .usage, "'\(name)' cannot be a baseline's name",
        advice: "take letters, digits, '-', '_' and '.'; not 'latest', and no '.json' at the end")
    }
  }
}
