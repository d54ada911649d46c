import Foundation
import Testing

/// Holds what a person or a program reads against a file under `Golden/`.
///
/// `EVALRUN_GOLDEN=record` writes the files and fails the test, so that nobody records by accident; anything else
/// compares and never writes.
func expectGolden(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden").appendingPathComponent(name)
  if ProcessInfo.processInfo.environment["EVALRUN_GOLDEN"] == "record" {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    Issue.record(
      "recorded Golden/\(name): look at it, then run without EVALRUN_GOLDEN", sourceLocation: sourceLocation)
    return
  }
  guard let data = FileManager.default.contents(atPath: file.path) else {
    Issue.record("Golden/\(name) is missing: EVALRUN_GOLDEN=record makes it", sourceLocation: sourceLocation)
    return
  }
  let expected = String(decoding: data, as: UTF8.self)
  guard !expected.utf8.elementsEqual(text.utf8) else { return }
  let ours = text.split(separator: "\n", omittingEmptySubsequences: false)
  let theirs = expected.split(separator: "\n", omittingEmptySubsequences: false)
  let line =
    zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    ?? min(ours.count, theirs.count)
  func at(_ lines: [Substring]) -> String { line < lines.count ? String(lines[line]) : "(end)" }
  Issue.record(
    """
    Golden/\(name) differs at line \(line + 1)
    golden: \(at(theirs))
    now:    \(at(ours))
    """, sourceLocation: sourceLocation)
}
