# shellcheck shell=bash
# The replicas of the API and orchestrator. The first is `api`; the nth has its port plus n - 1.
load lib/modules lib/environment lib/processes

# C1 alone: on two cores C2 takes half of the CPU of a start, and pays it back after minutes only.
API_FLAGS=(-Xmx512m -XX:+UseG1GC -XX:TieredStopAtLevel=1 '-Xlog:aot*=off' '-Xlog:cds*=off' -XX:+ExitOnOutOfMemoryError)
# Written at the first orderly end after a build; it halves the starts that follow.
API_ARCHIVE=(-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="$ROOT/target/api.jsa")

replica_port() { echo $((BERTH_API_PORT + $1 - 1)); }

# The replicas beside the first.
replicas_running() {
  local file
  for file in "$RUN"/api-*.pid; do
    [[ ! -f $file ]] || basename "$file" .pid
  done
}

require_replica_ports() {
  local number
  for ((number = 2; number <= $1; number++)); do
    pid_of "api-$number" >/dev/null || ! port_answers "$(replica_port "$number")" ||
      die "port $(replica_port "$number"), of replica $number, is taken by another program." \
        "End that, or choose another for the first: BERTH_API_PORT=PORT ./berth up --replicas $1"
  done
}

start_first_replica() {
  # One that was told to end, and writes its class archive for some seconds, answers no more.
  local deadline=$((SECONDS + 60))
  while pid_of api >/dev/null && ! port_answers "$BERTH_API_PORT" && ((SECONDS < deadline)); do sleep 0.2; done
  (
    api_environment
    start_api
  )
}

# start_api: as its environment says.
start_api() {
  start api "$JAVA" "${API_FLAGS[@]}" "${API_ARCHIVE[@]}" "$STACK_FLAG" "${QUIET[@]}" \
    -XX:OnOutOfMemoryError="'$ROOT/berth' restart-api %p" -cp "$(classpath "$SERVER_MODULE")" "$SERVER_MAIN"
  await api 120 http_ok "http://127.0.0.1:$BERTH_API_PORT/actuator/health/readiness"
}

# start_other_replicas REPLICAS: the first has migrated the database and writes their class archive.
start_other_replicas() {
  local number archive=("${API_ARCHIVE[@]/#-XX:+AutoCreateSharedArchive/-Xshare:auto}")
  for ((number = 2; number <= $1; number++)); do
    (
      api_environment
      SERVER_PORT=$(replica_port "$number")
      export SERVER_PORT
      start "api-$number" "$JAVA" "${API_FLAGS[@]}" "${archive[@]}" "$STACK_FLAG" "${QUIET[@]}" \
        -cp "$(classpath "$SERVER_MODULE")" "$SERVER_MAIN"
    )
  done
  for ((number = 2; number <= $1; number++)); do
    await "api-$number" 120 http_ok "http://127.0.0.1:$(replica_port "$number")/actuator/health/readiness"
  done
}
