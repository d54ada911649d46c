#!/usr/bin/env python3
"""w4.py EVALRUN: failures. 400 cases, 10 % of requests answered 429 with Retry-After: 1, 5 % cut mid-stream.

All must finish, Retry-After must be obeyed, cut streams tried again, and each attempt told apart from the whole.
"""
import sys

import bench
import compare_truth

MODEL, CONCURRENCY, COUNT = "t16-ttft20-itl2-e429p10-drop5", 32, 400


def gaps(rows):
    """By how the earlier attempt ended: seconds from its end to the receipt of the next, by the server's clock."""
    found = {}
    by_case = {}
    for row in sorted(rows, key=lambda r: r["t_received"]):
        before = by_case.get(row["id"])
        if before:
            found.setdefault(before["outcome"], []).append((row["t_received"] - before["t_done"]) / 1e9)
        by_case[row["id"]] = row
    return found


def main(binary):
    bench.build()
    bench.heading("W4: failures")
    with bench.Server("w4") as server:
        folder = bench.suite("w4", MODEL, COUNT, server.port, CONCURRENCY, retries={"limit": 5})
        figure = bench.evalrun(binary, folder)
        rows = server.rows()
    ends = {outcome: sum(r["outcome"] == outcome for r in rows) for outcome in ("ok", "error", "dropped")}
    pairs, unmatched = compare_truth.joined(bench.database(folder), rows)
    trials = {}
    for stored, _ in pairs:
        trials.setdefault(stored["case_id"], []).append(stored)
    finished = sum(any(a["ok"] for a in attempts) for attempts in trials.values())
    print(f"{finished} of {COUNT} finished; the server answered {len(rows)} requests: {ends}; evalrun stored {len(pairs)} "
          f"of them, {unmatched} are known to one side only; {figure.wall:.1f} s\n")
    bench.table(
        ("after", "retries", "shortest wait s", "median wait s", "longest wait s"),
        [
            (outcome, len(waits), f"{min(waits):.3f}", f"{bench.quantile(waits, 0.5):.3f}", f"{max(waits):.3f}")
            for outcome, waits in sorted(gaps(rows).items())
        ],
    )
    compare_truth.show(pairs, "last attempts of all cases")
    retried = [attempts for attempts in trials.values() if len(attempts) > 1]
    bench.table(
        (f"{len(retried)} cases with a retry", "median ms"),
        [
            ("time of the last attempt", f"{bench.quantile([a[-1]['elapsed_ms'] for a in retried], 0.5):.1f}"),
            ("waits before attempts", f"{bench.quantile([sum(x['wait_ms'] for x in a) for a in retried], 0.5):.1f}"),
            (
                "from the first attempt's start to the end",
                f"{bench.quantile([(a[-1]['started_at'] - a[0]['started_at']) * 1000 + a[-1]['elapsed_ms'] for a in retried], 0.5):.1f}",
            ),
        ],
    )
    early = [w for w in gaps(rows).get("error", []) if w < 1]
    assert finished == COUNT, "not every case finished"
    assert not early, f"{len(early)} retries came before Retry-After allowed them"
    assert unmatched == 0, "evalrun's attempts are not the server's"


if __name__ == "__main__":
    main(sys.argv[1])
