"""Writes routing.json: a small recorded world, and what three policies come to in it, worked out apart from EvalAnalysis.

Run with `python3 routing.py` (needs numpy and scipy); the tests read the file. The definitions are those of
Docs/RoutingScores.md. AUC and APGR are RouteLLM's own formulas (lm-sys/RouteLLM, routellm/evals/evaluate.py:
`auc_metric`, `apgr_metric`, `pct_call_metric`), with numpy's trapezoid and interp.
"""

import itertools
import json
import math
import pathlib
import random

import numpy
from scipy import stats

numpy_trapezoid = getattr(numpy, "trapezoid", None) or numpy.trapz

# ---- SplitMix64 and Lemire's bounded draw, as Docs/Statistics.md names them


class SplitMix:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def below(self, bound):
        product = self.next() * bound
        if product % 2**64 < bound:
            least = (2**64 - bound) % bound
            while product % 2**64 < least:
                product = self.next() * bound
        return product >> 64


def interval(values, units):
    tail = stats.norm.cdf(-math.sqrt(units / (units - 1)) * stats.t.ppf(0.975, units - 1))
    values = sorted(values)
    rank = max(1, int((len(values) + 1) * tail))
    return [values[rank - 1], values[len(values) - rank]]


# ---- The world

ARMS = ["near", "pcc", "far"]
REACH = {"near": 0, "pcc": 1, "far": 2}
LIMIT = {"public": 2, "internal": 1, "private": 1, "secret": 0}
REPEATS = 2
RESAMPLES = 2_000


def world():
    draw = random.Random(11)
    cases = []
    for index in range(48):
        tokens = draw.choice([50, 120, 400, 900, 2200, 3600])
        case = {
            "id": f"case {index}",
            "cluster": f"source {index // 3}" if index < 30 else None,
            "weight": draw.choice([1, 1, 1, 2]),
            "tokens": tokens,
            "sensitivity": draw.choice(["public"] * 30 + ["internal", "private", "secret"]),
            "consent": draw.random() < 0.98,
            "expects": "block" if index == 40 else "answer",
            "cells": {},
        }
        for arm in ARMS:
            skill = {"near": 0.5, "pcc": 0.6, "far": 0.85}[arm] - tokens / 12000
            cells = []
            usual = draw.random() < skill
            for repeat in range(REPEATS):
                errors = []
                if arm == "near" and tokens > 3000:
                    errors = ["contextSizeExceeded"]
                elif arm == "far" and draw.random() < 0.1:
                    errors = ["rateLimited"]
                answered = errors != ["contextSizeExceeded"]
                quality = (1.0 if usual == (draw.random() < 0.9) else draw.choice([0.0, 0.0, 0.25])) if answered else None
                cell = {
                    "errors": errors,
                    "answered": answered,
                    "quality": quality,
                    "score": round(min(1, max(0, (quality or 0) * 0.6 + draw.random() * 0.4)), 3),
                    "dollars": 0 if arm == "near" else round(tokens * {"pcc": 1e-6, "far": 4e-6}[arm], 9),
                    "seconds": round({"near": 0.4, "pcc": 0.9, "far": 1.3}[arm] + draw.random(), 3),
                    "tokens": [tokens, draw.randrange(5, 60)],
                }
                if index == 11 and arm == "pcc" and repeat == 1:
                    cell["quality"] = None  # a grader failed
                cells.append(cell)
            case["cells"][arm] = cells
        cases.append(case)
    return cases


FAILURE = {"dollars": 0.0001, "seconds": 0.25, "wait": 0.5}


def call(cell, retried):
    """The attempts of one call: (end, dollars, seconds, tokens). `retried` takes the recording's retries along."""
    attempts = [(kind, FAILURE["dollars"], FAILURE["seconds"], None) for kind in cell["errors"]]
    if cell["answered"]:
        wait = FAILURE["wait"] if cell["errors"] else 0
        attempts.append(("ok", cell["dollars"], cell["seconds"] + wait, cell["tokens"]))
    return attempts if retried else attempts[:1]


