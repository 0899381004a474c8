# shellcheck shell=bash
# capacity --host-cpu UNITS --host-memory MIB ...: how many workers fit on a host.
load lib/build

run_capacity() {
  need_module "$LOCAL_MODULE"
  "$JAVA" "${SMALL[@]}" -cp "$(classpath "$LOCAL_MODULE")" "$CAPACITY_MAIN" "$@"
}
