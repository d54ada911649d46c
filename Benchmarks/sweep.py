#!/usr/bin/env python3
"""sweep.py EVALRUN [ROUNDS]: 10,000 policies over 10,000 recorded cases, without a call.

The store is made by a real run of two profiles against gtserver. What is measured is the whole process of
`evalrun route sweep`: reading the store, building the policies, scoring, the report. The same with one policy
shows what does not depend on their number.
"""
import json
import random
import shutil
import sys
from pathlib import Path

import bench

CASES, STEPS = 10_000, 100
POLICY = {
    "policy": "two-thresholds",
    "version": 1,
    "rules": [
        {"when": {"all": [{"task": "answer"}, {"tokensIn": {"atMost": 500}}]}, "use": ["near", "far"]},
        {"when": {"all": [{"task": {"in": ["rewrite", "classify"]}}, {"tokensIn": {"atMost": 500}}]}, "use": ["near", "far"]},
        {"else": True, "use": ["far", "near"]},
    ],
    "onError": {"rateLimited": "next", "service": "next"},
}


def folder_with_run(binary):
    """A folder with a suite of two profiles and the database of its run."""
    folder = bench.WORK / "sweep"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    draw = random.Random(1)
    with open(folder / "cases.jsonl", "w") as file:
        for i in range(CASES):
            code = f"K{i:05d}"
            text = f"[[id:c{i:05d}]] Answer with the code: ANSWER={code} " + "word " * draw.randrange(1, 1000)
            signals = {"sensitivity": "public", "consent": True, "task": draw.choice(["answer", "rewrite", "classify"])}
            print(json.dumps({"id": f"c{i:05d}", "input": text, "reference": code, "signals": signals}), file=file)
    with bench.Server("sweep") as server:
        def profile(model, boundary, price):
            return {"endpoint": f"http://127.0.0.1:{server.port}/v1", "model": model, "boundary": boundary, "price": price}
        suite = {
            "version": 1,
            "name": "sweep",
            "profiles": {
                "near": profile("t8-acc50", "device", "free"),
                "far": profile("t8-acc85", "thirdParty", {"input": 0.5, "output": 1.5}),
            },
            "cases": {"file": "cases.jsonl"},
            "checks": [{"contains": "{{reference}}"}],
            "run": {"concurrency": 32, "maxConcurrency": 32},
        }
        (folder / "suite.json").write_text(json.dumps(suite))
        (folder / "policy.json").write_text(json.dumps(POLICY))
        bench.evalrun(binary, folder)
    return folder


def sweep(binary, folder, steps):
    vary = [f"rules[{rule}].when.tokensIn.atMost=10:{10 * steps}:10" for rule in (0, 1)]
    command = [Path(binary).resolve(), "route", "sweep", "latest", "--policy", "policy.json", "--format", "json",
               "--subject-to", "cloudShare<=1, leaks=0", "--output", "report.json"]
    for text in vary:
        command += ["--vary", text]
    figure = bench.run(command, folder, "sweep.txt")
    if figure.code != 0:
        sys.exit(f"the sweep ended with {figure.code}: {(folder / 'sweep.txt').read_text()[-2000:]}")
    report = json.loads((folder / "report.json").read_text())
    assert report["policies"] == report["compared"] == steps * steps, "not every policy was scored"
    assert report["tuningCases"] + report["heldOutCases"] == CASES, "not every case was looked at"
    return figure


def main(binary, rounds=3):
    bench.build()
    bench.heading("Sweep: 10,000 policies over 10,000 recorded cases")
    folder = folder_with_run(binary)
    rows = []
    for steps in (1, STEPS):
        figures = [sweep(binary, folder, steps) for _ in range(rounds)]
        rows.append((
            f"{steps * steps:,}", bench.spread([f.wall for f in figures]), bench.spread([f.cpu for f in figures]),
            bench.spread([f.memory for f in figures], 0)))
    bench.table(("policies", "wall s", "CPU s", "peak MB"), rows)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
