/// "did you mean 'x'?" for the closest name, or `nil` when none is close.
///
/// Optimal string alignment distance (Boytsov, "Indexing methods for approximate dictionary searching", 2011, §2.2)
/// on lower case, at most a third of the longer name.
package func suggestion(for word: String, among names: [String]) -> String? {
  let lowered = Array(word.lowercased())
  var best: (name: String, distance: Int)?
  for name in names where !name.isEmpty {
    let candidate = Array(name.lowercased())
    let distance = editDistance(lowered, candidate)
    let limit = max(1, max(lowered.count, candidate.count) / 3)
    if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
  }
  return best.map { "did you mean '\($0.name)'?" }
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one sequence into the other.
package func editDistance<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
  if left.isEmpty { return right.count }
  if right.isEmpty { return left.count }
  var beforeLast = [Int](repeating: 0, count: right.count + 1)
  var last = Array(0...right.count)
  var current = [Int](repeating: 0, count: right.count + 1)
  for i in 1...left.count {
    current[0] = i
    for j in 1...right.count {
      let cost = left[i - 1] == right[j - 1] ? 0 : 1
      current[j] = min(last[j] + 1, current[j - 1] + 1, last[j - 1] + cost)
      if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
        current[j] = min(current[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last, current) = (last, current, beforeLast)
  }
  return last[right.count]
}
