#!/usr/bin/env bash
# all.sh EVALRUN: every workload, a few minutes on two cores. Results go to standard output as Markdown.
set -euo pipefail
[ $# = 1 ] || { echo "usage: all.sh EVALRUN" >&2; exit 2; }
[ "$(uname -s)" = Linux ] || { echo "the ground-truth server is built on epoll: the benchmarks run on Linux only" >&2; exit 2; }
here=$(dirname "$0")
for driver in w1 w2 w3 w4 memory compare page probes sweep score; do python3 "$here/$driver.py" "$1"; done
