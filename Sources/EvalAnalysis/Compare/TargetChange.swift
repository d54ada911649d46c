package import EvalCore

/// A part of a target's content that the two sides do not share.
package struct TargetChange: Sendable, Hashable {
  /// Keys from the top, joined by dots: `parameters.temperature`.
  package var path: String
  /// `nil` where the side has no such part.
  package var reference: JSONValue?
  package var candidate: JSONValue?

  /// What differs, in the order of the keys; nothing when a side's content is not known.
  static func between(_ reference: RunInfo.TargetInfo, _ candidate: RunInfo.TargetInfo) -> [TargetChange] {
    guard reference.hash != candidate.hash, reference.content != .null, candidate.content != .null else {
      return []
    }
    return between(reference.content, candidate.content, path: "")
  }

  private static func between(
    _ reference: JSONValue?, _ candidate: JSONValue?, path: String
  ) -> [TargetChange] {
    if reference == candidate { return [] }
    guard let left = reference?.objectValue, let right = candidate?.objectValue else {
      return [TargetChange(path: path, reference: reference, candidate: candidate)]
    }
    let keys = Set(left.keys + right.keys).sorted()
    return keys.flatMap { key in
      between(left[key], right[key], path: path.isEmpty ? key : "\(path).\(key)")
    }
  }
}
