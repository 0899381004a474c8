# shellcheck shell=bash
# The gateways: processes of their own, so that a restart of the API does not cut the workers off.
load lib/modules lib/environment lib/processes

GATEWAY_FLAGS=("${SMALL[@]}")
GATEWAY_ARCHIVE=(-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="$ROOT/target/gateway.jsa")

make_gateway_keys() {
  [[ -f $STATE/gateway/ca.crt ]] || "$JAVA" "${SMALL[@]}" "$STACK_FLAG" -cp "$(classpath "$GATEWAY_MODULE")" \
    "$AUTHORITY_MAIN" "$STATE/gateway" || die "the gateway's keys could not be made."
}

# start_gateway NAME: those after the first serve the same port; the system chooses the port of
# their metrics.
start_gateway() {
  (
    gateway_environment
    [[ $1 == gateway ]] || export SERVER_PORT=0
    start "$1" "$JAVA" -Xmx192m "${GATEWAY_FLAGS[@]}" "${GATEWAY_ARCHIVE[@]}" "$STACK_FLAG" "${QUIET[@]}" \
      '-Xlog:aot*=off' '-Xlog:cds*=off' \
      -XX:+ExitOnOutOfMemoryError -cp "$(classpath "$GATEWAY_MODULE")" "$GATEWAY_MAIN"
  )
}

# Their logs before this start are moved away: the next line "Started" is of this one.
start_other_gateways() {
  local number name
  for ((number = 2; number <= BERTH_GATEWAYS; number++)); do
    name=gateway-$number
    pid_of "$name" >/dev/null || { [[ ! -f $LOG/$name.log ]] || mv "$LOG/$name.log" "$LOG/$name.old.log"; }
    start_gateway "$name"
  done
}

# The port of their metrics is the system's choice, so the log tells.
await_other_gateways() {
  local number
  for ((number = 2; number <= BERTH_GATEWAYS; number++)); do
    await "gateway-$number" 120 grep -q "\"Started ${GATEWAY_MAIN##*.}" "$LOG/gateway-$number.log"
  done
}

# The names of those that share the port of the first and run.
other_gateways() {
  local file name
  for file in "$RUN"/gateway-*.pid; do
    name=$(basename "$file" .pid)
    if pid_of "$name" >/dev/null; then printf '%s ' "$name"; fi
  done
}
