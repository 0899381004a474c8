# shellcheck shell=bash
# bench [--full] [--check] [--seed=N] [-o json] [PART...]: measures on a new stack of its own.
load bin/up

# Those measured when none is named; the others take minutes, or kill what they measure.
QUICK_PARTS=(cold claim orders load)
ALL_PARTS=(cold claim orders load cost kills fleet orchestrator switch flood gateways streams remote fix tracing reads simulate sweep)
# Those with a baseline in the same run.
CHECKED_PARTS=(orders load)
# Not in --full: it needs root, runc and the images.
CONTAINER_PART=isolation

run_bench() {
  [[ ${1:-} != plot ]] || { plot "${@:2}"; return; }
  local argument part parts=() flags=() wrong=0
  for argument in "$@"; do
    case $argument in
      --full | --check | --seed=[0-9]* | -ojson) flags+=("$argument") ;;
      -o) ;;
      json) flags+=(-ojson) ;;
      *)
        [[ " ${ALL_PARTS[*]} $CONTAINER_PART " == *" $argument "* ]] || bench_usage "$argument"
        parts+=("$argument")
        ;;
    esac
  done
  if ((${#parts[@]} == 0)); then
    parts=("${QUICK_PARTS[@]}")
    [[ " ${flags[*]:-} " != *" --check "* ]] || parts=("${CHECKED_PARTS[@]}")
    [[ " ${flags[*]:-} " != *" --full "* ]] || parts=("${ALL_PARTS[@]}")
  fi
  # An account's orders are to be limited by Berth alone.
  export BERTH_VENUE_REQUESTS_PER_MINUTE=${BERTH_VENUE_REQUESTS_PER_MINUTE:-1000000}
  on_own_stack bench ${flags[@]+"${flags[@]}"} "${parts[@]}"
  trap 'down --wipe >/dev/null' EXIT
  trap 'exit 130' INT TERM
  prepare
  as_in_the_image >/dev/null
  local stack='' headed=''
  [[ " ${flags[*]:-} " != *" -ojson "* ]] || headed=1
  for part in "${parts[@]}"; do
    prepare_stack_for "$part" >/dev/null
    if [[ -z $headed ]]; then
      headed=1
      say "$(printf '%-50s %5s %10s %10s %10s   %s' "milliseconds, unless it says else" samples median p99 max goal)"
    fi
    # Nothing is built any more, though the sources may change meanwhile.
    if [[ $part == isolation ]]; then
      measure_isolation ${flags[@]+"${flags[@]}"} || wrong=1
      stack=
    else
      BERTH_BUILT=1 measure "$part" ${flags[@]+"${flags[@]}"} || wrong=1 stack=
    fi
    # It may have left users behind, who would disturb the next part.
    [[ -n $stack && $part != sweep && $part != streams && $part != tracing ]] || {
      down --wipe >/dev/null
      stack=
    }
  done
  return "$wrong"
}

bench_usage() {
  die "there is nothing to measure called '$1'." \
    "Usage: ./berth bench [--full] [--check] [--seed=N] [-o json] [PART...], or bench plot A.json B.json;" \
    "parts: ${ALL_PARTS[*]} $CONTAINER_PART"
}

# prepare_stack_for PART: starts the API again unless the stack is what the part needs: cold starts
# need an empty pool, the sweep also a shorter time between two proofs, streams more replicas, the
# others a full pool.
prepare_stack_for() {
  local wanted
  case $1 in
    cold | isolation) wanted=empty ;;
    sweep) wanted=phantoms ;;
    streams) wanted=replicas ;;
    *) wanted=full ;;
  esac
  [[ $wanted != "$stack" ]] || return 0
  stop api
  case $wanted in
    empty) BERTH_POOL_TARGET=0 up ;;
    phantoms) BERTH_POOL_TARGET=0 BERTH_SWEEP_EVERY=PT10S up ;;
    # Idle streams answer no ping.
    replicas)
      export BERTH_STREAMS_MAX=20000 BERTH_WEB_SOCKET_PING=PT10M SERVER_TOMCAT_MAX_CONNECTIONS=20000
      up 3
      ;;
    full) up ;;
  esac
  stack=$wanted
}

# measure PART FLAG...: prints its rows; fails when something was lost or doubled, or, with --check, a
# ratio missed its goal. The baseline's processes have the flags of Berth's.
measure() {
  local json=()
  [[ " $* " != *" -ojson "* ]] || json=(-Dberth.bench.json=true)
  "$JAVA" "$STACK_FLAG" "${QUIET[@]}" -cp "$(classpath "$ACCEPTANCE_MODULE")" -Dberth.root="$ROOT" \
    -Dberth.api.flags="${API_FLAGS[*]}" ${json[@]+"${json[@]}"} "$BENCH_MAIN" "$@"
}

# plot A.json B.json: an SVG of the medians of two runs, beside each other.
plot() {
  need_module "$ACCEPTANCE_MODULE"
  "$JAVA" "${SMALL[@]}" -cp "$(classpath "$ACCEPTANCE_MODULE")" "$PLOT_MAIN" "$@"
}

# measure_isolation FLAG...: cold starts and memory as process and container, in turn on one stack.
measure_isolation() {
  local turn wrong=0
  BERTH_LOCAL_ISOLATION=container require_images
  for turn in process container process container; do
    stop ecs
    BERTH_LOCAL_ISOLATION=$turn BERTH_POOL_TARGET=0 up >/dev/null
    say "as $turn"
    BERTH_BUILT=1 measure cold "$@" || wrong=1
  done
  return "$wrong"
}
