#!/usr/bin/env python3
"""memory.py EVALRUN [TRIALS...]: peak resident memory by the number of trials; it should not grow with them."""
import sys

import bench


def main(binary, *sizes):
    bench.build()
    bench.heading("Memory")
    rows = []
    for count in sizes or (1000, 10000, 100000):
        with bench.Server("memory") as server:
            folder = bench.suite("memory", "t16", count, server.port, 32)
            figure = bench.evalrun(binary, folder)
            answered = len(server.rows())
        size = bench.database(folder).stat().st_size / 1e6
        rows.append((count, answered, f"{figure.memory:.1f}", f"{figure.wall:.1f}", f"{figure.cpu:.2f}", f"{size:.1f}"))
    bench.table(("trials", "answered", "peak MB", "wall s", "CPU s", "database MB"), rows)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
