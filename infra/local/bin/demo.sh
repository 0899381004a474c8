# shellcheck shell=bash
# demo: three users trade in three processes, one is killed and recovered; the stack stays up.
load bin/up

run_demo() {
  up
  "$JAVA" "$STACK_FLAG" "${SMALL[@]}" -cp "$(classpath "$ACCEPTANCE_MODULE")" -Dberth.root="$ROOT" "$DEMO_MAIN"
}
