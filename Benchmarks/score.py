#!/usr/bin/env python3
"""score.py EVALRUN [ANSWERS...]: stored answers graded anew by ten deterministic checks.

The answers, of 64 tokens, are made by a real run against gtserver and graded there by one check. What is measured is the whole
process of `evalrun score`: reading the suite and the answers, grading, storing ten scores an answer, and the side-by-side report.
The same command once more, when nothing is left to grade, shows what is not grading.
"""
import json
import sys
from pathlib import Path

import bench

CHECKS = [
    {"contains": "{{reference}}", "name": "code"},
    {"regex": "ANSWER=K[0-9]{5}Q[0-9A-F]{6}", "name": "form"},
    {"not": {"contains": "sorry", "ignoreCase": True}, "name": "no-excuse"},
    {"length": {"max": 80}, "unit": "words", "name": "short"},
    {"startsWith": "ANSWER", "name": "begins"},
    {"similarity": "tokenF1", "threshold": 0.02, "name": "alike"},
    {"exact": "{{reference}}", "name": "exact"},
    {"finish": "stop", "name": "ended"},
    {"refusal": False, "phrases": True, "name": "answered"},
    {"any": [{"contains": "ANSWER="}, {"number": 42}], "name": "any"},
]
ROUNDS = 5


def measured(binary, folder, *words):
    figure = bench.run([binary, "score", "latest", "--with", "ten.json", *words], folder, "score.txt")
    if figure.code != 0:
        sys.exit(f"score ended with {figure.code}: {(folder / 'score.txt').read_text()[-2000:]}")
    return figure


def main(binary, *sizes):
    binary = Path(binary).resolve()
    bench.build()
    bench.heading("Stored answers, ten checks")
    rows = []
    for count in sizes or (1000, 10_000):
        with bench.Server("score") as server:
            folder = bench.suite("score", "t64", count, server.port, 32)
            bench.evalrun(binary, folder)
        document = json.loads((folder / "suite.json").read_text())
        document["checks"] = CHECKS
        (folder / "ten.json").write_text(json.dumps(document))
        graded = [measured(binary, folder, "--again") for _ in range(ROUNDS)]
        there = [measured(binary, folder) for _ in range(ROUNDS)]
        rows.append((f"{count:,}", bench.spread([f.wall for f in graded]), bench.spread([f.cpu for f in graded]),
                     bench.spread([f.cpu for f in there]), f"{max(f.memory for f in graded):.1f}"))
    bench.table(("answers", "wall s", "CPU s", "CPU s, nothing left to grade", "peak MB"), rows)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
