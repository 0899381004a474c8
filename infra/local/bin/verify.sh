# shellcheck shell=bash
# verify [-o json] ...: compares Temporal, PostgreSQL and the venue, and prints each broken promise.
load lib/build lib/environment

run_verify() {
  need_module "$ACCEPTANCE_MODULE"
  clean_environment
  "$JAVA" "${SMALL[@]}" "${QUIET[@]}" -cp "$(classpath "$ACCEPTANCE_MODULE")" -Dberth.root="$ROOT" "$VERIFY_MAIN" "$@"
}
