package import EvalCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The first line of a recording: what the file is and where its answers came from. Format: `Docs/Recordings.md`.
package struct RecordingHeader: Sendable, Hashable {
  static let format = "evalrun-recording"
  /// Raised when an older evalrun would read a newer file wrongly; members that are only new do not raise it.
  static let version: Int64 = 1

  package var toolVersion: String
  /// UTC, `2026-11-30T07:15:33Z`.
  package var recordedAt: String
  /// For people: machine, servers, models.
  package var description: String

  /// - Parameters:
  ///   - description: machine, servers, models, in any words.
  ///   - now: seconds since 1970.
  package init(toolVersion: String, description: String, now: Double = WallClock.now()) {
    self.toolVersion = toolVersion
    self.description = description
    recordedAt = Self.utc(now)
  }

  /// The words for reports: `recorded 2026-11-30T07:15:33Z by evalrun 0.1.0: …`.
  package var words: String {
    "recorded \(recordedAt) by evalrun \(toolVersion)" + (description.isEmpty ? "" : ": \(description)")
  }

  /// A description from what is known without asking anybody.
  package static func description(machine: String, profiles: [Profile]) -> String {
    let models = profiles.map { profile in
      let server = profile.server.map { ", \($0)" } ?? ""
      return "\(profile.name) = \(profile.model) (\(profile.provider)\(server))"
    }
    return (models + [machine]).joined(separator: "; ")
  }

  private static func utc(_ seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

// MARK: - Its line

extension RecordingHeader {
  /// The line with its line break.
  var line: [UInt8] {
    var writer = JSONWriter(.compact)
    writer.beginObject()
    writer.key("format")
    writer.string(Self.format)
    writer.key("version")
    writer.int(Self.version)
    writer.key("toolVersion")
    writer.string(toolVersion)
    writer.key("recordedAt")
    writer.string(recordedAt)
    writer.key("description")
    writer.string(description)
    writer.endObject()
    return writer.bytes + [0x0A]
  }

  /// Whether a line claims to be a header.
  static func isHeader(_ value: JSONView) -> Bool { value["format"] != nil }

  /// - Throws: what is wrong with the line.
  init(reading value: JSONView) throws(RecordingFault) {
    guard value["format"]?.string == Self.format else {
      throw RecordingFault("this is no recording of evalrun")
    }
    guard let version = value["version"]?.int else {
      throw RecordingFault("the recording's version is missing", at: value["version"])
    }
    guard version == Self.version else {
      throw RecordingFault(
        "the recording has format version \(version); this evalrun reads version \(Self.version)",
        at: value["version"])
    }
    toolVersion = value["toolVersion"]?.string ?? "?"
    recordedAt = value["recordedAt"]?.string ?? "at an unknown time"
    description = value["description"]?.string ?? ""
  }
}

/// What is wrong with a line of a recording.
struct RecordingFault: Error {
  var message: String
  /// Bytes from the start of the line.
  var offset: Int

  init(_ message: String, at value: JSONView? = nil) {
    self.message = message
    offset = value?.range.lowerBound ?? 0
  }

  init(_ error: JSONSyntaxError) {
    message = error.message
    offset = error.offset
  }
}
