# shellcheck shell=bash
# down [--wipe]: ends every process of the stack.
load lib/processes lib/gateways lib/replicas lib/containers lib/requirements

run_down() {
  # Before anything else: who mistypes --wipe wants another thing than a plain stop.
  if (($#)) && [[ $* != --wipe ]]; then
    printf "berth: down does not take '%s'.\n       Usage: ./berth down [--wipe]\n" "$*" >&2
    exit 2
  fi
  down "$@"
}

# down [--wipe]
down() {
  [[ -d $STATE ]] || return 0
  need_ps
  local name pid
  # What would start the API or a gateway again; then the orchestrator, so that it does not replace
  # what is stopped next; then the workers with their ECS.
  for name in restart gateway-watch $(replicas_running) api ecs venue $(other_gateways) gateway sqs redis postgres temporal; do
    stop "$name"
  done
  remove_containers
  # What is killed takes a moment to be gone.
  local tries=50
  until [[ -z $(leftovers) ]] || ((tries-- == 0)); do
    for pid in $(leftovers); do kill -9 "$pid" 2>/dev/null || true; done
    sleep 0.1
  done
  if [[ ${1:-} == --wipe ]]; then
    rm -rf "$STATE/data" "$LOG" "$RUN" "$STATE/gateway" "$STATE"/{token,accounts,codec}.key
  fi
  say "Berth is down.${1:+ Its data are gone.}"
}
