# shellcheck shell=bash
# test [--fast] [MAVEN-ARGUMENT...]: every test; --fast: those that need no stack.
# test --long [PART] [MAVEN-ARGUMENT...]: the tests tagged long: each part, or one, or one class.
load lib/build lib/temporal lib/processes

REPORT=workflows/src/test/java/dev/berth/workflows/guardrails/TestReport.java
# Each takes at most an hour.
LONG_PARTS=(modules stacks alarms)

run_test() {
  local name status=0
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
  case ${1:-} in
    --long)
      shift
      run_long "$@" || status=$?
      test_report || status=1
      ;;
    --fast)
      shift
      # Of the results of a whole run it would say less than there is.
      maven_verify -Dberth.stack=none -Dspotless.check.skip=true "$@" || status=$?
      ;;
    '')
      find . -path '*/target/surefire-reports' -prune -exec rm -rf {} +
      with_cloud maven_verify || status=$?
      test_report --whole || status=1
      ;;
    *)
      with_cloud maven_verify "$@" || status=$?
      test_report || status=1
      ;;
  esac
  return "$status"
}

# Most tests wait for a server: two modules at a time.
maven_verify() { env ${UNNAMEABLE[@]+"${UNNAMEABLE[@]}"} "${MAVEN[@]}" -T 2 verify "$@"; }

with_cloud() {
  if command -v node >/dev/null; then
    "$@" -Paws
  else
    say "berth: without Node.js the tests of infra/aws are left out" >&2
    "$@"
  fi
}

# test_report [--whole]: what was skipped, what the results of the modules prove, and their number.
test_report() { "$JAVA" "${SMALL[@]}" "$REPORT" "$@"; }

# run_long [PART|CLASS] [MAVEN-ARGUMENT...]: without a part, those that have not passed since the
# last change of a file.
run_long() {
  local part
  mkdir -p "$STATE/long"
  if (($#)) && [[ $1 != -* ]]; then
    long_part "$@"
    return
  fi
  for part in "${LONG_PARTS[@]}"; do
    if [[ -f $STATE/long/$part && -z $(changed_since "$STATE/long/$part") ]]; then
      say "The part $part passed already."
    else
      long_part "$part" "$@" || return
    fi
  done
}

changed_since() {
  find . '(' -name target -o -name '.?*' ')' -prune -o -type f -newer "$1" -print -quit
}

# The reports of these tests stand beside those of the others.
long_part() {
  local part=$1 started=$STATE/long/started tests
  shift
  case $part in
    modules) tests=(-pl "!$ACCEPTANCE_MODULE") ;;
    stacks) tests=(-pl "$ACCEPTANCE_MODULE" -am '-Dtest=dev/berth/acceptance/**/*Test,!AlarmDrillTest') ;;
    # A fifth of the windows and pending times of the rules.
    alarms) tests=(-pl "$ACCEPTANCE_MODULE" -am -Dtest=AlarmDrillTest -Dberth.alarms.factor=5) ;;
    *) tests=("-Dtest=$part") ;;
  esac
  touch "$started"
  maven_verify -Dgroups=long -DexcludedGroups= -Dsurefire.reportNameSuffix=long \
    -Dsurefire.failIfNoSpecifiedTests=false "${tests[@]}" "$@" || return
  # A class alone leaves its part to do.
  [[ " ${LONG_PARTS[*]} " != *" $part "* ]] || mv "$started" "$STATE/long/$part"
}
