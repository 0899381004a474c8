# shellcheck shell=bash
# test [--fast] [MAVEN-ARGUMENT...]: every test; --fast: those that need no stack.
load lib/build lib/temporal lib/processes

run_test() {
  local name
  make_folders
  find_jdk
  need_maven
  need_files
  find_temporal
  cd "$ROOT" || exit
  # Tests call the servers that they start, and no others. Maven reads none of these.
  for name in $(compgen -e); do
    case $name in
      BERTH_HOME | BERTH_BUILT | BERTH_OWN_STACK | BERTH_LOCAL_* | BERTH_*_PORT) ;;
      BERTH_* | AWS_* | SPRING_* | SERVER_* | MANAGEMENT_* | LOGGING_* | OTEL_* | TEMPORAL_* | *_PROXY | *_proxy)
        unset "$name"
        ;;
    esac
  done
  if [[ ${1:-} == --fast ]]; then
    shift
    set -- -Dberth.stack=none -Dspotless.check.skip=true "$@"
  fi
  if [[ " $* " != *" -Dberth.stack=none "* ]]; then
    if command -v node >/dev/null; then
      set -- -Paws "$@"
    else
      say "berth: without Node.js the tests of infra/aws are left out" >&2
    fi
  fi
  # Most tests wait for a server: two modules at a time.
  exec env ${UNNAMEABLE[@]+"${UNNAMEABLE[@]}"} "${MAVEN[@]}" -T 2 verify "$@"
}
