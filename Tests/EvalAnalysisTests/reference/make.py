"""Writes reference.json: what SciPy says of the functions that EvalAnalysis has its own code for.

Run with `python3 make.py` (needs `pip install scipy`); the tests read the file, not SciPy.
"""

import json
import pathlib

import numpy
import scipy
from scipy import special, stats

rows = []


def row(function, arguments, expected):
    rows.append({"function": function, "arguments": arguments, "expected": float(expected)})


for a in [0.5, 1, 2.5, 10, 37, 500, 20000]:
    for b in [0.5, 1, 3, 12.5, 80, 5000]:
        mean = a / (a + b)
        for x in sorted({0.001, 0.1, 0.5, 0.9, 0.999, mean, mean * 0.97, 1 - (1 - mean) * 0.9}):
            expected = special.betainc(a, b, x)
            if expected > 1e-280:
                row("incompleteBeta", [a, b, x], expected)

for p in [1e-300, 1e-20, 1e-9, 0.001, 0.02425, 0.025, 0.074, 0.076, 0.2, 0.5, 0.7, 0.975, 0.995, 1 - 1e-9]:
    row("normalQuantile", [p], special.ndtri(p))
for z in [-30, -8, -1.96, 0, 0.3, 2.5, 6]:
    row("normalCDF", [z], special.ndtr(z))

for df in [1, 2, 3, 4.5, 7, 10, 29, 30, 100, 999, 99999]:
    for p in [0.0005, 0.01, 0.025, 0.3, 0.6, 0.95, 0.975, 0.995, 0.99999]:
        row("tQuantile", [p, df], stats.t.ppf(p, df))
    for t in [0.1, 1, 2.2, 15]:
        row("tUpperTail", [t, df], stats.t.sf(t, df))

for n in [1, 2, 10, 72, 100, 999, 100000]:
    for p in [0.05, 0.5, 0.9, 0.95]:
        for k in sorted({0, int(n * p * 0.98), int(n * p), min(n - 1, int(n * p + 2 * (n * p * (1 - p)) ** 0.5))}):
            expected = stats.binom.cdf(k, n, p)
            if expected > 1e-280:
                row("binomialCDF", [k, n, p], expected)
        for q in [0.025, 0.5, 0.975]:
            row("binomialQuantile", [q, n, p], stats.binom.ppf(q, n, p))

for k, n in [(0, 30), (17, 20), (20, 20), (1, 1), (0, 1), (333, 1000), (99999, 100000)]:
    low, high = stats.binomtest(k, n).proportion_ci(method="wilson")
    row("wilsonLow", [k, n], low)
    row("wilsonHigh", [k, n], high)

draws = numpy.random.default_rng(7)
for n in [2, 5, 40]:
    values = draws.normal(3, 2, n).round(6).tolist()
    low, high = stats.t.interval(0.95, n - 1, loc=numpy.mean(values), scale=stats.sem(values))
    row("meanLow", values, low)
    row("meanHigh", values, high)

# Order statistics: the ranks that stats.quantile_test uses, taken from the binomial quantiles.
for n in [6, 36, 72, 100, 500, 10000]:
    for p in [0.5, 0.9, 0.95]:
        if max(p, 1 - p) ** n > 0.025:
            continue
        values = list(range(1, n + 1))
        interval = stats.quantile_test(values, q=0, p=p).confidence_interval(0.95)
        row("rankLow", [p, n], interval.low)
        row("rankHigh", [p, n], interval.high)

path = pathlib.Path(__file__).with_name("reference.json")
lines = ",\n".join("  " + json.dumps(item) for item in rows)
path.write_text('{"scipy": "%s", "rows": [\n%s\n]}\n' % (scipy.__version__, lines))
print(len(rows), "rows")
