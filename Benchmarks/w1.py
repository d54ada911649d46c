#!/usr/bin/env python3
"""w1.py EVALRUN [ROUNDS]: what a request costs. 16 tokens without a delay, concurrency 32, streamed, graded, stored.

The cost of a request is the slope of CPU time between 1,000 and 5,000 cases, which is free of start-up.
"""
import statistics
import sys

import bench

MODEL, CONCURRENCY, SIZES = "t16", 32, (1000, 5000)


def main(binary, rounds=5):
    bench.build()
    bench.heading("W1: cost of a request")
    figures = {(tool, n): [] for tool in ("evalrun", "cfloor") for n in SIZES}
    rates = {key: [] for key in figures}
    for _ in range(rounds):
        for tool, count in figures:
            with bench.Server("w1") as server:
                if tool == "evalrun":
                    figure = bench.evalrun(binary, bench.suite("w1", MODEL, count, server.port, CONCURRENCY))
                else:
                    figure = bench.floor(count, MODEL, server.port, CONCURRENCY)
                rows = server.rows()
            assert len(rows) == count and all(r["outcome"] == "ok" for r in rows), "not every request was answered"
            figures[tool, count].append(figure)
            rates[tool, count].append(count / bench.window(rows)[0])
    bench.table(
        ("tool", "cases", "wall s", "CPU s", "requests/s", "peak MB"),
        [
            (
                tool,
                count,
                bench.spread([f.wall for f in runs]),
                bench.spread([f.cpu for f in runs], 3),
                bench.spread(rates[tool, count], 0),
                bench.spread([f.memory for f in runs], 1),
            )
            for (tool, count), runs in figures.items()
        ],
    )
    small, large = SIZES
    for tool in ("evalrun", "cfloor"):
        pairs = zip(figures[tool, small], figures[tool, large])
        slopes = [(b.cpu - a.cpu) / (large - small) * 1000 for a, b in pairs]
        print(f"{tool}: {bench.spread(slopes, 3)} CPU-ms per request, by the slope of each round")
    print()


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
