# shellcheck shell=bash
# restart-api PID: the JVM of the API runs this when it is out of memory, and ends when this has
# returned. So another process waits for that end. Of a replica that `up` did not start nothing is
# restarted.
load lib/processes

run_restart_api() {
  [[ $(cat "$RUN/api.pid" 2>/dev/null) == "${1:-}" ]] || return 0
  # The JVM hands its sockets on to what it runs here: the API's port would stay taken, and its
  # connections open.
  local fd
  for fd in /dev/fd/*; do
    if [[ -S $fd ]] && ((${fd##*/} > 2)); then eval "exec ${fd##*/}>&-"; fi
  done
  BERTH_BUILT=1 start restart "$ROOT/berth" restart-when-ended "$1" "$STATE"
}
