extension Schema {
  /// What judges did: every call, and every mark that was read from one.
  static let judges = """
    ALTER TABLE scores ADD COLUMN criteria TEXT;

    CREATE TABLE judge_calls (
      call_no INTEGER PRIMARY KEY,
      trial_no INTEGER NOT NULL REFERENCES trials,
      generation INTEGER NOT NULL,
      score_set INTEGER NOT NULL,
      check_name TEXT NOT NULL,
      rubric TEXT,
      turn INTEGER,
      part INTEGER NOT NULL,
      draw INTEGER NOT NULL,
      purpose TEXT NOT NULL,
      repair INTEGER NOT NULL,
      number INTEGER NOT NULL,
      judge TEXT NOT NULL,
      judge_hash TEXT NOT NULL,
      forced TEXT NOT NULL,
      temperature REAL,
      seed INTEGER,
      wait_ns INTEGER NOT NULL,
      duration_ns INTEGER,
      outcome TEXT NOT NULL,
      error_class TEXT,
      error_message TEXT,
      http_status INTEGER,
      finish TEXT,
      provenance TEXT NOT NULL,
      served_model TEXT,
      request_hash TEXT,
      has_usage INTEGER NOT NULL,
      input_tokens INTEGER,
      cached_input_tokens INTEGER,
      cache_write_tokens INTEGER,
      output_tokens INTEGER,
      reasoning_tokens INTEGER,
      cost_usd REAL,
      cost_is_lower_bound INTEGER NOT NULL,
      fault TEXT,
      fault_detail TEXT,
      preference TEXT,
      raw TEXT,
      raw_bytes INTEGER,
      raw_sha256 TEXT
    ) STRICT;
    CREATE INDEX judge_calls_of_trial ON judge_calls (trial_no);

    CREATE TABLE judge_marks (
      call_no INTEGER NOT NULL REFERENCES judge_calls,
      ordinal INTEGER NOT NULL,
      criterion TEXT NOT NULL,
      level INTEGER,
      levels INTEGER NOT NULL,
      label TEXT,
      reason TEXT,
      PRIMARY KEY (call_no, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER judge_calls_are_never_edited BEFORE UPDATE ON judge_calls
    BEGIN SELECT RAISE(ABORT, 'measurements are never edited'); END;

    CREATE VIEW judge_costs AS
    SELECT r.id AS run, j.judge, count(*) AS calls, sum(j.error_class IS NOT NULL) AS failed_calls,
      sum(j.fault IS NOT NULL) AS calls_without_verdict, sum(j.input_tokens) AS known_input_tokens,
      sum(j.output_tokens) AS known_output_tokens, count(*) - count(j.output_tokens) AS unknown_tokens,
      sum(j.cost_usd) AS known_cost_usd, count(*) - count(j.cost_usd) AS unknown_costs,
      max(j.cost_is_lower_bound) AS is_lower_bound
    FROM judge_calls j JOIN trials t USING (trial_no) JOIN runs r USING (run_no)
    GROUP BY r.run_no, j.judge;

    CREATE VIEW judge_results AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, g.name AS target, t.repeat, j.score_set, j.check_name, j.rubric,
      j.turn, j.judge, j.draw, j.purpose, m.criterion, m.level, m.levels, m.label, m.reason
    FROM judge_marks m
    JOIN judge_calls j USING (call_no)
    JOIN trials t ON t.trial_no = j.trial_no AND t.generation = j.generation
    JOIN runs r USING (run_no)
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no)
    WHERE t.status NOT IN ('open', 'cancelled');

    """

  /// Which answer judges preferred.
  static let comparisons = """
    ALTER TABLE judge_calls ADD COLUMN opponent TEXT;

    CREATE VIEW comparison_results AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, t.repeat, j.check_name AS comparison, g.name AS target,
      j.opponent, j.judge, iif(j.draw = 0, g.name, j.opponent) AS shown_first, j.preference,
      CASE j.preference WHEN 'tie' THEN 'tie'
        WHEN iif(j.draw = 0, 'first', 'second') THEN g.name ELSE iif(j.preference IS NULL, NULL, j.opponent) END
        AS preferred,
      j.fault
    FROM judge_calls j
    JOIN trials t ON t.trial_no = j.trial_no AND t.generation = j.generation
    JOIN runs r USING (run_no)
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no)
    WHERE j.purpose = 'compare' AND t.status NOT IN ('open', 'cancelled')
      AND j.call_no = (SELECT max(k.call_no) FROM judge_calls k
        WHERE k.trial_no = j.trial_no AND k.generation = j.generation AND k.check_name = j.check_name
          AND k.opponent = j.opponent AND k.judge = j.judge AND k.draw = j.draw);

    """
}
