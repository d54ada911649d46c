# Sourced by the start-*.sh scripts beside it. Each sets NAME, then calls
#   servers_dir DIR        makes DIR, DIR/run; sets DIR, RUN
#   venv_with SPEC         a Python environment DIR/venv-NAME with SPEC installed; sets VENV
#   start_and_wait PORT PATH SECONDS COMMAND...
# LLM_OWNER= a pid that the server ends with, even by kill -9.
#
# Exit codes of every script: 0 the server answers; 77 and one line that begins with SKIP when the
# package index cannot be reached; 2 wrong usage; 1 anything else.
SKIP=77

say() { echo "[start-$NAME] $*" >&2; }
die() { say "$*"; exit 1; }

# Usage is the comment at the head of the calling script.
usage() { awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0" >&2; exit 2; }

servers_dir() {
  mkdir -p "$1/run"
  DIR=$(cd "$1" && pwd) RUN=$DIR/run
}

# Runs pip; when it fails, its own log tells whether the index answered at all. An index that answers
# "no such package" is a failure of ours; one that does not answer is a reason to skip.
pip_or_skip() {
  PIP_LOG=$RUN/pip-$NAME.log
  rm -f "$PIP_LOG"
  if "$VENV/bin/pip" "$@" --disable-pip-version-check --no-input -q --progress-bar off --log "$PIP_LOG" >&2; then return 0; fi
  if grep -q 'Could not fetch URL .*: connection error' "$PIP_LOG"; then skip "Python's package index"; fi
  return 1
}

skip() { echo "SKIP: $1 cannot be reached, so $NAME cannot be installed"; exit $SKIP; }

# pip_get SUBCOMMAND SPEC [OPTION...]: the version these scripts were checked with, then whatever the
# index serves now.
pip_get() {
  local sub=$1 spec=$2
  shift 2
  pip_or_skip "$sub" "$@" "$spec" || pip_or_skip "$sub" "$@" "${spec%%==*}" || die "pip $sub $spec failed"
}

make_venv() {
  python3 -m venv "$VENV" 2>/dev/null && return 0
  # Debian ships python3 without the venv module.
  rm -rf "$VENV"
  command -v apt-get >/dev/null || die "python3 -m venv does not work"
  local sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  if ! $sudo apt-get update -qq -o APT::Update::Error-Mode=any >&2; then skip "Debian's package index"; fi
  $sudo apt-get install -y -qq --no-install-recommends python3-venv >&2 || die "apt-get install python3-venv failed"
  python3 -m venv "$VENV" >&2 || die "python3 -m venv does not work"
}

venv_with() {
  VENV=$DIR/venv-$NAME
  command -v python3 >/dev/null || die "python3 is needed"
  command -v curl >/dev/null || die "curl is needed"
  [ ! -e "$VENV/.ready" ] || return 0
  say "installing $1"
  rm -rf "$VENV"
  make_venv
  pip_get install "$1"
  touch "$VENV/.ready"
}

http_code() { curl -s -o /dev/null -w '%{http_code}' --noproxy '*' --max-time 2 "$1" || true; }

# Ends the second process when the first is gone. It must not hold the output that the caller waits for.
end_with() {
  (
    trap '' INT HUP
    while kill -0 "$1" 2>/dev/null && kill -0 "$2" 2>/dev/null; do sleep 1; done
    kill "$2" 2>/dev/null
  ) >/dev/null 2>&1 </dev/null &
}

# The server gets a session of its own, so that Ctrl-C in the terminal reaches evalrun and not the
# server it is still talking to. Its pid is the last line on standard output and in RUN/NAME-PORT.pid.
start_and_wait() {
  local port=$1 path=$2 seconds=$3 url=http://127.0.0.1:$1 log=$RUN/$NAME-$1.log pid tries
  shift 3
  [ "$(http_code "$url/")" = 000 ] || die "port $port is taken"
  python3 -c 'import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])' "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  echo "$pid" >"$RUN/$NAME-$port.pid"
  [ -z "${LLM_OWNER:-}" ] || end_with "$LLM_OWNER" "$pid"
  for ((tries = seconds * 5; tries > 0; tries--)); do
    if ! kill -0 "$pid" 2>/dev/null; then
      say "the server ended; last lines of $log:"
      tail -20 "$log" >&2
      exit 1
    fi
    if [ "$(http_code "$url$path")" = 200 ]; then
      say "healthy, pid $pid, $url, log $log"
      echo "$pid"
      return 0
    fi
    sleep 0.2
  done
  kill "$pid" 2>/dev/null || true
  die "not healthy after $seconds s; see $log"
}
