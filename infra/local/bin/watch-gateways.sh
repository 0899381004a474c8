# shellcheck shell=bash
# watch-gateways: starts a gateway that has ended, as ECS does in a cloud account, until `up` or
# `down` ends this. A new one needs some seconds: a pause of a few more leaves time to `up`.
load lib/requirements lib/gateways

run_watch_gateways() {
  find_jdk
  local number name missing=()
  while sleep 1; do
    for ((number = 1; number <= BERTH_GATEWAYS; number++)); do
      name=gateway-$number
      ((number > 1)) || name=gateway
      if pid_of "$name" >/dev/null; then
        missing[number]=0
      elif [[ -f $RUN/$name.pid ]] && ((++missing[number] >= 5)); then
        printf '%s had ended, and is started again\n' "$name"
        start_gateway "$name"
      fi
    done
  done
}
