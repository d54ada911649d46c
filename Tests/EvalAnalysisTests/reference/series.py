"""Writes series.json: a run of stamps, scores and costs, and what NumPy and SciPy make of it.

Run with `python3 series.py` (needs `pip install scipy`); the tests read the file, not NumPy.
"""

import json
import math
import pathlib

import numpy
from scipy import stats

draws = numpy.random.default_rng(20261130)
targets = ["device", "cloud", "route"]
cases, repeats = 75, 2
trials = []
signals = []
for case in range(cases):
    kind = draws.choice(["public", "private", "offline"], p=[0.7, 0.2, 0.1])
    signals.append(
        {"sensitivity": "private" if kind == "private" else "public", "consent": True}
        | ({"network": "offline"} if kind == "offline" else {}))
    hard = draws.random()
    for place, target in enumerate(targets):
        for repeat in range(repeats):
            failed = draws.random() < 0.05
            unjudged = not failed and draws.random() < 0.02
            skill = [0.45, 0.8, 0.7][place]
            score = float(draws.choice([0, 0.25, 0.5, 0.75, 1])) if draws.random() < 0.3 else float(hard < skill)
            scale = [1.0, 1.4, 1.2][place]
            # The device grows slow in the middle of the run.
            drift = 1.6 if target == "device" and case >= cases // 2 else 1.0
            queue, connect, wait, model = (draws.lognormal(m, 0.6) for m in (0.2, 2.0, 4.5, 3.5))
            stream = draws.lognormal(6, 0.3) * scale * drift
            trials.append({
                "case": case, "target": target, "repeat": repeat, "failed": failed,
                "score": None if failed or unjudged else score,
                # Whole microseconds, so that nanoseconds are exact.
                "queue": round(queue, 3), "connect": round(connect, 3), "wait": round(wait * scale, 3),
                "model": round(model, 3), "stream": round(stream, 3),
                "dollars": 0.0 if target == "device" else round(float(draws.lognormal(-7, 0.4)) * (0.4 if target == "route" else 1), 6),
            })
# One cost that nobody knows.
unknown = next(t for t in trials if t["target"] == "cloud" and not t["failed"])
unknown["dollars"] = None


def of(target):
    return [t for t in trials if t["target"] == target]


def strict(t):
    return 0.0 if t["failed"] else t["score"]


def total(t):
    return t["connect"] + t["wait"] + t["model"] + t["stream"]


def case_score(case, target):
    values = [strict(t) for t in of(target) if t["case"] == case and strict(t) is not None]
    return float(numpy.mean(values)) if values else None


def split(target):
    calls = [t for t in of(target) if not t["failed"]]
    parts = numpy.array([[t["connect"], t["queue"] + t["wait"], t["model"]] for t in calls])
    parts = parts[numpy.argsort(parts.sum(axis=1), kind="stable")]
    quarter = len(parts) // 4
    return {"n": len(parts), "parts": parts[quarter:len(parts) - quarter].mean(axis=0).tolist()}


