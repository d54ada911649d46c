#!/usr/bin/env bash
# start-stubllm.sh DIR PORT [FIXTURES.yaml]
#
# stubllm (not ours): answers OpenAI chat, Anthropic messages and Gemini from rules in a YAML file,
# by default stubllm-fixtures.yaml beside this script. A usefully sloppy peer: streaming, it sends no
# usage, no role delta and no finish_reason after tool calls.
#
# Prints its pid as the last line. INSTALL_ONLY=1 installs and starts nothing.
# Exit 77 with a line "SKIP: ..." when the package index cannot be reached; 1 for any other failure.
set -euo pipefail
NAME=stubllm
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/common.sh"
[ $# -ge 2 ] || usage
servers_dir "$1"
PORT=$2
venv_with 'stubllm==0.1.5'
[ -z "${INSTALL_ONLY:-}" ] || exit 0
start_and_wait "$PORT" /health 30 "$VENV/bin/stubllm" serve --host 127.0.0.1 --port "$PORT" \
  --fixture-file "${3:-$HERE/stubllm-fixtures.yaml}" --log-level warning
