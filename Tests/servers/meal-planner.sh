#!/usr/bin/env bash
# meal-planner.sh EVALRUN DIR [evalrun option...]
#
# Starts llama.cpp with the two real models of Suites/meal-planner on the ports that the suite names, the one on the
# device with a window of 768 tokens, runs the suite against them, and stops them on every way out. DIR holds what is
# installed. Exit code: evalrun's own, which is 1 because the naive route leaks unless --no-fail is given; 77 with a line
# "SKIP: ..." when the package index cannot be reached.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
evalrun=$1 dir=$2
shift 2
. "$(dirname "$0")/fleet.sh"

LLM_CTX=768 start llm 18080 smollm2
start llm 18081 qwen
"$evalrun" Suites/meal-planner/suite.json "$@"
