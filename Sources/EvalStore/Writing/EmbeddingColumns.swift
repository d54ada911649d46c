import EvalCore

/// A vector on its way into its table.
struct EmbeddingSource {
  var new: EmbeddingUse.New
  var createdAt: Double

  static let columns: [Column<EmbeddingSource>] = [
    Column("key") { $0.hash($1.new.key) },
    Column("model") { $0.text($1.new.model) },
    Column("dimensions") { $0.integer($1.new.vector.count) },
    Column("vector") { $0.blob(EmbeddingBytes.bytes(of: $1.new.vector)) },
    Column("created_at") { $0.real($1.createdAt) },
  ]
}

/// What a check needed, on its way into its table.
struct EmbeddingUseSource {
  var trial: Int64
  var generation: Int64
  /// 0 for the run's own grading.
  var set: Int64
  var use: EmbeddingUse

  static let columns: [Column<EmbeddingUseSource>] = [
    Column("trial_no") { $0.integer($1.trial) },
    Column("generation") { $0.integer($1.generation) },
    Column("score_set") { $0.integer($1.set) },
    Column("check_name") { $0.text($1.use.place.check) },
    Column("turn") { $0.integer($1.use.place.turn) },
    Column("embedder") { $0.text($1.use.embedder) },
    Column("texts") { $0.integer($1.use.texts) },
    Column("from_run") { $0.integer($1.use.fromRun) },
    Column("from_database") { $0.integer($1.use.fromDatabase) },
  ]
}

/// Writes what checks needed of embedders, and the vectors that were learned.
final class EmbeddingWriting {
  private let insertUse: Insertion<EmbeddingUseSource>
  private let insertVector: Insertion<EmbeddingSource>

  init(_ connection: Connection) throws(StoreError) {
    insertUse = try Insertion(into: "embedding_uses", EmbeddingUseSource.columns, on: connection)
    insertVector = try Insertion(
      "INSERT OR REPLACE", into: "embeddings", EmbeddingSource.columns, on: connection)
  }

  /// - Parameter keepsVectors: false in a private run: a vector tells much of its text.
  func write(_ source: EmbeddingUseSource, keepsVectors: Bool, _ row: inout Row) throws(StoreError) {
    try insertUse.run(source, &row)
    guard keepsVectors else { return }
    let now = WallClock.now()
    for new in source.use.new { try insertVector.run(EmbeddingSource(new: new, createdAt: now), &row) }
  }
}

/// Vectors as bytes: 32-bit floating point numbers, the least significant byte first.
enum EmbeddingBytes {
  static func bytes(of vector: [Float]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(vector.count * 4)
    for number in vector {
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// `nil` for bytes that are no vector.
  static func vector(of bytes: UnsafeRawBufferPointer) -> [Float]? {
    guard bytes.count.isMultiple(of: 4), !bytes.isEmpty else { return nil }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    }
  }
}
