package import EvalCore

/// A remark at a place in a file that was changed, as code hosts show them beside the line.
package struct CIAnnotation: Sendable, Hashable {
  package enum Level: String, Sendable, Hashable, CaseIterable { case error, warning, notice }

  package var level: Level
  /// A few words, for a list.
  package var title: String
  package var message: String
  /// `nil` for what stands in no file, such as a gate of the command line.
  package var location: SourceLocation?

  package init(_ level: Level, _ title: String, _ message: String, at location: SourceLocation? = nil) {
    self.level = level
    self.title = title
    self.message = message
    self.location = location
  }
}

/// Writes annotations as GitHub's workflow commands, one a line.
///
/// Source of the escapes: `@actions/core`, `command.ts` (`escapeData`, `escapeProperty`).
package struct GitHubCommands: Sendable {
  /// GitHub shows at most so many annotations of a level for each step and drops the rest without a word.
  package static let limit = 10

  /// The folder that relative paths count from, absolute.
  private let folder: String
  /// The root of the repository's files, absolute: paths of annotations count from there.
  private let workspace: String?

  package init(folder: String, workspace: String?) {
    self.folder = folder
    self.workspace = workspace.map { GitHubCommands.plain($0) }
  }

  /// The commands, errors first. Of a level with too many, the last one says how many are left out.
  package func lines(_ annotations: [CIAnnotation]) -> [String] {
    CIAnnotation.Level.allCases.flatMap { level -> [String] in
      let all = annotations.filter { $0.level == level }
      guard all.count > GitHubCommands.limit else { return all.map(line) }
      let shown = all.prefix(GitHubCommands.limit - 1)
      let rest = CIAnnotation(
        level, "\(all.count - shown.count) more",
        "GitHub shows \(GitHubCommands.limit) for a step: see the report for all \(all.count)")
      return (shown + [rest]).map(line)
    }
  }

  private func line(_ annotation: CIAnnotation) -> String {
    var properties: [(String, String)] = []
    if let location = annotation.location {
      properties = [
        ("file", path(location.file)), ("line", String(location.line)), ("col", String(location.column)),
      ]
    }
    properties.append(("title", annotation.title))
    let text = properties.map { "\($0)=\(GitHubCommands.property($1))" }.joined(separator: ",")
    return "::\(annotation.level.rawValue) \(text)::\(GitHubCommands.data(annotation.message))"
  }

  /// A path from the repository's root where the file is in it, else as it is.
  func path(_ file: String) -> String {
    let whole = GitHubCommands.plain(file.hasPrefix("/") ? file : "\(folder)/\(file)")
    guard let workspace, whole.hasPrefix(workspace + "/") else { return file }
    return String(whole.dropFirst(workspace.count + 1))
  }

  /// Without `.`, `..` and doubled slashes.
  private static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  static func data(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(TerminalText.isUnsafe(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }

  static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
