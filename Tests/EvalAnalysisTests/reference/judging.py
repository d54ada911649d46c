"""Writes judging.json: what two packages of others say of agreement and of rankings.

Run with `python3 judging.py` (needs `pip install krippendorff choix numpy`); the tests read the file.
"""

import json
import pathlib

import choix
import krippendorff
import numpy

random = numpy.random.default_rng(20261130)
alphas = []
for levels in [2, 3, 4, 5, 7]:
    for coders in [2, 3, 5]:
        for items in [4, 15, 60]:
            for noise in [0.0, 0.5, 1.5, 9.0]:
                truth = random.uniform(0, levels - 1, items)
                votes = truth[None, :] + random.normal(0, noise, (coders, items))
                votes = numpy.clip(numpy.rint(votes), 0, levels - 1)
                # Some verdicts are missing.
                votes[random.uniform(size=votes.shape) < 0.15] = numpy.nan
                units = [[int(v) for v in column if not numpy.isnan(v)] for column in votes.T]
                pairable = [unit for unit in units if len(unit) > 1]
                if len({v for unit in pairable for v in unit}) < 2:
                    continue
                expected = {
                    scale: krippendorff.alpha(
                        reliability_data=votes, level_of_measurement=scale, value_domain=list(range(levels)))
                    for scale in ["nominal", "ordinal", "interval"]
                }
                alphas.append({"levels": levels, "units": units, **{k: float(v) for k, v in expected.items()}})

rankings = []
for players in [2, 3, 4, 6]:
    for rounds in [6, 40]:
        strength = random.normal(0, 0.6, players)
        matches = []
        wins = numpy.zeros((players, players))
        for _ in range(rounds):
            for i in range(players):
                for j in range(i + 1, players):
                    chance = 1 / (1 + numpy.exp(strength[j] - strength[i]))
                    score = 0.5 if random.uniform() < 0.2 else float(random.uniform() < chance)
                    matches.append([i, j, score])
                    wins[i, j] += score
                    wins[j, i] += 1 - score
        expected = choix.ilsr_pairwise_dense(wins, alpha=0, tol=1e-12)
        rankings.append(
            {"players": players, "matches": matches, "strengths": [float(v) for v in expected - expected.mean()]})

file = pathlib.Path(__file__).parent / "judging.json"
with file.open("w") as out:
    out.write('{"alphas": [\n')
    out.write(",\n".join(json.dumps(row) for row in alphas))
    out.write('\n], "rankings": [\n')
    out.write(",\n".join(json.dumps(row) for row in rankings))
    out.write("\n]}\n")
print(len(alphas), "alphas,", len(rankings), "rankings")
