#!/usr/bin/env python3
"""compare.py EVALRUN [TRIALS...]: comparing and reporting by the number of trials, and the bootstrap of 10,000 cases.

A run of two profiles, half of the trials each, is made once; then `compare` and `report` read it, each format five times.
The bootstrap is timed by what 10,000 cases with costs take more than the same cases that are free.
"""
import json
import sys
from pathlib import Path
from statistics import median

import bench


def suite(name, count, port, prices):
    """A suite of two profiles, the second slower."""
    folder = bench.suite(name, "t16", count, port, 16)
    document = json.loads((folder / "suite.json").read_text())
    one = document["profiles"].pop("truth")
    for profile, model, price in zip(("first", "second"), ("t16", "t24"), prices):
        document["profiles"][profile] = {**one, "model": model, "price": price}
    document["run"]["maxConcurrency"] = 32
    (folder / "suite.json").write_text(json.dumps(document))
    return folder


def timed(binary, folder, *words):
    figures = [bench.run([binary, *words], folder, "output.txt") for _ in range(5)]
    if any(figure.code for figure in figures):
        sys.exit(f"{words} ended with {figures[0].code}: {(folder / 'output.txt').read_text()[-2000:]}")
    return figures


def main(binary, *sizes):
    binary = Path(binary).resolve()
    bench.build()
    bench.heading("Compare and report")
    rows = []
    price = {"input": 0.25, "output": 2}
    for trials in sizes or (1000, 10_000, 100_000):
        with bench.Server("compare") as server:
            folder = suite("compare", trials // 2, server.port, ("free", "free"))
            bench.evalrun(binary, folder)
        for words in (("compare", "latest"), ("compare", "latest", "-f", "json"), ("compare", "latest", "-f", "csv"),
                      ("report", "latest"), ("report", "latest", "-f", "json")):
            figures = timed(binary, folder, *words)
            rows.append((trials, " ".join(words), f"{median(f.wall for f in figures):.2f}",
                         f"{median(f.cpu for f in figures):.2f}", f"{max(f.memory for f in figures):.1f}"))
    bench.table(("trials", "command", "wall s", "CPU s", "peak MB"), rows)
    bench.heading("Bootstrap: 10,000 resamples of 10,000 cases")
    rows = []
    for label, prices in (("free", ("free", "free")), ("priced", (price, price))):
        with bench.Server("bootstrap") as server:
            folder = suite("bootstrap", 10_000, server.port, prices)
            bench.evalrun(binary, folder)
        figures = timed(binary, folder, "compare", "latest")
        rows.append((label, f"{median(f.wall for f in figures):.2f}", f"{median(f.cpu for f in figures):.2f}"))
    bench.table(("costs", "wall s", "CPU s"), rows)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
