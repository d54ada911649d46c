#!/usr/bin/env bash
# start-llmock.sh DIR PORT [option of `llmock serve`...]
#
# LLMock (not ours): mocks OpenAI chat and Responses (/v1), Anthropic (/anthropic) and Gemini
# (/gemini) among others, injects faults, and judges the client that called it.
#   --error-rate 429=0.2  --stream-fault truncate=0.1 (disconnect, truncate, stall, malformed)
#   --latency-ms 50  --stream-chunk-delay-ms 20  --response-style echo
#   POST /_llmock/scenario {"behaviors":[{"type":"fail","status":429,"retry_after":1,"times":2}]}
#   GET /_llmock/verdict[?format=text]   POST /_llmock/reset
#
# Prints its pid as the last line. INSTALL_ONLY=1 installs and starts nothing.
# Exit 77 with a line "SKIP: ..." when the package index cannot be reached; 1 for any other failure.
set -euo pipefail
NAME=llmock
. "$(dirname "$0")/common.sh"
[ $# -ge 2 ] || usage
servers_dir "$1"
PORT=$2
shift 2
venv_with 'llmock==0.2.2'
[ -z "${INSTALL_ONLY:-}" ] || exit 0
start_and_wait "$PORT" /health 30 "$VENV/bin/llmock" serve --host 127.0.0.1 --port "$PORT" --log-level warning "$@"
