# shellcheck shell=bash
# chaos [--minutes N] ...: everything fails on a new stack of its own. One that broke a promise is
# kept until the next run.
load lib/build lib/environment lib/processes bin/down

run_chaos() {
  need_module "$ACCEPTANCE_MODULE"
  local plan
  # Wrong usage is told before anything starts.
  plan=$(chaos --plan "$@")
  [[ " $* " != *" --plan "* ]] || { say "$plan"; return; }
  on_own_stack chaos "$@"
  down --wipe >/dev/null
  trap 'down --wipe >/dev/null' EXIT
  trap 'exit 130' INT TERM
  "$ROOT/berth" up >/dev/null
  # Nothing is built any more, though the sources may change meanwhile.
  clean_environment
  BERTH_BUILT=1 chaos "$@" && return
  trap - EXIT
  down >/dev/null
  say "Kept until the next run: $STATE. To look at it: BERTH_HOME=$STATE ./berth up"
  return 1
}

chaos() {
  "$JAVA" "$STACK_FLAG" -XX:+UseSerialGC "${QUIET[@]}" -cp "$(classpath "$ACCEPTANCE_MODULE")" -Dberth.root="$ROOT" \
    "$CHAOS_MAIN" "$@"
}
