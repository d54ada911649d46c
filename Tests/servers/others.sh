#!/usr/bin/env bash
# others.sh EVALRUN DIR
#
# Runs evalrun against servers that others wrote and checks what its database says of them: llama.cpp
# with a real model over three APIs, llmock with scripted faults and its verdict, stubllm with what it
# leaves out. DIR holds what is installed; the servers are stopped on every way out.
# Exit code: 0 all is as it should be; 77 with a line "SKIP: ..." when the package index cannot be
# reached; 1 for anything else.
set -euo pipefail
[ $# -eq 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
evalrun=$1 dir=$2
. "$(dirname "$0")/fleet.sh"

start llm 18080 smollm2
start llmock 18082
start stubllm 18083
code=0
for server in llama.cpp llmock stubllm; do
  # All three are told of before this fails.
  PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1 python3 "Tests/servers/others/$server.py" \
    "$evalrun" "$dir/run/others-$server.sqlite" || { echo "$server: exit code $?"; code=1; }
done
exit $code