def drift(target):
    times = numpy.array([total(t) for t in of(target) if not t["failed"]])
    count = min(12, len(times) // 10)
    edges = [i * len(times) // count for i in range(count + 1)]
    rows = []
    for low, high in zip(edges, edges[1:]):
        part = numpy.sort(times[low:high])
        n = len(part)
        lows = [k for k in range(1, n + 1) if stats.binom.cdf(k - 1, n, 0.5) <= 0.025]
        highs = [k for k in range(1, n + 1) if stats.binom.cdf(k - 1, n, 0.5) >= 0.975]
        rows.append({
            "place": (low + high) / 2 / len(times), "n": n,
            "median": float(numpy.percentile(part, 50, method="inverted_cdf")),
            "low": float(part[max(lows) - 1]), "high": float(part[min(highs) - 1]),
        })
    return {"n": len(times), "bins": rows}


def case_map():
    rows = []
    for case in range(cases):
        scores = [case_score(case, target) for target in targets]
        known = [s for s in scores if s is not None]
        if len(known) > 1:
            rows.append((case, scores, max(known) - min(known), float(numpy.mean(known)), known))
    order = numpy.lexsort(([r[0] for r in rows], [r[3] for r in rows], [-r[2] for r in rows]))
    return {
        "cases": len(rows), "disagreeing": sum(r[2] > 0 for r in rows),
        "allRight": sum(min(r[4]) == 1 for r in rows), "allWrong": sum(max(r[4]) == 0 for r in rows),
        "order": [int(rows[i][0]) for i in order[:120]],
        "scores": [rows[i][1] for i in order[:120]], "spread": [rows[i][2] for i in order[:120]],
    }


def quality_cost():
    points = []
    for target in targets:
        quality = [s for s in (case_score(c, target) for c in range(cases)) if s is not None]
        costs = []
        for case in range(cases):
            known = [t["dollars"] for t in of(target) if t["case"] == case and t["dollars"] is not None]
            if known:
                costs.append(numpy.mean(known))
        low, high = stats.t.interval(0.95, len(costs) - 1, loc=numpy.mean(costs), scale=stats.sem(costs)) \
            if numpy.ptp(costs) > 0 else (None, None)
        points.append({
            "target": target, "quality": float(numpy.mean(quality)), "cost": float(numpy.mean(costs)) * 1000,
            "low": None if low is None else float(low) * 1000, "high": None if high is None else float(high) * 1000,
        })
    front = sorted(
        (p for p in points if not any(
            q["quality"] >= p["quality"] and q["cost"] <= p["cost"]
            and (q["quality"] > p["quality"] or q["cost"] < p["cost"]) for q in points)),
        key=lambda p: p["cost"])
    gains = []
    left = front[0]
    for right in front[1:]:
        d = []
        for case in range(cases):
            sides = [{t["repeat"]: strict(t) for t in of(p["target"]) if t["case"] == case} for p in (right, left)]
            paired = [sides[0][r] - sides[1][r] for r in range(repeats) if None not in (sides[0][r], sides[1][r])]
            if paired:
                d.append(numpy.mean(paired))
        low, high = stats.t.interval(0.95, len(d) - 1, loc=numpy.mean(d), scale=stats.sem(d))
        gains.append({"target": right["target"], "over": left["target"], "value": float(numpy.mean(d)),
                      "low": float(low), "high": float(high)})
        # A target that may be better by chance is not what the next one is held against.
        if low > 0:
            left = right
    return {"points": points, "front": [p["target"] for p in front], "gains": gains}


def oracle():
    quality, cost, used = [], [], 0
    for case in range(cases):
        arms = {t: {x["repeat"]: x for x in of(t) if x["case"] == case} for t in ["device", "cloud"]}
        paired = [r for r in range(repeats) if all(strict(arm[r]) is not None for arm in arms.values())]
        may = signals[case]["sensitivity"] == "public" and signals[case].get("network") != "offline"
        allowed = ["device", "cloud"] if may else ["device"]

        def mean(arm, some):
            dollars = [math.nan if arms[arm][r]["dollars"] is None else arms[arm][r]["dollars"] for r in some]
            return float(numpy.mean([strict(arms[arm][r]) for r in some])), float(numpy.mean(dollars))

        def best(some, others):
            def key(arm):
                q, c = mean(arm, some)
                return (-q, math.inf if math.isnan(c) else c)
            return mean(min(allowed, key=key), others)

        if not paired:
            continue
        halves = ([r for r in paired if r % 2 == 0], [r for r in paired if r % 2 == 1])
        if halves[0] and halves[1]:
            one, two = best(halves[0], halves[1]), best(halves[1], halves[0])
            q, c = (one[0] + two[0]) / 2, (one[1] + two[1]) / 2
        else:
            q, c = best(paired, paired)
        if math.isnan(c):
            continue
        used += 1
        quality.append(q)
        cost.append(c)
    return {"cases": used, "quality": float(numpy.mean(quality)), "cost": float(numpy.mean(cost)) * 1000}


times = numpy.sort(draws.lognormal(6, 0.8, 1500).round(3))
levels = [round(q / 100, 2) for q in range(1, 100)]
curve = {
    "times": times.tolist(), "levels": levels,
    "quantiles": [float(numpy.percentile(times, 100 * q, method="inverted_cdf")) for q in levels],
    # The next of 200 points is at most this much of the distribution further on.
    "next": [float(numpy.percentile(times, min(100, 100 * (q + 1 / 199 + 1 / 1500)), method="inverted_cdf")) for q in levels],
}

out = {
    "targets": targets, "cases": cases, "repeats": repeats, "signals": signals, "trials": trials,
    "split": {t: split(t) for t in targets}, "drift": {t: drift(t) for t in targets},
    "curves": {t: {"n": sum(not x["failed"] for x in of(t)), "failures": sum(x["failed"] for x in of(t))} for t in targets},
    "map": case_map(), "qualityCost": quality_cost(), "oracle": oracle(), "curve": curve,
}
path = pathlib.Path(__file__).with_name("series.json")
path.write_text(json.dumps(out, separators=(",", ":")) + "\n")
print(path, path.stat().st_size)
for key in ["split", "curves", "qualityCost", "oracle"]:
    print(key, json.dumps(out[key], indent=1))
print({k: v for k, v in out["map"].items() if k != "scores"})
