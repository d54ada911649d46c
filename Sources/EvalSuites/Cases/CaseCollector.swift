import EvalCore

/// Gathers the cases while they are read: keeps of each what planning needs, and finds what two of them share.
final class CaseCollector {
  /// About 4 MB of small cases.
  static let keptLimit = 4096

  private(set) var summaries: [CaseSummary] = []
  private(set) var slots: [CaseSlot] = []
  private(set) var parts: [CasePart] = []
  /// The first cases as they were read, so that a suite of common size is not read again while it runs. It ends at
  /// `keptLimit`, to bound memory, and at the first case with an image.
  private(set) var kept: [Case] = []
  /// The identity of all cases and their checks, in any order.
  private(set) var content = UnorderedHash()
  private var hasOwnID: [Bool] = []
  /// Cases that are wrong for another reason, but whose ids count.
  private var faulty: [(id: String, slot: CaseSlot, part: Int)] = []
  private var tags: [[String]: [String]] = [:]
  private var fixedChecks: (names: [CheckSpec], hash: UInt64)?
  private let reader: Reader
  private let audit: CaseAudit

  init(_ reader: Reader, _ audit: CaseAudit) {
    self.reader = reader
    self.audit = audit
  }

  func begin(_ part: CasePart) { parts.append(part) }

  func add(_ decoded: CaseDecoder.Decoded, _ slot: CaseSlot) {
    audit.look(atNames: decoded.names, of: decoded.ownID)
    guard let subject = decoded.value else {
      if let id = decoded.ownID { faulty.append((id, slot, parts.count - 1)) }
      return
    }
    audit.look(at: subject)
    if kept.count == summaries.count, kept.count < CaseCollector.keptLimit, !subject.hasImages {
      kept.append(subject)
    }
    let shared = subject.tags.isEmpty ? [] : tags[subject.tags] ?? subject.tags
    if !shared.isEmpty { tags[shared] = shared }
    summaries.append(
      CaseSummary(id: subject.id, tags: shared, hash: subject.hash, checks: checksHash(of: subject)))
    slots.append(slot)
    hasOwnID.append(decoded.ownID != nil)
  }

  /// Most cases of a suite have the same checks: their hash is not made anew.
  private func checksHash(of subject: Case) -> UInt64 {
    let hasTurnChecks = subject.turns.contains { !$0.checks.isEmpty }
    guard !hasTurnChecks, subject.turns.count == 1 else { return subject.checksHash.firstWord }
    if let fixedChecks, fixedChecks.names == subject.checks { return fixedChecks.hash }
    let hash = subject.checksHash.firstWord
    fixedChecks = (subject.checks, hash)
    return hash
  }

  /// Settles ids and hashes that several cases share, when all are there.
  func finish() {
    for group in groups(by: { $0.id.hashValue }, same: { $0.id == $1.id }) { settleIDs(group) }
    settleFaulty()
    var copies = 0
    for group in groups(by: { Int(truncatingIfNeeded: $0.hash.firstWord) }, same: { $0.hash == $1.hash }) {
      settleHashes(group)
      copies += group.count - 1
    }
    if copies > 0 { noteCopies(copies) }
    for summary in summaries {
      content.add(summary.hash, with: summary.checks)
    }
    tags = [:]
  }

  private func groups(by key: (CaseSummary) -> Int, same: (CaseSummary, CaseSummary) -> Bool) -> [[Int]] {
    var keyed = summaries.indices.map { (key: key(summaries[$0]), index: $0) }
    keyed.sort { ($0.key, $0.index) < ($1.key, $1.index) }
    var groups: [[Int]] = []
    var start = 0
    for end in 1..<max(keyed.count + 1, 1) where end == keyed.count || keyed[end].key != keyed[start].key {
      var rest = keyed[start..<end].map(\.index)
      start = end
      while rest.count > 1, let first = rest.first {
        let group = rest.filter { same(summaries[$0], summaries[first]) }
        if group.count > 1 { groups.append(group) }
        rest.removeAll { same(summaries[$0], summaries[first]) }
      }
    }
    return groups
  }

  /// Two ids that people gave are an error; made ones get longer, or a number where even their content is the same.
  private func settleIDs(_ group: [Int]) {
    let own = group.filter { hasOwnID[$0] }
    if let first = own.first {
      for index in own.dropFirst() {
        noteTwice(index, first)
      }
    }
    var counts: [ContentHash: Int] = [:]
    for index in group where !hasOwnID[index] {
      let hash = summaries[index].hash
      let number = (counts[hash] ?? 0) + 1
      counts[hash] = number
      summaries[index].id = String(hash.hex.prefix(16)) + (number > 1 ? "-\(number)" : "")
    }
  }

  /// Trials are named by their case's hash, so every case needs one of its own: the least id keeps the content's.
  private func settleHashes(_ group: [Int]) {
    let ordered = group.sorted { summaries[$0].id < summaries[$1].id }
    for index in ordered.dropFirst() {
      summaries[index].hash = summaries[index].hash.withID(summaries[index].id)
    }
    firstCopy = min(firstCopy ?? .max, group[1])
  }

  private var firstCopy: Int?

  private func noteCopies(_ count: Int) {
    guard let firstCopy else { return }
    reader.diagnostics.add(
      Problem(
        .warning,
        count == 1
          ? "the case '\(summaries[firstCopy].id)' has the same content as another one"
          : "\(count) cases have the same content as another one, the first is '\(summaries[firstCopy].id)'",
        at: location(of: firstCopy),
        advice: "they are not independent: remove them, or give them one 'cluster'"))
  }

  private func noteTwice(_ index: Int, _ first: Int) {
    noteTwice(summaries[index].id, location(of: index), location(of: first))
  }

  private func noteTwice(_ id: String, _ one: SourceLocation, _ other: SourceLocation) {
    let isLater = one.file != other.file || (one.line, one.column) > (other.line, other.column)
    reader.diagnostics.add(
      Problem(
        .error, "the id '\(id)' is taken by the case at \(isLater ? other : one)", at: isLater ? one : other,
        advice: "give one of them another id"))
  }

  private func settleFaulty() {
    guard !faulty.isEmpty else { return }
    var places: [String: SourceLocation] = [:]
    for case (let index, true) in zip(summaries.indices, hasOwnID) where places[summaries[index].id] == nil {
      places[summaries[index].id] = location(of: index)
    }
    for (id, slot, part) in faulty {
      let place = location(of: slot, in: parts[part])
      if let other = places[id] { noteTwice(id, place, other) } else { places[id] = place }
    }
  }

  private func location(of index: Int) -> SourceLocation {
    guard let part = parts.last(where: { $0.first <= index }) else {
      return SourceLocation(file: "", line: 1, column: 1)
    }
    return location(of: slots[index], in: part)
  }

  private func location(of slot: CaseSlot, in part: CasePart) -> SourceLocation {
    if case .memory(let source) = part.content {
      let (line, column) = source.position(of: slot.offset)
      return SourceLocation(file: source.name, line: line, column: column)
    }
    return SourceLocation(file: part.recipe.path, line: Int(slot.line), column: 1)
  }
}
