"""Writes labels.json: kappa by scikit-learn, Wilson's interval by statsmodels, and corrected rates and intervals of ratios
from their formulas in numpy.

Run with `python3 labels.py` (needs `pip install numpy scikit-learn statsmodels`); the tests read the file.
"""

import json
import pathlib

import numpy
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.proportion import proportion_confint

random = numpy.random.default_rng(20261130)
z = 1.959963984540054

kappas = []
for levels in [2, 3, 4, 6]:
    for n in [5, 20, 80]:
        for noise in [0.0, 0.6, 1.5, 9.0]:
            truth = random.uniform(0, levels - 1, n)
            person, judge = (
                numpy.clip(numpy.rint(truth + random.normal(0, noise, n)), 0, levels - 1).astype(int)
                for _ in range(2)
            )
            strata = random.integers(0, 3, n)
            size = {int(s): int((strata == s).sum() * random.integers(1, 12)) for s in set(strata)}
            weight = numpy.array([size[int(s)] / (strata == s).sum() for s in strata])
            if len(set(person) | set(judge)) < 2:
                continue
            names = list(range(levels))
            kappas.append(
                {
                    "levels": levels, "person": person.tolist(), "judge": judge.tolist(),
                    "strata": strata.tolist(), "sizes": {str(k): v for k, v in size.items()},
                    "plain": float(cohen_kappa_score(person, judge, labels=names)),
                    "quadratic": float(cohen_kappa_score(person, judge, labels=names, weights="quadratic")),
                    "weighted": float(cohen_kappa_score(person, judge, labels=names, sample_weight=weight)),
                    "weightedQuadratic": float(
                        cohen_kappa_score(person, judge, labels=names, weights="quadratic", sample_weight=weight)),
                })


def lang_reiczigel(p, n, a, m1, b, m0):
    """Lang and Reiczigel (2014), section 2: observed shares and the numbers that they rest on."""
    n2, x2 = n + z * z, n * p + z * z / 2
    p2, a2, b2 = x2 / n2, (m1 * a + 1) / (m1 + 2), (m0 * b + 1) / (m0 + 2)
    youden = a2 + b2 - 1
    centre = (p2 + b2 - 1) / youden
    va, vb = a2 * (1 - a2) / (m1 + 2), b2 * (1 - b2) / (m0 + 2)
    shift = 2 * z * z * (centre * va - (1 - centre) * vb)
    spread = z * numpy.sqrt(p2 * (1 - p2) / n2 + centre**2 * va + (1 - centre) ** 2 * vb) / youden
    return [float(numpy.clip(centre + shift + side * spread, 0, 1)) for side in (-1, 1)]


corrected = []
for n, x in [(40, 10), (60, 55), (200, 120), (500, 3), (300, 297)]:
    for m1, a in [(12, 12), (30, 26), (80, 60)]:
        for m0, b in [(11, 11), (25, 20), (60, 54)]:
            p, tpr, tnr = x / n, a / m1, b / m0
            uncut = (p + tnr - 1) / (tpr + tnr - 1)
            low, high = lang_reiczigel(p, n, tpr, m1, tnr, m0)
            value = min(1.0, max(0.0, uncut))
            corrected.append(
                {"n": n, "x": x, "m1": m1, "a": a, "m0": m0, "b": b, "uncut": uncut,
                 "low": min(low, value), "high": max(high, value)})


def mover_sensitivity(groups):
    """Donner and Zou (2012): the interval of A/(A + B) from the one of B/A, in the form that the paper prints."""
    sums = {}
    for passes, size, drawn, good in groups:
        low, high = proportion_confint(good, drawn, method="wilson")
        share = good / drawn
        total = sums.setdefault(passes, [0.0, 0.0, 0.0])
        total[0] += size * share
        total[1] += (size * (share - low)) ** 2
        total[2] += (size * (high - share)) ** 2
    (t2, l2, u2), (t1, l1, u1) = [
        (v, max(0.0, v - numpy.sqrt(d)), v + numpy.sqrt(e)) for v, d, e in (sums[True], sums[False])]
    low = (t1 * t2 - numpy.sqrt((t1 * t2) ** 2 - l1 * u2 * (2 * t1 - l1) * (2 * t2 - u2))) / (u2 * (2 * t2 - u2))
    high = (t1 * t2 + numpy.sqrt((t1 * t2) ** 2 - u1 * l2 * (2 * t1 - u1) * (2 * t2 - l2))) / (l2 * (2 * t2 - l2))
    return t2 / (t1 + t2), 1 / (1 + high), 1 / (1 + low)


ratios = []
for groups in [
    [(True, 100, 20, 18), (False, 900, 20, 2)],
    [(True, 100, 20, 20), (False, 900, 20, 0)],
    [(True, 60, 10, 7), (False, 30, 10, 3), (True, 200, 15, 15), (False, 15, 15, 1)],
    [(True, 500, 40, 36), (False, 40, 40, 12)],
]:
    value, low, high = mover_sensitivity(groups)
    ratios.append(
        {"groups": [list(g) for g in groups], "value": float(value), "low": float(low), "high": float(high)})

wilson = []
for n in [10, 37, 200]:
    for x in [0, 1, n // 2, n - 1, n]:
        low, high = proportion_confint(x, n, method="wilson")
        wilson.append({"n": n, "x": x, "low": float(low), "high": float(high)})

file = pathlib.Path(__file__).parent / "labels.json"
with file.open("w") as out:
    out.write("{")
    for index, (name, rows) in enumerate(
            [("kappas", kappas), ("corrected", corrected), ("ratios", ratios), ("wilson", wilson)]):
        out.write(("," if index else "") + f'\n"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]")
    out.write("\n}\n")
print(len(kappas), "kappas,", len(corrected), "corrected rates,", len(ratios), "ratios")
