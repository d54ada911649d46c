extension Schema {
  /// New gradings of stored answers. Calls of judges are told apart by process: those of a set carry the set's own
  /// generation, and a trial counts with the calls of the process that graded it.
  static let scoreSets = """
    CREATE TABLE score_sets (
      run_no INTEGER NOT NULL REFERENCES runs,
      score_set INTEGER NOT NULL CHECK (score_set > 0),
      name TEXT,
      created_at REAL NOT NULL,
      finished_at REAL,
      hash TEXT NOT NULL,
      suite_name TEXT NOT NULL,
      suite_path TEXT NOT NULL,
      suite_hash TEXT NOT NULL,
      tool_version TEXT NOT NULL,
      provenance TEXT NOT NULL,
      generation INTEGER NOT NULL,
      trials INTEGER NOT NULL,
      planned_trials INTEGER NOT NULL,
      skipped_cases INTEGER NOT NULL,
      skipped TEXT NOT NULL,
      judging TEXT,
      PRIMARY KEY (run_no, score_set)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX score_sets_by_name ON score_sets (run_no, name) WHERE name IS NOT NULL;

    CREATE TABLE set_trials (
      trial_no INTEGER NOT NULL REFERENCES trials,
      score_set INTEGER NOT NULL CHECK (score_set > 0),
      generation INTEGER NOT NULL,
      score REAL,
      passed INTEGER,
      unscored TEXT,
      PRIMARY KEY (trial_no, score_set)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER scores_are_never_edited BEFORE UPDATE ON scores
    BEGIN SELECT RAISE(ABORT, 'scores are never edited'); END;
    CREATE TRIGGER set_trials_are_never_edited BEFORE UPDATE ON set_trials
    BEGIN SELECT RAISE(ABORT, 'scores are never edited'); END;
    CREATE TRIGGER texts_are_never_edited BEFORE UPDATE ON texts
    BEGIN SELECT RAISE(ABORT, 'measurements are never edited'); END;
    CREATE TRIGGER reopened_trials_leave_their_sets AFTER UPDATE OF status ON trials WHEN NEW.status = 'open'
    BEGIN DELETE FROM set_trials WHERE trial_no = NEW.trial_no; END;

    DROP VIEW judge_costs;
    CREATE VIEW judge_costs AS
    SELECT r.id AS run, j.score_set, j.judge, count(*) AS calls, sum(j.error_class IS NOT NULL) AS failed_calls,
      sum(j.fault IS NOT NULL) AS calls_without_verdict, sum(j.input_tokens) AS known_input_tokens,
      sum(j.output_tokens) AS known_output_tokens, count(*) - count(j.output_tokens) AS unknown_tokens,
      sum(j.cost_usd) AS known_cost_usd, count(*) - count(j.cost_usd) AS unknown_costs,
      max(j.cost_is_lower_bound) AS is_lower_bound
    FROM judge_calls j JOIN trials t USING (trial_no) JOIN runs r USING (run_no)
    GROUP BY r.run_no, j.score_set, j.judge;

    DROP VIEW judge_results;
    CREATE VIEW judge_results AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, g.name AS target, t.repeat, j.score_set, j.check_name, j.rubric,
      j.turn, j.judge, j.draw, j.purpose, m.criterion, m.level, m.levels, m.label, m.reason
    FROM judge_marks m
    JOIN judge_calls j USING (call_no)
    JOIN trials t USING (trial_no)
    LEFT JOIN set_trials s ON s.trial_no = j.trial_no AND s.score_set = j.score_set
    JOIN runs r USING (run_no)
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no)
    WHERE t.status NOT IN ('open', 'cancelled') AND j.generation = iif(j.score_set = 0, t.generation, s.generation);

    CREATE VIEW set_results AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, g.name AS target, t.repeat, t.status, s.score_set, n.name AS set_name,
      s.score, s.passed, s.unscored, t.score AS old_score, t.passed AS old_passed, t.unscored AS old_unscored
    FROM set_trials s
    JOIN trials t USING (trial_no)
    JOIN score_sets n ON n.run_no = t.run_no AND n.score_set = s.score_set
    JOIN runs r ON r.run_no = t.run_no
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no)
    WHERE t.status NOT IN ('open', 'cancelled');

    """
}
