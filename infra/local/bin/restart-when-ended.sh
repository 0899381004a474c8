# shellcheck shell=bash
# restart-when-ended PID: `restart-api` leaves this behind. `down` may be faster: it takes the pid
# file away, and ends this.
load bin/up

run_restart_when_ended() {
  find_jdk
  local deadline=$((SECONDS + 60))
  while [[ $(pid_of api) == "$1" ]] && ((SECONDS < deadline)); do sleep 0.1; done
  [[ $(pid_of api) != "$1" ]] || kill -9 "$1" 2>/dev/null || true
  [[ $(cat "$RUN/api.pid" 2>/dev/null) != "$1" ]] || up
  rm -f "$RUN/restart.pid"
}
