# shellcheck shell=bash
# cli COMMAND ...: those of operators and traders, such as info and order.
load lib/build lib/cli

run_cli() {
  need_module "$CLI_MODULE"
  exec_cli "$@"
}