def walk(case, repeat, use, policy):
    """use: arms in order. policy: fallback on errors, accept a score."""
    log, answers = [], []
    cause = "first"
    for place, arm in enumerate(use):
        cell = case["cells"][arm][repeat]
        attempts = call(cell, policy.get("alone"))
        for number, attempt in enumerate(attempts):
            log.append((arm, cause if number == 0 else "retry", *attempt))
        end = attempts[-1][0]
        last = place + 1 == len(use)
        if end != "ok":
            answers.append((arm, None, "failed"))
            if end in policy.get("next", []) and not last:
                cause = "fallback"
                continue
            break
        answers.append((arm, cell["quality"], "ok"))
        if policy.get("accept") is not None and cell["score"] < policy["accept"] and not last:
            cause = "escalation"
            continue
        break
    arm, quality, status = answers[-1]
    if case["expects"] == "block":
        quality = 0.0
    elif status == "failed":
        quality = 0.0
    return {"log": log, "arm": arm, "quality": quality, "status": status}


POLICIES = {
    "near": lambda c: (["near"], {"alone": True}),
    "pcc": lambda c: (["pcc"], {"alone": True}),
    "far": lambda c: (["far"], {"alone": True}),
    "threshold": lambda c: (["near"] if c["tokens"] <= 400 else ["far"], {}),
    "careful": lambda c: (
        ["near", "pcc"] if c["sensitivity"] in ("private", "internal") else ["near"] if c["sensitivity"] == "secret" or not c["consent"] else ["near", "far"],
        {"next": ["contextSizeExceeded"]},
    ),
    "cascade": lambda c: (["near", "far"], {"next": ["contextSizeExceeded", "rateLimited"], "accept": 0.5}),
}


def allowed(case, arm):
    if REACH[arm] > LIMIT[case["sensitivity"]]:
        return False
    return REACH[arm] < 2 or case["consent"]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def hull_value(points, cost):
    """The best quality of a mix of at most two points within a mean cost, by trying all."""
    best = None
    for c, q in points:
        if c <= cost:
            best = q if best is None else max(best, q)
    for (c0, q0), (c1, q1) in itertools.permutations(points, 2):
        if c0 <= cost < c1:
            best = max(best, q0 + (cost - c0) / (c1 - c0) * (q1 - q0))
    return best


def hull_cost(points, quality):
    best = None
    for c, q in points:
        if q >= quality:
            best = c if best is None else min(best, c)
    for (c0, q0), (c1, q1) in itertools.permutations(points, 2):
        if q0 < quality <= q1:
            cost = c0 + (quality - q0) / (q1 - q0) * (c1 - c0)
            best = cost if best is None else min(best, cost)
    return best


def oracle(cases, traces, pairs, worth=(0, 0)):
    """By case: (quality, dollars, seconds), chosen on even repeats and scored on odd ones, and the other way round."""
    found = []
    for index, repeats in pairs:
        if cases[index]["expects"] == "block":
            found.append((1, 0, 0))
            continue
        arms = [arm for arm in ARMS if allowed(cases[index], arm)]

        def numbers(arm, some):
            t = [traces[arm][index, r] for r in some]
            return mean(x["quality"] for x in t), mean(x["dollars"] for x in t), mean(x["seconds"] for x in t)

        def best(some):
            def key(arm):
                q, c, s = numbers(arm, some)
                return (-(q - worth[0] * c - worth[1] * s), c, s)

            return min(arms, key=key)

        even = [r for r in repeats if r % 2 == 0]
        odd = [r for r in repeats if r % 2 == 1]
        if even and odd:
            one, two = numbers(best(even), odd), numbers(best(odd), even)
            found.append(tuple((a + b) / 2 for a, b in zip(one, two)))
        else:
            found.append(numbers(best(repeats), repeats))
    return found


