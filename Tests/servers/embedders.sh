#!/usr/bin/env bash
# embedders.sh EVALRUN DIR
#
# Starts llama.cpp with a real model that makes vectors, compares answers in meaning, and does it again, which
# takes no call. DIR holds what is installed.
# Exit code: 0 when a paraphrase is nearer than an unrelated text; 77 as live.sh.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
evalrun=$1 dir=$2
. "$(dirname "$0")/fleet.sh"

export LLM_EMBED=1
start llm 18082 smollm2
work=$(mktemp -d)
for encoding in float base64; do
  python3 - "$encoding" <<'PY' >"$work/suite.json"
import sys
suite = open("Tests/servers/embedders.json").read()
suite = suite.replace('"target": false,', f'"target": false, "options": {{"encoding": "{sys.argv[1]}"}},')
print(suite.replace('"LONG"', '"%s"' % ("word " * 3000)))
PY
  for round in first second; do
    "$evalrun" "$work/suite.json" --allow-commands --db "$work/$encoding.sqlite" --no-reports --quiet >"$work/out"
    "$evalrun" report latest --db "$work/$encoding.sqlite" --format json >"$work/$encoding-$round.json"
    "$evalrun" report latest --db "$work/$encoding.sqlite" --format csv >"$work/$encoding-$round.csv"
  done
done
python3 - "$work" <<'PY'
import csv, json, sys

work = sys.argv[1]
def read(name):
    report = json.load(open(f"{work}/{name}.json"))
    rows = {row["case"]: row for row in csv.DictReader(open(f"{work}/{name}.csv"))}
    scores = {case: float(row["score"]) if row["score"] else None for case, row in rows.items()}
    return report["judging"]["embedders"][0], report["targets"][0], scores

seen = []
for encoding in ("float", "base64"):
    first, subject, scores = read(f"{encoding}-first")
    # "same" is the reference's own text: three texts in all, and one that does not fit.
    assert first["calls"] == 4 and first["failures"] == 1, first
    assert first["inputTokens"]["sum"] > 0 and first["knownDollars"] > 0, first
    assert subject["cost"]["knownDollars"] == 0, subject["cost"]
    assert scores["same"] > 0.9999, scores
    assert scores["paraphrase"] > scores["unrelated"] + 0.1, scores
    assert scores["too-long"] is None, "a text that does not fit has no score"
    second, _, again = read(f"{encoding}-second")
    # Only the text that failed is tried again.
    assert second["calls"] == 1 and second["failures"] == 1 and second["fromDatabase"] == 3, second
    assert again == scores, (again, scores)
    seen.append(scores)
assert all(a is None or abs(a - b) < 1e-3 for a, b in zip(seen[0].values(), seen[1].values())), seen
print(f"embedded: paraphrase {seen[0]['paraphrase']:.3f}, unrelated {seen[0]['unrelated']:.3f}; "
      f"{first['inputTokens']['sum']} tokens, and none for the second run")
PY
rm -rf "$work"
