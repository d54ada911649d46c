#!/usr/bin/env bash
# judges.sh EVALRUN DIR
#
# Starts llama.cpp with the two real models of Suites/judged-models.json, has one judge the other's answers,
# and looks at what the report says of the judge. DIR holds what is installed.
# Exit code: 0 when every question ended with a verdict or with a reason; 77 as live.sh.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
evalrun=$1 dir=$2
. "$(dirname "$0")/fleet.sh"

start llm 18080 smollm2
start llm 18081 qwen
work=$(mktemp -d)
"$evalrun" Suites/judged-models.json --db "$work/judged.sqlite" --no-reports --fresh
"$evalrun" report latest --db "$work/judged.sqlite" --format json >"$work/report.json"
python3 - "$work/report.json" <<'PY'
import json, sys

report = json.load(open(sys.argv[1]))
judge = report["judging"]["judges"][0]
unread = sum(entry["n"] for entry in judge["unread"])
# 5 cases: three draws of the rubric, one question for `judge`, and second looks at some.
assert judge["questions"] >= 20, judge
assert judge["verdicts"] + unread == judge["questions"], judge
assert judge["verdicts"] > 0, "no verdict at all: the schema should hold even a small model"
assert judge["forced"]["schema"] == judge["calls"], judge["forced"]
assert judge["inputTokens"]["unreported"] == 0, judge
subject = report["targets"][0]
assert subject["cost"]["attempts"] == 5, "a judge's call in the subject's ledger"
for check in subject["checks"]:
    unscored = sum(entry["n"] for entry in check["unscored"])
    assert check["verdicts"] + unscored == 5, check
alphas = {c["criterion"]: c["alpha"]["value"] for c in report["judging"]["criteria"] if c["alpha"]["n"]}
print(f"judged: {judge['verdicts']} of {judge['questions']} questions with a verdict, "
      f"{judge['calls']} calls, {judge['outputTokens']['sum']} output tokens, alpha {alphas}")
PY
rm -rf "$work"
