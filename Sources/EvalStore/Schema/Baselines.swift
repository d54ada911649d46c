extension Schema {
  /// Names of runs to compare with. A run of this file is named by its number; what was imported is kept as the file had
  /// it.
  static let baselines = """
    CREATE TABLE baselines (
      name TEXT PRIMARY KEY,
      run_no INTEGER REFERENCES runs,
      content TEXT,
      set_at REAL NOT NULL,
      CHECK ((run_no IS NULL) <> (content IS NULL))
    ) STRICT, WITHOUT ROWID;

    """
}
