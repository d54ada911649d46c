#!/usr/bin/env bash
# judges.sh EVALRUN DIR
#
# Starts llama.cpp with the two real models of Suites/judged-models.json, has them judge the small one's answers,
# looks at what the report says of the judges, and holds them against the labels beside the suite.
# DIR holds what is installed.
# Exit code: 0 when every question ended with a verdict or with a reason, and what labels say has its intervals;
# 77 as live.sh.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
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
# 5 of 31 cases: three draws of the rubric, one question for `judge`, and second looks at some.
assert judge["questions"] >= 20, judge
assert judge["verdicts"] + unread == judge["questions"], judge
assert judge["verdicts"] > 0, "no verdict at all: the schema should hold even a small model"
assert judge["forced"]["schema"] == judge["calls"], judge["forced"]
assert judge["inputTokens"]["unreported"] == 0, judge
subject = report["targets"][0]
assert subject["cost"]["attempts"] == 31, "a judge's call in the subject's ledger"
for check in subject["checks"]:
    unscored = sum(entry["n"] for entry in check["unscored"])
    assert check["verdicts"] + unscored == (31 if check["name"] == "right" else 5), check
alphas = {c["criterion"]: c["alpha"]["value"] for c in report["judging"]["criteria"] if c["alpha"]["n"]}
print(f"judged: {judge['verdicts']} of {judge['questions']} questions with a verdict, "
      f"{judge['calls']} calls, {judge['outputTokens']['sum']} output tokens, alpha {alphas}")
PY
# The labels are of the words that these models gave: another build may say it in others, and then few or none fit.
code=0
"$evalrun" judge check Suites/judged-models.labels.jsonl --run latest --db "$work/judged.sqlite" --format json \
  >"$work/check.json" || code=$?
[ $code -eq 0 ] || [ $code -eq 3 ] || exit 1
[ $code -eq 3 ] || python3 - "$work/check.json" <<'PY'
import json, sys

check = json.load(open(sys.argv[1]))
for measured in check["checks"]:
    if measured["verdicts"] is None:
        continue
    rates = measured["verdicts"]["all"]
    assert sum(rates[key] for key in ["bothPass", "bothFail", "judgePasses", "judgeFails"]) == rates["labels"], rates
    kappa = rates["kappa"]
    if kappa["value"] is not None and kappa["units"] > 1:
        low, high = kappa["interval"]
        assert -1 <= low <= kappa["value"] <= high <= 1 and low < high, kappa
    for rate in measured["rates"]:
        assert (rate["corrected"] is None) == (rate["refused"] is not None), rate
    refused = measured["rates"][0]["reason"] if measured["rates"] else "nothing to correct"
    print(f"{measured['check']}: kappa {kappa['value']} {kappa['interval']} over {rates['labels']} labels; "
          f"corrected: {refused or measured['rates'][0]['corrected']}")
print(f"labels of other answers: {check['elsewhere']}")
PY
rm -rf "$work"
