"""Writes compare.json: what SciPy, statsmodels and plain numerical search say of the functions behind a comparison.

Run with `python3 compare.py` (needs `pip install scipy statsmodels`); the tests read the file.
"""

import json
import math
import pathlib

import numpy
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower, TTestPower

random = numpy.random.default_rng(20261130)
rows = []


def row(function, arguments, expected):
    rows.append({"function": function, "arguments": arguments, "expected": [float(x) for x in expected]})


# Exact McNemar, by statsmodels.
for gained, lost in [(0, 0), (1, 0), (5, 0), (6, 0), (3, 3), (8, 1), (12, 5), (40, 22), (300, 260), (2, 700)]:
    p = mcnemar([[10, gained], [lost, 7]], exact=True).pvalue
    row("mcNemar", [gained, lost], [p])


def tango(gained, lost, n, confidence):
    """Tango's interval from its definition: the restricted likelihood is maximised by search, the ends are found by
    Brent's method. Nothing of the closed form."""
    z = stats.norm.ppf(0.5 + confidence / 2)

    def restricted(delta):
        low, high = max(0.0, -delta), (1 - delta) / 2

        def loss(q):
            p = q + delta
            rest = 1 - p - q
            value = 0.0
            for count, share in ((gained, p), (lost, q), (n - gained - lost, rest)):
                if count > 0:
                    value -= count * math.log(max(share, 1e-300))
            return value

        if high - low < 1e-14:
            return low
        found = optimize.minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13})
        return min([found.x, low, high], key=loss)

    def score(delta):
        q = restricted(delta)
        variance = n * (2 * q + delta - delta * delta)
        top = gained - lost - n * delta
        if variance <= 1e-13:
            return math.copysign(1e9, top) if top else 0.0
        return top / math.sqrt(variance)

    estimate = (gained - lost) / n
    low = -1.0 if score(-1 + 1e-9) <= z else optimize.brentq(lambda d: score(d) - z, -1 + 1e-9, estimate, xtol=1e-12)
    high = 1.0 if score(1 - 1e-9) >= -z else optimize.brentq(lambda d: score(d) + z, estimate, 1 - 1e-9, xtol=1e-12)
    return low, high


for gained, lost, n in [
    (0, 0, 20), (1, 0, 20), (8, 1, 20), (9, 3, 32), (3, 3, 40), (12, 5, 100), (40, 22, 250), (5, 60, 400),
    (0, 7, 50), (2.5, 1.25, 33.3), (20, 0, 21),
]:
    for confidence in (0.9, 0.95, 0.99):
        row("tango", [gained, lost, n, confidence], tango(gained, lost, n, confidence))

# Exact sign flips, by scipy.stats.permutation_test.
for n in (3, 6, 9, 12, 16):
    values = numpy.round(random.normal(0.3, 1, n), 3)
    if n == 9:
        values[2] = values[5] = 0
    if n == 12:
        values = numpy.sign(values) * 0.25
    # SciPy flips pairs (x, 0): the mean of the difference under all swaps.
    result = stats.permutation_test(
        (values, numpy.zeros(n)), lambda x, y, axis: numpy.mean(x - y, axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=numpy.inf, alternative="two-sided")
    row("signFlip", list(values), [result.pvalue])
# Beyond the limit ours draws: the whole count of SciPy's is what it must come near.
values = numpy.round(random.normal(0.45, 1, 18), 3)
result = stats.permutation_test(
    (values, numpy.zeros(18)), lambda x, y, axis: numpy.mean(x - y, axis=axis), permutation_type="samples",
    vectorized=True, n_resamples=numpy.inf, batch=1 << 14)
row("signFlipDrawn", list(values), [result.pvalue])

for p in ([0.01, 0.04, 0.03, 0.005], [0.2], [0.9, 0.6, 0.7], list(numpy.round(random.uniform(0, 0.2, 12), 4))):
    row("holm", list(p), multipletests(p, method="holm")[1])

# Paired t interval and the ratio by logarithms.
for n in (2, 5, 30):
    before = numpy.round(random.uniform(0, 1, n), 3)
    after = numpy.round(numpy.clip(before + random.normal(0.1, 0.2, n), 0, 1), 3)
    interval = stats.ttest_rel(after, before).confidence_interval(0.95)
    low, high = max(-1, interval.low), min(1, interval.high)
    row("pairedT", list(before) + list(after), [numpy.mean(after - before), low, high])
    before, after = numpy.round(numpy.exp(random.normal(5, 1, (2, n))), 3)
    logs = numpy.log(after) - numpy.log(before)
    interval = stats.ttest_1samp(logs, 0).confidence_interval(0.95)
    row("ratio", list(before) + list(after), [math.exp(logs.mean()), math.exp(interval.low), math.exp(interval.high)])

# Miller's clustered standard error from statsmodels' sandwich, CR0: SE² = CR0 + Σe²·(1/(n(n−1)) − 1/n²).
clusters = numpy.repeat(numpy.arange(9), [1, 2, 3, 4, 2, 3, 1, 5, 3])
before = numpy.round(random.uniform(0, 1, len(clusters)), 3)
after = before + random.normal(0, 0.3, 9)[clusters] + random.normal(0, 0.1, len(clusters))
after = numpy.round(numpy.clip(after, 0, 1), 3)
d = after - before
n = len(d)
fit = sm.OLS(d, numpy.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
e = d - d.mean()
variance = fit.cov_params()[0, 0] + (e @ e) * (1 / (n * (n - 1)) - 1 / n**2)
row("clusteredSE", list(before) + list(after) + [float(c) for c in clusters], [math.sqrt(variance)])

# The detectable difference, in standard deviations of a pair's difference.
for n in (50, 200, 1000):
    effect = NormalIndPower().solve_power(nobs1=n, ratio=0, alpha=0.05, power=0.8, alternative="two-sided")
    row("detectable", [n], [effect])
# With few units: the exact answer, by the noncentral t, that our central one must come near.
for n in (6, 10, 20, 40):
    row("detectableByT", [n], [TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8, alternative="two-sided")])

path = pathlib.Path(__file__).with_name("compare.json")
path.write_text(
    json.dumps(
        {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__, "rows": rows}, indent=0) + "\n")
print(len(rows), "rows")
