#!/usr/bin/env python3
"""w2.py EVALRUN [ROUNDS]: are the figures true? 64 tokens, the first after 50 ms, 10 ms apart, +-20 %, concurrency 64.

Every figure is held against the server's log, and the concurrency that was held against the one that was asked.
"""
import json
import sys

import bench
import compare_truth

MODEL, CONCURRENCY, COUNT = "t64-ttft50-itl10-j20", 64, 500


def floor_pairs(rows):
    """The floor's own stamps in the columns that evalrun's view has."""
    logged = {row["id"]: row for row in rows}
    pairs = []
    for line in open(bench.WORK / "floor.jsonl"):
        case = json.loads(line)
        stored = {"ttfc_ms": (case["first"] - case["sent"]) / 1e6, "e2e_ms": (case["end"] - case["sent"]) / 1e6}
        pairs.append((stored, logged[case["id"]]))
    return pairs


def main(binary, rounds=3):
    bench.build()
    bench.heading("W2: truth of the figures")
    costs = []
    for _ in range(rounds):
        with bench.Server("w2") as server:
            folder = bench.suite("w2", MODEL, COUNT, server.port, CONCURRENCY)
            figure = bench.evalrun(binary, folder)
            rows = server.rows()
        pairs, unmatched = compare_truth.joined(bench.database(folder), rows)
        assert len(pairs) == COUNT and unmatched == 0, f"{len(pairs)} of {COUNT} matched, {unmatched} not"
        compare_truth.show(pairs, "evalrun")
        costs.append(("evalrun", figure, rows))
        with bench.Server("w2") as server:
            figure = bench.floor(COUNT, MODEL, server.port, CONCURRENCY)
            rows = server.rows()
        compare_truth.show(floor_pairs(rows), "cfloor")
        costs.append(("cfloor", figure, rows))
    bench.table(
        ("tool", "CPU ms per request", "server's window s", "mean in flight", "peak MB"),
        [
            (tool, f"{figure.cpu / COUNT * 1000:.2f}", *(f"{v:.2f}" for v in bench.window(rows)), f"{figure.memory:.1f}")
            for tool, figure, rows in costs
        ],
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
