package import EvalCore
import Synchronization

/// The vectors that a database holds, read one by one by any task.
package final class StoredEmbeddings: EmbeddingShelf {
  private let search: Mutex<Search>

  fileprivate final class Search {
    let select: Statement
    let connection: Connection

    init(_ connection: Connection) throws(StoreError) {
      self.connection = connection
      select = try connection.prepare("SELECT vector FROM embeddings WHERE key = ?1")
    }

    func vector(_ key: ContentHash) -> [Float]? {
      select.bind([.text(key.hex)])
      // The read lock goes with the reset.
      defer { select.reset() }
      guard (try? select.step()) == true else { return nil }
      return select.withBytes(0) { EmbeddingBytes.vector(of: $0) } ?? nil
    }
  }

  fileprivate init(_ search: sending Search) { self.search = Mutex(search) }

  package func vector(_ key: ContentHash) -> [Float]? { search.withLock { $0.vector(key) } }
}

extension RunStore {
  /// The vectors of this and all earlier runs.
  package func embeddings() throws(StoreError) -> StoredEmbeddings {
    StoredEmbeddings(try StoredEmbeddings.Search(reader()))
  }
}

/// Reads how checks came by vectors, one trial after the other.
final class EmbeddingUseReading {
  private let uses: Statement
  private let isNeeded: Bool

  /// - Parameter run: the number of the run; one that embedded nothing costs no query for each trial.
  init(run: Int64, set: Int64, _ connection: Connection) throws(StoreError) {
    isNeeded =
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM embedding_uses u JOIN trials t USING (trial_no) WHERE t.run_no = ?1)
        """, .integer(run)) == 1
    uses = try connection.prepare(
      """
      SELECT check_name, turn, embedder, texts, from_run, from_database FROM embedding_uses
      WHERE trial_no = ?1 AND generation = ?2 AND score_set = \(set) ORDER BY use_no
      """)
  }

  func uses(trial: Int64, generation: Int64, key: TrialKey, target: String) throws(StoreError)
    -> [EmbeddingUse]
  {
    guard isNeeded else { return [] }
    uses.bind([.integer(trial), .integer(generation)])
    var found: [EmbeddingUse] = []
    while try uses.step() {
      let place = JudgePlace(
        trial: key, target: target, check: uses.text(0) ?? "", turn: uses.int(1), purpose: .embed)
      found.append(
        EmbeddingUse(
          place: place, embedder: uses.text(2) ?? "", texts: uses.int(3) ?? 0, fromRun: uses.int(4) ?? 0,
          fromDatabase: uses.int(5) ?? 0))
    }
    return found
  }
}
