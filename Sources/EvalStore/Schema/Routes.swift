extension Schema {
  /// What routes add: why a trial ended and whose answer was served, the signals of a case, how far a suite lets content
  /// travel; and the attempt log of routes as a view.
  static let routes = """
    ALTER TABLE runs ADD COLUMN privacy TEXT;
    ALTER TABLE cases ADD COLUMN signals TEXT;
    ALTER TABLE cases ADD COLUMN expects TEXT;
    ALTER TABLE trials ADD COLUMN served TEXT;
    ALTER TABLE trials ADD COLUMN ending TEXT;

    DROP VIEW trial_results;
    CREATE VIEW trial_results AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, c.tags, c.cluster, c.must_pass, c.expects,
      g.name AS target, g.kind AS target_kind, t.repeat, t.status, t.error_class,
      t.score, t.passed, t.unscored, t.duration_ns / 1e6 AS duration_ms,
      count(a.attempt_no) AS attempts,
      count(*) FILTER (WHERE a.cause LIKE 'retry:%') AS retries,
      count(*) FILTER (WHERE a.cause LIKE 'fallback:%') AS fallbacks,
      count(*) FILTER (WHERE a.cause = 'escalation') AS escalations,
      ifnull(sum(a.wait_ns), 0) / 1e6 AS wait_ms,
      CASE max(CASE a.boundary WHEN 'thirdParty' THEN 3 WHEN 'privateCloud' THEN 2 WHEN 'device' THEN 1 END)
        WHEN 3 THEN 'thirdParty' WHEN 2 THEN 'privateCloud' WHEN 1 THEN 'device' END AS farthest_boundary,
      ifnull(max(a.boundary IS NOT 'device' AND a.bytes_sent IS NOT 0), 0) AS left_device,
      iif(t.status = 'blocked', NULL, ifnull(json_extract(t.served, '$[#-1]'), max(a.number)))
        AS served_attempt,
      json_extract(t.ending, '$.reason') AS ended_because,
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

    CREATE VIEW route_attempts AS
    SELECT r.id AS run, c.case_id, c.hash AS case_hash, g.name AS route, t.repeat, t.status,
      c.signals, a.turn, a.step, a.number, a.profile, a.boundary, a.cause, a.outcome, a.error_class, a.bytes_sent,
      ifnull(a.number IN (SELECT value FROM json_each(t.served)), 0) AS served,
      json_extract(a.decision, '$.policy') AS policy, json_extract(a.decision, '$.rule.index') AS rule,
      json_extract(a.decision, '$.rule.name') AS rule_name,
      json_extract(a.decision, '$.nanoseconds') / 1e6 AS decision_ms, a.decision, a.cost_usd
    FROM runs r
    JOIN trials t USING (run_no)
    JOIN attempts a ON a.trial_no = t.trial_no
      AND a.attempt_no BETWEEN t.trial_no * 65536 AND t.trial_no * 65536 + 65535
      AND a.generation = t.generation AND a.phase = 'measured'
    JOIN cases c ON c.run_no = t.run_no AND c.case_no = t.case_no
    JOIN targets g USING (target_no)
    WHERE g.kind = 'route' AND t.status NOT IN ('open', 'cancelled');

    """
}
