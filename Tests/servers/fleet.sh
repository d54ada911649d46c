# Sourced by the scripts that start servers, run evalrun against them and stop them on every way out.
#   start SCRIPT PORT [option...]   runs start-SCRIPT.sh with DIR; ends this shell with its code when it fails
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

pids=()
# Waits for them, so that the next script finds their ports free.
stop() {
  local pid tries
  for pid in ${pids[@]+"${pids[@]}"}; do kill "$pid" 2>/dev/null || true; done
  for pid in ${pids[@]+"${pids[@]}"}; do
    for ((tries = 50; tries > 0; tries--)); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -9 "$pid" 2>/dev/null || true
  done
}
trap stop EXIT
# Without these a signal would end this shell without its EXIT trap.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A kill -9 runs no trap: the servers are watched with this pid.
export LLM_OWNER=$$

start() {
  local script=$1 output
  shift
  output=$(bash "Tests/servers/start-$script.sh" "$dir" "$@") || { local code=$?; echo "$output"; exit $code; }
  pids+=("$(tail -n 1 <<<"$output")")
}