def main():
    cases = world()
    traces = {}
    for name, choose in POLICIES.items():
        traces[name] = {}
        for index, case in enumerate(cases):
            for repeat in range(REPEATS):
                use, policy = choose(case)
                trace = walk(case, repeat, use, policy)
                trace["dollars"] = sum(a[3] for a in trace["log"])
                trace["seconds"] = sum(a[4] for a in trace["log"])
                traces[name][index, repeat] = trace
    pairs = []
    for index in range(len(cases)):
        repeats = [r for r in range(REPEATS) if all(t[index, r]["quality"] is not None for t in traces.values())]
        if repeats:
            pairs.append((index, repeats))

    units, unit_of, known = 0, [], {}
    for index, _ in pairs:
        cluster = cases[index]["cluster"]
        if cluster is not None and cluster in known:
            unit_of.append(known[cluster])
            continue
        if cluster is not None:
            known[cluster] = units
        unit_of.append(units)
        units += 1
    weights = numpy.array([cases[i]["weight"] for i, _ in pairs], float)

    columns = {}
    for name, some in traces.items():
        rows = []
        for index, repeats in pairs:
            t = [some[index, r] for r in repeats]
            rows.append((mean(x["quality"] for x in t), mean(x["dollars"] for x in t), mean(x["seconds"] for x in t), mean(any(a[0] == "far" for a in x["log"]) for x in t)))
        columns[name] = numpy.array(rows)
    for name, worth in (("oracle", (0, 0)), ("utility", (50, 0.1))):
        columns[name] = numpy.array([(*v, 0) for v in oracle(cases, traces, pairs, worth)])

    def means(counts):
        return {
            name: (
                (counts * weights * c[:, 0]).sum() / (counts * weights).sum(),
                (counts * c[:, 1]).sum() / counts.sum(),
                (counts * c[:, 2]).sum() / counts.sum(),
                (counts * c[:, 3]).sum() / counts.sum(),
            )
            for name, c in columns.items()
        }

    def relative(m, name):
        q, c, s, share = m[name]
        w, f = m["near"], m["far"]
        points = [(m[a][1], m[a][0]) for a in ARMS]
        best = max(m[a][0] for a in ARMS)
        saving = hull_cost(points, q)
        slope = (q - w[0]) / (c - w[1]) if c > w[1] else None
        return {
            "qualityOverWeak": q - w[0],
            "qualityOverStrong": q - f[0],
            "costOverStrong": c - f[1],
            "qualityOverMix": q - (1 - share) * w[0] - share * f[0],
            "pgr": (q - w[0]) / (f[0] - w[0]) if f[0] > w[0] else None,
            "ibc": None if slope is None or f[0] <= w[0] else slope / ((f[0] - w[0]) / (f[1] - w[1])) - 1,
            "hullLift": q - hull_value(points, c),
            "costSaving": None if saving is None else saving - c,
            "gapClosed": (q - best) / (m["oracle"][0] - best) if m["oracle"][0] > best else None,
            "qualityRegret": m["oracle"][0] - q,
            "costRegret": c - m["oracle"][1],
            "utilityRegret": (m["utility"][0] - 50 * m["utility"][1] - 0.1 * m["utility"][2]) - (q - 50 * c - 0.1 * s),
        }

    whole = means(numpy.ones(len(pairs)))
    draw = SplitMix(20261130)
    resamples = []
    for _ in range(RESAMPLES):
        counts = numpy.zeros(units)
        for _ in range(units):
            counts[draw.below(units)] += 1
        resamples.append(means(counts[numpy.array(unit_of)]))

    scores = {}
    for name in POLICIES:
        trials = [traces[name][i, r] for i, repeats in pairs for r in repeats]
        seconds = sorted(t["seconds"] for t in trials)
        beyond = [(t, [a for a in t["log"] if a[0] != "near"]) for t in trials]
        leaks = 0
        for index, case in enumerate(cases):
            for repeat in range(REPEATS):
                leaks += sum(not allowed(case, a[0]) for a in traces[name][index, repeat]["log"])

        def share(test):
            return mean(mean(test(traces[name][i, r]) for r in repeats) for i, repeats in pairs)

        fallen = [t for t in trials if any(a[1] == "fallback" for a in t["log"])]
        tokens = [(a[0] != "near", sum(a[5])) for t in trials for a in t["log"] if a[5]]
        row = {
            "quality": whole[name][0],
            "cost": whole[name][1],
            "meanSeconds": whole[name][2],
            "strongShare": whole[name][3],
            "p50": seconds[math.ceil(0.5 * len(seconds)) - 1] * 1000,
            "p95": seconds[math.ceil(0.95 * len(seconds)) - 1] * 1000,
            "any": share(lambda t: any(a[0] != "near" for a in t["log"])),
            "privateCloud": share(lambda t: any(a[0] == "pcc" for a in t["log"])),
            "thirdParty": share(lambda t: any(a[0] == "far" for a in t["log"])),
            "served": share(lambda t: t["status"] == "ok" and t["arm"] != "near"),
            "tokens": sum(n for far, n in tokens if far) / sum(n for _, n in tokens),
            "fallback": share(lambda t: any(a[1] == "fallback" for a in t["log"])),
            "escalation": share(lambda t: any(a[1] == "escalation" for a in t["log"])),
            "recovery": mean(t["status"] == "ok" for t in fallen) if fallen else None,
            "leaks": leaks,
            "wasteDeviceSeconds": mean(mean(sum(a[4] for a in traces[name][i, r]["log"] if a[0] == "near" and (a[2] != "ok" or traces[name][i, r]["arm"] != "near")) for r in repeats) for i, repeats in pairs),
        }
        values = {key: [] for key in relative(whole, name)}
        for m in resamples:
            for key, value in relative(m, name).items():
                if value is not None:
                    values[key].append(value)
        row["relative"] = {
            key: {
                "value": value,
                "interval": interval(values[key], units) if value is not None and len(values[key]) >= 0.95 * RESAMPLES else None,
            }
            for key, value in relative(whole, name).items()
        }
        scores[name] = row

    quadrants = {"rescue": 0, "loss": 0, "safe": 0, "hard": 0}
    for near, far in zip(columns["near"][:, 0] >= 0.5, columns["far"][:, 0] >= 0.5):
        quadrants["safe" if near and far else "loss" if near else "rescue" if far else "hard"] += 1

    # ---- RouteLLM's AUC and APGR, on curves that reach both ends, and its CPT where the curve is monotone

    curves = []
    for strong_percent, accuracy in (
        ([0, 20, 45, 70, 100], [40, 58, 66, 75, 80]),
        ([0, 10, 30, 60, 90, 100], [52, 50, 61, 72, 70, 71]),
        ([0, 25, 50, 75, 100], [30, 42.5, 55, 67.5, 80]),
    ):
        x = numpy.array(strong_percent) / 100
        y = numpy.array(accuracy, float)
        weak, strong = y[0], y[-1]
        auc = numpy_trapezoid(y, x)
        weak_auc = numpy_trapezoid(numpy.full(len(x), weak), x)
        strong_auc = numpy_trapezoid(numpy.full(len(x), strong), x)
        pgr = (y - weak) / (strong - weak)
        cpt = {}
        for level in (0.2, 0.5, 0.8):
            # By brute force: the first of a million shares at which the running maximum, linear between points, is there.
            top = numpy.maximum.accumulate(pgr)
            grid = numpy.linspace(0, 1, 1_000_001)
            first = grid[numpy.argmax(numpy.interp(grid, x, top) >= level - 1e-12)]
            cpt[str(level)] = {
                "ours": float(first),
                "routellm": float(numpy.interp(level * (strong - weak) + weak, y, x * 100) / 100),
            }
        curves.append(
            {
                "points": [[float(a), float(b)] for a, b in zip(x, pgr)],
                "isMonotone": bool((numpy.diff(y) > 0).all()),
                "apgr": float((auc - weak_auc) / (strong_auc - weak_auc)),
                "cpt": cpt,
            }
        )

    # ---- Hulls and AIQ by brute force

    hulls = []
    draw = random.Random(15)
    for _ in range(40):
        arms = [(draw.randrange(0, 9), draw.randrange(0, 11) / 10) for _ in range(draw.randrange(1, 6))]
        router = [(draw.uniform(0, 9), draw.random()) for _ in range(draw.randrange(1, 5))]
        point = router[0]
        low, high = min(c for c, _ in arms), max(c for c, _ in arms)
        cheapest = (low, max(q for c, q in arms if c == low))
        lift = hull_value(arms, point[0])
        saving = hull_cost(arms, point[1])
        aiq = None
        if high > low:
            points = router + [cheapest]
            # The hull is linear between its points' costs.
            stops = sorted({low, high, *(c for c, _ in points if low < c < high)})
            aiq = float(numpy_trapezoid([hull_value(points, c) for c in stops], stops) / (high - low))
        hulls.append(
            {
                "arms": arms, "router": router, "aiq": aiq,
                "lift": None if lift is None else point[1] - lift,
                "saving": None if saving is None else saving - point[0],
            }
        )

    result = {
        "cases": cases,
        "trials": sum(len(r) for _, r in pairs),
        "units": units,
        "scores": scores,
        "oracle": {"quality": whole["oracle"][0], "cost": whole["oracle"][1], "meanSeconds": whole["oracle"][2]},
        "gap": interval([m["far"][0] - m["near"][0] for m in resamples], units),
        "quadrants": quadrants,
        "curves": curves,
        "hulls": hulls,
    }
    file = pathlib.Path(__file__).with_name("routing.json")
    file.write_text(json.dumps(result, indent=1, default=float) + "\n")


main()
