extension Schema {
  /// Version 1. Intervals are in milliseconds and follow `Docs/Metrics.md`.
  ///
  /// `latency_percentiles` is all windows over the same partition and no `GROUP BY`: so SQLite brings a query's conditions
  /// on run and metric down to the rows, which makes it twenty times faster.
  static let views = """
    CREATE VIEW attempt_stamps AS
    SELECT *, nullif(min(ifnull(t_first_reasoning, 9223372036854775807),
                         ifnull(t_first_content, 9223372036854775807),
                         ifnull(t_first_tool, 9223372036854775807)), 9223372036854775807) AS t_first_token,
      outcome = 'ok' AS ok
    FROM attempts;

    CREATE VIEW attempt_metrics AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, g.name AS target, g.kind AS target_kind, t.repeat,
      a.attempt_no, a.generation, a.number, a.turn, a.step,
      iif(a.turn = 0 AND a.step = 0, 'first', 'later') AS turns,
      a.generation = t.generation AND t.status NOT IN ('open', 'cancelled') AS counted,
      a.phase, a.provenance, a.profile, a.boundary, a.cause,
      a.outcome, a.ok, a.error_class, a.error_message, a.http_status, a.finish,
      CASE a.cold WHEN 1 THEN 'cold' WHEN 0 THEN 'warm' END AS connection,
      CASE WHEN a.cached_input_tokens > 0 THEN 'hit' WHEN a.cached_input_tokens = 0 THEN 'miss' END
        AS prompt_cache,
      a.http_version, a.served_model, a.in_flight,
      s.started_at + (a.t_start - s.started_monotonic) / 1e9 AS started_at,
      a.wait_ns / 1e6 AS wait_ms,
      (a.t_start - a.t_scheduled) / 1e6 AS queue_ms,
      (a.t_connection_ready - a.t_start) / 1e6 AS connect_ms,
      (a.t_first_byte - a.t_start) / 1e6 AS ttfb_ms,
      (a.t_first_token - a.t_start) / 1e6 AS ttft_ms,
      (a.t_first_content - a.t_start) / 1e6 AS ttfc_ms,
      iif(a.ok, (a.t_last_token - a.t_start) / 1e6, NULL) AS e2e_ms,
      iif(a.ok, (ifnull(a.t_terminal, a.t_done) - a.t_start) / 1e6, NULL) AS total_ms,
      (ifnull(a.t_done, a.t_terminal) - a.t_start) / 1e6 AS elapsed_ms,
      CASE WHEN a.output_tokens > 1 AND a.token_reads >= 2 AND a.t_last_token > a.t_first_token
          AND NOT ifnull(a.output_tokens >= 16 AND (a.token_reads <= 2
            OR (a.t_last_token - a.t_first_token) < 0.02 * (a.t_last_token - a.t_start)), 0)
        THEN (a.t_last_token - a.t_first_token) / 1e6 / (a.output_tokens - 1) END AS tpot_ms,
      a.input_tokens, a.cached_input_tokens, a.cache_write_tokens, a.output_tokens, a.reasoning_tokens,
      a.token_reads, a.token_events, a.bytes_sent, a.bytes_received, a.cost_usd, a.cost_is_lower_bound
    FROM runs r
    JOIN trials t USING (run_no)
    JOIN attempt_stamps a ON a.trial_no = t.trial_no
      AND a.attempt_no BETWEEN t.trial_no * 65536 AND t.trial_no * 65536 + 65535
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no)
    JOIN sessions s ON s.run_no = t.run_no AND s.generation = a.generation;

    CREATE VIEW latency_values AS
    SELECT run, target, profile, provenance, connection, prompt_cache, turns, m.column1 AS metric,
      CASE m.column1 WHEN 'queue' THEN queue_ms WHEN 'connect' THEN connect_ms WHEN 'ttfb' THEN ttfb_ms
        WHEN 'ttft' THEN ttft_ms WHEN 'ttfc' THEN ttfc_ms WHEN 'e2e' THEN e2e_ms WHEN 'total' THEN total_ms
        WHEN 'tpot' THEN tpot_ms END AS ms
    FROM (VALUES ('queue'), ('connect'), ('ttfb'), ('ttft'), ('ttfc'), ('e2e'), ('total'), ('tpot')) m
    CROSS JOIN attempt_metrics
    WHERE phase = 'measured' AND counted AND ok;

    CREATE VIEW latency_percentiles AS
    SELECT run, target, profile, provenance, connection, prompt_cache, turns, metric, n,
      p50_ms, p90_ms, p95_ms, p99_ms, min_ms, max_ms
    FROM (
      SELECT *,
        max(iif(rank = (n * 50 + 99) / 100, ms, NULL)) OVER same AS p50_ms,
        max(iif(rank = (n * 90 + 99) / 100, ms, NULL)) OVER same AS p90_ms,
        max(iif(rank = (n * 95 + 99) / 100, ms, NULL)) OVER same AS p95_ms,
        max(iif(rank = (n * 99 + 99) / 100, ms, NULL)) OVER same AS p99_ms,
        min(ms) OVER same AS min_ms, max(ms) OVER same AS max_ms
      FROM (
        SELECT *,
          row_number() OVER (PARTITION BY run, target, profile, provenance, connection, prompt_cache, turns,
            metric ORDER BY ms) AS rank,
          count(*) OVER (PARTITION BY run, target, profile, provenance, connection, prompt_cache, turns, metric)
            AS n
        FROM latency_values WHERE ms IS NOT NULL)
      WINDOW same AS (PARTITION BY run, target, profile, provenance, connection, prompt_cache, turns, metric))
    WHERE rank = 1;

    CREATE VIEW trial_scores AS
    SELECT trial_no, score_set,
      iif(count(unscored) = 0, sum(weight * value) / sum(weight), NULL) AS score,
      CASE WHEN min(passed) = 0 THEN 0 WHEN count(unscored) = 0 THEN min(passed) END AS passed,
      count(*) AS checks, count(unscored) AS unscored_checks
    FROM scores GROUP BY trial_no, score_set;

    CREATE VIEW trial_results AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, c.tags, c.cluster, c.must_pass,
      g.name AS target, g.kind AS target_kind, t.repeat, t.status, t.error_class,
      t.score, t.passed, t.unscored, t.duration_ns / 1e6 AS duration_ms,
      count(a.attempt_no) AS attempts,
      count(*) FILTER (WHERE a.cause LIKE 'retry:%') AS retries,
      count(*) FILTER (WHERE a.cause LIKE 'fallback:%') AS fallbacks,
      ifnull(sum(a.wait_ns), 0) / 1e6 AS wait_ms,
      CASE max(CASE a.boundary WHEN 'thirdParty' THEN 3 WHEN 'privateCloud' THEN 2 WHEN 'device' THEN 1 END)
        WHEN 3 THEN 'thirdParty' WHEN 2 THEN 'privateCloud' WHEN 1 THEN 'device' END AS farthest_boundary,
      iif(count(a.attempt_no) = count(a.input_tokens), sum(a.input_tokens), NULL) AS input_tokens,
      iif(count(a.attempt_no) = count(a.output_tokens), sum(a.output_tokens), NULL) AS output_tokens,
      iif(count(a.attempt_no) = count(a.cost_usd), ifnull(sum(a.cost_usd), 0), NULL) AS cost_usd,
      ifnull(max(a.cost_is_lower_bound), 0) AS cost_is_lower_bound
    FROM trials t
    JOIN runs r USING (run_no)
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no)
    LEFT JOIN attempts a ON a.trial_no = t.trial_no
      AND a.attempt_no BETWEEN t.trial_no * 65536 AND t.trial_no * 65536 + 65535
      AND a.generation = t.generation AND a.phase = 'measured'
    WHERE t.status <> 'open'
    GROUP BY t.trial_no;

    CREATE VIEW score_results AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, g.name AS target, t.repeat, t.status,
      s.score_set, s.check_name, s.kind, s.weight, s.turn, s.value, s.passed, s.unscored, s.unscored_detail,
      s.explanation, s.duration_ns / 1e6 AS duration_ms, s.cost_usd, s.cost_is_lower_bound
    FROM scores s
    JOIN trials t USING (trial_no)
    JOIN runs r USING (run_no)
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no);

    CREATE VIEW run_costs AS
    SELECT r.id AS run, count(a.attempt_no) AS attempts,
      sum(a.generation < t.generation OR t.status IN ('open', 'cancelled')) AS uncounted_attempts,
      sum(a.phase = 'warmup') AS warmup_attempts,
      sum(a.cost_usd) AS known_cost_usd, count(a.attempt_no) - count(a.cost_usd) AS unknown_costs,
      ifnull(max(a.cost_is_lower_bound), 0) AS is_lower_bound
    FROM runs r
    LEFT JOIN trials t USING (run_no)
    LEFT JOIN attempts a ON a.trial_no = t.trial_no
      AND a.attempt_no BETWEEN t.trial_no * 65536 AND t.trial_no * 65536 + 65535
    GROUP BY r.run_no;

    """
}
