extension Schema {
  /// What people said of answers that judges judged.
  static let judgeLabels = """
    ALTER TABLE judge_calls ADD COLUMN form TEXT;

    CREATE TABLE judge_forms (
      hash TEXT PRIMARY KEY,
      content TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE judge_labels (
      form TEXT NOT NULL,
      judges TEXT NOT NULL,
      case_hash TEXT NOT NULL,
      target_hash TEXT NOT NULL,
      repeat INTEGER NOT NULL,
      turn INTEGER NOT NULL,
      answer_sha256 TEXT NOT NULL,
      target TEXT NOT NULL,
      check_name TEXT NOT NULL,
      person INTEGER NOT NULL,
      judge INTEGER NOT NULL,
      stratum INTEGER,
      stratum_answers INTEGER,
      source TEXT NOT NULL,
      labelled_by TEXT,
      run TEXT NOT NULL,
      checked_at REAL NOT NULL,
      PRIMARY KEY (form, judges, case_hash, target_hash, repeat, turn, answer_sha256)
    ) STRICT, WITHOUT ROWID;

    """
}
