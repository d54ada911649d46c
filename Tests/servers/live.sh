#!/usr/bin/env bash
# live.sh EVALRUN DIR [evalrun option...]
#
# Starts llama.cpp with the two real models of Suites/local-models.json on the ports that the suite
# names, runs the suite against them, and stops them on every way out. DIR holds what is installed.
# Exit code: evalrun's own; 77 with a line "SKIP: ..." when the package index cannot be reached.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
evalrun=$1 dir=$2
shift 2
. "$(dirname "$0")/fleet.sh"

start llm 18080 smollm2
start llm 18081 qwen
"$evalrun" Suites/local-models.json "$@"
