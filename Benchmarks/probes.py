#!/usr/bin/env python3
"""probes.py EVALRUN: the time that `route test` takes for 10,000 probes, process start and reading included."""
import json
import os
import random
import statistics
import subprocess
import sys
import time

PROBES = 10_000
RUNS = 7
WORK = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".work")

POLICY = {
    "policy": "private-first",
    "version": 1,
    "arms": {
        "on-device": {"boundary": "device", "contextSize": 4096, "capabilities": ["history"], "price": "free"},
        "private-cloud": {
            "boundary": "privateCloud",
            "contextSize": 32768,
            "capabilities": ["history", "tools"],
            "price": {"input": 1, "output": 2},
        },
        "cloud": {
            "boundary": "thirdParty",
            "contextSize": 200000,
            "capabilities": ["history", "tools", "images"],
            "price": {"input": 3, "output": 15},
        },
    },
    "constraints": {"windowMargin": 0.05, "reserveOutput": 600, "maxAttempts": 3, "maxCostPerCase": 0.05},
    "rules": [
        {"when": {"pinned": True}, "use": ["$pinned"]},
        {"when": {"network": "offline"}, "use": ["on-device"]},
        {
            "when": {"all": [{"tokensIn": {"atMost": 3000}}, {"task": {"in": ["classify", "rewrite"]}}]},
            "use": ["on-device", "private-cloud"],
        },
        {"when": {"lowPower": True, "sensitivity": "public"}, "use": ["cloud", "on-device"]},
        {"else": True, "use": ["private-cloud", "cloud", "on-device"]},
    ],
    "onError": {
        "unavailable": "next",
        "contextOverflow": "nextLarger",
        "rateLimited": {"retry": 1, "then": "next"},
        "network": "next",
        "service": "next",
        "parseFailure": {"retry": 1, "then": "next"},
    },
}


def probe(draw):
    signals = {
        "sensitivity": draw.choice(["public", "internal", "private", "secret"]),
        "consent": draw.choice([True, False, ["privateCloud"]]),
        "network": draw.choice(["online", "constrained", "offline"]),
        "task": draw.choice(["classify", "rewrite", "plan"]),
        "lowPower": draw.random() < 0.3,
    }
    errors = {arm: draw.choice(["network", "rateLimited", "guardrail"]) for arm in POLICY["arms"] if draw.random() < 0.3}
    return {"signals": signals, "tokensIn": draw.randrange(6000), "errors": errors, "mustNot": []}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: probes.py EVALRUN")
    os.makedirs(WORK, exist_ok=True)
    draw = random.Random(1)
    policy, probes = os.path.join(WORK, "policy.json"), os.path.join(WORK, "probes.jsonl")
    with open(policy, "w") as file:
        json.dump(POLICY, file)
    with open(probes, "w") as file:
        for _ in range(PROBES):
            file.write(json.dumps(probe(draw)) + "\n")
    wall, cpu = [], []
    for _ in range(RUNS):
        before, begin = os.times(), time.monotonic()
        done = subprocess.run([sys.argv[1], "route", "test", policy, probes], capture_output=True, text=True)
        wall.append(time.monotonic() - begin)
        after = os.times()
        cpu.append(after.children_user + after.children_system - before.children_user - before.children_system)
        expected = f"{PROBES} probes, all as expected\n"
        if done.returncode != 0 or done.stdout != expected:
            sys.exit(f"route test failed: {done.stdout}{done.stderr}")
    print(f"| {PROBES:,} probes, wall / CPU, median of {RUNS} | {statistics.median(wall):.2f} s "
          f"({min(wall):.2f}–{max(wall):.2f}) / {statistics.median(cpu):.2f} s |")


if __name__ == "__main__":
    main()
