# shellcheck shell=bash
# replay [--build PATH] ...: ends with 0: the code does the same, 1: it differs, 2: there is no such
# workflow, or wrong usage.
load lib/build lib/environment

run_replay() {
  if [[ ${1:-} == --build ]]; then
    [[ -x ${2:-}/berth && -f ${2:-}/$WORKER_MODULE/target/classpath ]] || {
      printf "berth: '%s' is no checkout that is built.\n       Name one in which ./berth up has run.\n" "${2:-}" >&2
      exit 2
    }
    BERTH_HOME=$STATE exec "$2/berth" replay "${@:3}"
  fi
  need_module "$REPLAY_MODULE"
  [[ -n ${BERTH_CODEC_KEY_FILE:-} || ! -f $STATE/codec.key ]] || export BERTH_CODEC_KEY_FILE=$STATE/codec.key
  BERTH_TEMPORAL_TARGET=${BERTH_TEMPORAL_TARGET:-127.0.0.1:$BERTH_TEMPORAL_PORT} "$JAVA" "${SMALL[@]}" "${QUIET[@]}" \
    -Dlogback.configurationFile=replay-log.xml -cp "$(classpath "$REPLAY_MODULE")" "$REPLAY_MAIN" "$@"
}
