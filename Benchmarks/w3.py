#!/usr/bin/env python3
"""w3.py EVALRUN [RUNS]: start-up. `--version` beside `curl --version`, and one case from start to exit."""
import statistics
import sys
from pathlib import Path

import bench


def main(binary, runs=25):
    bench.build()
    bench.heading("W3: start-up")
    binary = Path(binary).resolve()
    figures = {"evalrun --version": [], "curl --version": [], "evalrun, one case": [], "cfloor, one case": []}
    for _ in range(runs):
        figures["evalrun --version"].append(bench.run([binary, "--version"], bench.WORK))
        figures["curl --version"].append(bench.run(["curl", "--version"], bench.WORK))
        with bench.Server("w3") as server:
            folder = bench.suite("w3", "t16", 1, server.port, 1)
            figures["evalrun, one case"].append(bench.evalrun(binary, folder))
            figures["cfloor, one case"].append(bench.floor(1, "t16", server.port, 1))
    bench.table(
        ("command", "wall ms", "CPU ms", "peak MB"),
        [
            (
                name,
                bench.spread([f.wall * 1000 for f in all_runs], 1),
                bench.spread([f.cpu * 1000 for f in all_runs], 1),
                bench.spread([f.memory for f in all_runs], 1),
            )
            for name, all_runs in figures.items()
        ],
    )
    pairs = zip(figures["evalrun --version"], figures["curl --version"])
    ratios = [ours.wall / theirs.wall for ours, theirs in pairs]
    print(f"--version takes {statistics.median(ratios):.2f} of curl's time (median of the pairs)\n")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
