extension Schema {
  /// Attempts lie in the order of their trials: `attempt_no` is `trial_no` × 65,536 + a number in that trial, so that
  /// neither writing nor reading them needs an index.
  static let attemptsPerTrial: Int64 = 65_536

  /// Version 1. Times named `t_…` are monotonic nanoseconds; `sessions` holds what they count from.
  static let tables = """
    CREATE TABLE runs (
      run_no INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      name TEXT,
      suite_name TEXT NOT NULL,
      suite_path TEXT NOT NULL,
      suite_hash TEXT NOT NULL,
      plan_hash TEXT NOT NULL,
      status TEXT NOT NULL,
      seed TEXT NOT NULL,
      repeats INTEGER NOT NULL,
      planned_trials INTEGER NOT NULL,
      case_count INTEGER NOT NULL,
      started_at REAL NOT NULL,
      started_monotonic INTEGER NOT NULL,
      finished_at REAL,
      settings TEXT NOT NULL,
      provenance TEXT NOT NULL,
      recording TEXT,
      is_private INTEGER NOT NULL,
      tool_version TEXT NOT NULL,
      machine TEXT NOT NULL
    ) STRICT;
    CREATE INDEX runs_by_plan ON runs (plan_hash, started_at);

    CREATE TABLE sessions (
      run_no INTEGER NOT NULL REFERENCES runs,
      generation INTEGER NOT NULL,
      started_at REAL NOT NULL,
      started_monotonic INTEGER NOT NULL,
      process INTEGER NOT NULL,
      PRIMARY KEY (run_no, generation)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE targets (
      target_no INTEGER PRIMARY KEY,
      run_no INTEGER NOT NULL REFERENCES runs,
      position INTEGER,
      name TEXT NOT NULL,
      kind TEXT NOT NULL,
      hash TEXT NOT NULL,
      content TEXT
    ) STRICT;
    CREATE INDEX targets_by_run ON targets (run_no, position);

    CREATE TABLE cases (
      run_no INTEGER NOT NULL REFERENCES runs,
      case_no INTEGER NOT NULL,
      hash TEXT NOT NULL,
      case_id TEXT,
      tags TEXT,
      cluster TEXT,
      must_pass INTEGER,
      content TEXT,
      content_bytes INTEGER,
      content_sha256 TEXT,
      PRIMARY KEY (run_no, case_no)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE trials (
      trial_no INTEGER PRIMARY KEY,
      run_no INTEGER NOT NULL REFERENCES runs,
      case_no INTEGER NOT NULL,
      target_no INTEGER NOT NULL REFERENCES targets,
      repeat INTEGER NOT NULL,
      generation INTEGER NOT NULL,
      status TEXT NOT NULL,
      error_class TEXT,
      score REAL,
      passed INTEGER,
      unscored TEXT,
      duration_ns INTEGER,
      UNIQUE (run_no, case_no, target_no, repeat)
    ) STRICT;

    CREATE TABLE attempts (
      attempt_no INTEGER PRIMARY KEY,
      trial_no INTEGER NOT NULL REFERENCES trials,
      generation INTEGER NOT NULL,
      turn INTEGER NOT NULL,
      step INTEGER NOT NULL,
      number INTEGER NOT NULL,
      phase TEXT NOT NULL,
      profile TEXT NOT NULL,
      profile_hash TEXT NOT NULL,
      boundary TEXT,
      cause TEXT NOT NULL,
      decision TEXT,
      wait_ns INTEGER NOT NULL,
      in_flight INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      error_class TEXT,
      error_message TEXT,
      error_code TEXT,
      http_status INTEGER,
      retry_after_ms REAL,
      retryable INTEGER,
      in_band INTEGER,
      prompt_tokens INTEGER,
      context_size INTEGER,
      finish TEXT,
      raw_finish TEXT,
      provenance TEXT NOT NULL,
      served_model TEXT,
      response_id TEXT,
      request_hash TEXT,
      cold INTEGER,
      http_version TEXT,
      bytes_sent INTEGER,
      bytes_received INTEGER,
      t_scheduled INTEGER,
      t_start INTEGER,
      t_connection_ready INTEGER,
      t_first_byte INTEGER,
      t_first_event INTEGER,
      t_first_reasoning INTEGER,
      t_first_content INTEGER,
      t_first_tool INTEGER,
      t_last_token INTEGER,
      t_terminal INTEGER,
      t_done INTEGER,
      token_reads INTEGER NOT NULL,
      token_events INTEGER NOT NULL,
      token_stamps BLOB,
      has_usage INTEGER NOT NULL,
      input_tokens INTEGER,
      cached_input_tokens INTEGER,
      cache_write_tokens INTEGER,
      output_tokens INTEGER,
      reasoning_tokens INTEGER,
      cost_usd REAL,
      cost_is_lower_bound INTEGER NOT NULL,
      notes TEXT
    ) STRICT;

    CREATE TABLE texts (
      attempt_no INTEGER PRIMARY KEY REFERENCES attempts,
      request TEXT,
      request_bytes INTEGER,
      request_sha256 TEXT,
      answer TEXT,
      answer_bytes INTEGER,
      answer_sha256 TEXT,
      reasoning TEXT,
      reasoning_bytes INTEGER,
      reasoning_sha256 TEXT,
      tool_calls TEXT,
      tool_calls_bytes INTEGER,
      tool_calls_sha256 TEXT,
      refusal TEXT,
      refusal_bytes INTEGER,
      refusal_sha256 TEXT
    ) STRICT;

    CREATE TABLE scores (
      trial_no INTEGER NOT NULL REFERENCES trials,
      score_set INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      check_name TEXT NOT NULL,
      kind TEXT NOT NULL,
      weight REAL NOT NULL,
      turn INTEGER,
      value REAL,
      passed INTEGER,
      unscored TEXT,
      unscored_detail TEXT,
      explanation TEXT,
      duration_ns INTEGER,
      cost_usd REAL,
      cost_is_lower_bound INTEGER,
      PRIMARY KEY (trial_no, score_set, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE findings (
      finding_no INTEGER PRIMARY KEY,
      run_no INTEGER NOT NULL REFERENCES runs,
      code TEXT NOT NULL,
      message TEXT NOT NULL,
      advice TEXT,
      target TEXT
    ) STRICT;
    CREATE UNIQUE INDEX findings_once ON findings (run_no, code, ifnull(target, ''), message);

    CREATE TABLE pace (
      pace_no INTEGER PRIMARY KEY,
      run_no INTEGER NOT NULL REFERENCES runs,
      generation INTEGER NOT NULL,
      endpoint TEXT NOT NULL,
      t_changed INTEGER NOT NULL,
      width INTEGER NOT NULL,
      reason TEXT NOT NULL,
      pause_ns INTEGER
    ) STRICT;
    CREATE INDEX pace_of_run ON pace (run_no);

    CREATE TRIGGER attempts_are_never_edited BEFORE UPDATE ON attempts
    BEGIN SELECT RAISE(ABORT, 'measurements are never edited'); END;

    """
}
