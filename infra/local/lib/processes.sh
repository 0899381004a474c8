# shellcheck shell=bash
# The processes of a stack: start, wait until ready, find, stop.

# The process of a pid file, if it still is that one: after a power cut the number may belong to
# another.
pid_of() {
  local pid
  pid=$(cat "$RUN/$1.pid" 2>/dev/null) || return 1
  ps -ww -o args= -p "$pid" 2>/dev/null | grep -qF -- "$STATE" && printf '%s' "$pid"
}

port_answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

http_ok() { curl -q --noproxy '*' -fsS -o /dev/null --max-time 2 "$1"; }

# require_port SERVER: dies when another program has it.
require_port() {
  local variable=BERTH_$1_PORT
  port_answers "${!variable}" &&
    die "port ${!variable} is taken by another program." "End that, or choose another: $variable=PORT ./berth up"
  return 0
}

# Variables that bash can neither name nor take away, such as server.port, which Spring would take
# for a setting.
UNNAMEABLE=()
while IFS= read -r line; do UNNAMEABLE+=(-u "$line"); done < <(env | sed -n 's/^\([^=]*[^A-Za-z0-9_=][^=]*\)=.*/\1/p')

# start NAME COMMAND...: in the background, in its own process group, which Ctrl-C does not reach.
start() {
  local name=$1
  shift
  pid_of "$name" >/dev/null && return
  set -m
  nohup env ${UNNAMEABLE[@]+"${UNNAMEABLE[@]}"} "$@" >>"$LOG/$name.log" 2>&1 </dev/null &
  local pid=$!
  echo "$pid" >"$RUN/$name.pid"
  set +m
  # On a busy machine the fork is still this script for a while, and would pass for a program that
  # has ended.
  while kill -0 "$pid" 2>/dev/null && ! pid_of "$name" >/dev/null; do sleep 0.02; done
}

# await NAME SECONDS COMMAND...: until the command succeeds; the process ending first is an error.
await() {
  local name=$1 deadline=$((SECONDS + $2))
  shift 2
  # In a subshell: a trap that interrupts a function writes to the function's redirections, here to
  # /dev/null.
  until ("$@") >/dev/null 2>&1; do
    pid_of "$name" >/dev/null || die "$name ended while it started; the end of $LOG/$name.log:" "$(end_of "$name")"
    ((SECONDS < deadline)) || die "$name did not become ready; see $LOG/$name.log."
    sleep 0.1
  done
}

stop() {
  local pid
  if pid=$(pid_of "$1"); then
    kill "$pid" 2>/dev/null || true
    local deadline=$((SECONDS + 60))
    # Not kill -0, which finds one that has ended until the first process reaps it.
    while pid_of "$1" >/dev/null && ((SECONDS < deadline)); do sleep 0.05; done
    if pid=$(pid_of "$1"); then kill -9 "$pid" 2>/dev/null || true; fi
  fi
  rm -f "$RUN/$1.pid"
}

# Processes of this stack that no pid file names, such as the children of one that was killed.
leftovers() {
  # By the environment, since awk's own command line is among those that it reads.
  ps -ww -e -o pid= -o args= | flag=$STACK_FLAG state=$STATE/ awk '
    { pid = $1; $1 = ""; sub(/^ /, ""); line = $0 " "
      # The path of a JDK may have blanks.
      ours = substr(line, index(line, " -") - 5, 5) == "/java" && index(line, " " ENVIRON["flag"] " ")
      # Another stack may run the Temporal of this one, or lie in its folder; the data folder tells
      # whose a server is.
      server = index(line, ENVIRON["state"] "data/") == 1 || index(line, " --db-filename " ENVIRON["state"] "data/temporal.db ")
      if (ours || server) print pid }'
}

# end_servers_in FOLDER: of a wrapper that was killed: their programs lie in their data folder.
end_servers_in() {
  local pid
  for pid in $(ps -ww -e -o pid= -o args= | folder=$1 awk '
    { pid = $1; $1 = ""; sub(/^ /, ""); if (index($0, ENVIRON["folder"]) == 1) print pid }'); do
    kill -9 "$pid" 2>/dev/null || true
  done
}

# on_own_stack COMMAND ARGUMENT...: runs the command again, on a stack in a folder of its own.
on_own_stack() {
  local command=$1
  [[ -z $(leftovers) ]] || die "the stack is running, and what runs on it would disturb this." "./berth down first."
  [[ ${BERTH_OWN_STACK:-} != "$command" ]] || return 0
  BERTH_OWN_STACK=$command BERTH_HOME=$STATE/$command exec "$ROOT/berth" "$@"
}
