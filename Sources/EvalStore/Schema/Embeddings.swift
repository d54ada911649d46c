extension Schema {
  /// Vectors of texts, by the hash of the text and of what made it, for every run; and which checks needed them.
  static let embeddings = """
    CREATE TABLE embeddings (
      key TEXT PRIMARY KEY,
      model TEXT NOT NULL,
      dimensions INTEGER NOT NULL,
      vector BLOB NOT NULL,
      created_at REAL NOT NULL
    ) STRICT;

    CREATE TABLE embedding_uses (
      use_no INTEGER PRIMARY KEY,
      trial_no INTEGER NOT NULL REFERENCES trials,
      generation INTEGER NOT NULL,
      score_set INTEGER NOT NULL,
      check_name TEXT NOT NULL,
      turn INTEGER,
      embedder TEXT NOT NULL,
      texts INTEGER NOT NULL,
      from_run INTEGER NOT NULL,
      from_database INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX embedding_uses_of_trial ON embedding_uses (trial_no);

    """
}
