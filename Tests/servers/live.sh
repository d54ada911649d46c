#!/usr/bin/env bash
# live.sh EVALRUN DIR [evalrun option...]
#
# Starts llama.cpp with the two real models of Suites/local-models.json on the ports that the suite
# names, runs the suite against them, and stops them on every way out. DIR holds what is installed.
# Exit code: evalrun's own; 77 with a line "SKIP: ..." when the package index cannot be reached.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
cd "$(dirname "$0")/../.."
evalrun=$1 dir=$2
shift 2

pids=()
stop() { for pid in ${pids[@]+"${pids[@]}"}; do kill "$pid" 2>/dev/null || true; done; }
trap stop EXIT
# Without these a signal would end this shell without its EXIT trap.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A kill -9 runs no trap: the servers watch this pid themselves.
export LLM_OWNER=$$

start() { # PORT MODEL
  local output
  output=$(bash Tests/servers/start-llm.sh "$dir" "$1" "$2") || { local code=$?; echo "$output"; exit $code; }
  pids+=("$(tail -n 1 <<<"$output")")
}
start 18080 smollm2
start 18081 qwen
"$evalrun" Suites/local-models.json "$@"
