# shellcheck shell=bash
# up [--replicas N]: starts what of the stack does not run; each replica is an API and orchestrator.
load lib/build lib/processes lib/environment lib/temporal lib/gateways lib/replicas lib/training lib/containers lib/cli
# A build ends what runs, and so does an interrupt.
load bin/down

run_up() { interruptible up_with_options "$@"; }

up_with_options() {
  local replicas=1
  if (($#)); then
    [[ $# == 2 && $1 == --replicas && $2 =~ ^[0-9]$ ]] || {
      printf "berth: up does not take '%s'.\n       Usage: ./berth up [--replicas N], N from 0 to 9\n" "$*" >&2
      exit 2
    }
    replicas=$2
  fi
  up "$replicas"
}

# up [REPLICAS]
up() {
  local replicas=${1:-1} is_cold=
  need curl curl
  prepare
  find_temporal
  stack_environment
  require_images
  if [[ -z $(leftovers) ]]; then
    is_cold=1
    forget_processes
  fi
  require_ports
  require_replica_ports "$replicas"
  write_worker_commands
  make_gateway_keys
  make_codec_key
  step "starting Temporal, PostgreSQL, Redis, SQS, ECS, venue, gateway"
  start_servers
  done_step
  if ((replicas == 0)); then
    say "The servers are up, and no API and orchestrator: no workflow goes on before ./berth up."
    return
  fi
  train
  step "starting the API and the orchestrator"
  [[ -f $STATE/token.key ]] || (exec_cli token alice) >/dev/null
  make_accounts_key
  start_first_replica
  done_step
  if ((replicas > 1)); then
    step "starting $((replicas - 1)) more of the API and the orchestrator"
    start_other_replicas "$replicas"
    done_step
  fi
  [[ -z $is_cold ]] || await_pool
  BERTH_BUILT=1 start gateway-watch "$ROOT/berth" watch-gateways "$STATE"
  train_cli
  addresses
}

# Without a server of this stack the processes of its pid files are gone, and the numbers may be of
# others.
forget_processes() {
  local file
  for file in "$RUN"/*.pid; do [[ $file == */gateway-watch.pid ]] || rm -f "$file"; done
}

# The ports of what does not run must be free.
require_ports() {
  local server name
  for server in TEMPORAL POSTGRES REDIS SQS ECS VENUE GATEWAY API; do
    name=$(tr '[:upper:]' '[:lower:]' <<<"$server")
    if pid_of "$name" >/dev/null || [[ $server == GATEWAY && -n $(other_gateways) ]]; then continue; fi
    # A wrapper that was killed may have left its server, which holds the port and the data.
    case $server in POSTGRES | REDIS) end_servers_in "$STATE/data/$name/" ;; esac
    require_port "$server"
    case $server in
      TEMPORAL) require_port UI ;;
      VENUE) require_port FIX ;;
      GATEWAY) require_port METRICS ;;
    esac
  done
}

start_servers() {
  # Else both would start a gateway that has ended.
  stop gateway-watch
  start_temporal
  start_local redis 48m
  start_local sqs 128m
  start_local venue 128m
  start_local ecs 96m
  start_local postgres 256m
  await temporal 60 temporal_cli operator cluster health
  await redis 60 port_answers "$BERTH_REDIS_PORT"
  remove_old_archives
  start_gateway gateway
  start_other_gateways
  await sqs 60 port_answers "$BERTH_SQS_PORT"
  await venue 60 http_ok "http://127.0.0.1:$BERTH_VENUE_PORT/_control/health"
  await ecs 60 http_ok "http://127.0.0.1:$BERTH_ECS_PORT/_control/health"
  await postgres 90 port_answers "$BERTH_POSTGRES_PORT"
  await temporal 60 temporal_cli operator namespace update --namespace berth --retention 720h
  await gateway 120 http_ok "http://127.0.0.1:$BERTH_METRICS_PORT/actuator/health/readiness"
  await_other_gateways
}

# start_local NAME HEAP
start_local() {
  start "$1" "$JAVA" "-Xmx$2" "${SMALL[@]}" -Xshare:auto "$STACK_FLAG" \
    "${QUIET[@]}" -cp "$(classpath "$LOCAL_MODULE")" "$LOCAL_MAIN" "$1"
}

# So that the first order after the start of everything meets an idle worker, as later ones do.
await_pool() {
  local target=${BERTH_POOL_TARGET:-2} deadline=$((SECONDS + 60))
  step "starting the pool's idle workers"
  until [[ $(idle_workers 2>/dev/null) =~ ^[0-9]+$ ]] && ((BASH_REMATCH >= target)); do
    ((SECONDS < deadline)) || { done_step "fewer than $target after 60 s"; return; }
    sleep 0.2
  done
  done_step
}

# The pool's idle workers, as Redis counts them.
idle_workers() {
  local answer
  {
    printf 'AUTH berth-api local\r\nZCARD pool:idle\r\n' >&3
    read -r -t 5 answer <&3 && read -r -t 5 answer <&3
  } 3<>"/dev/tcp/127.0.0.1/$BERTH_REDIS_PORT"
  answer=${answer%$'\r'}
  printf '%s' "${answer#:}"
}

# Whole or not at all: half a key would be refused at every later start. The umask lets only its
# owner read it.
make_accounts_key() {
  [[ -f $STATE/accounts.key ]] && return
  head -c 32 /dev/urandom >"$STATE/accounts.key.part" && mv "$STATE/accounts.key.part" "$STATE/accounts.key"
}

# A line: when it begins to encrypt, and the key. docs/encryption.md says how another is added.
make_codec_key() {
  [[ -f $STATE/codec.key ]] && return
  printf '%s %s\n' "$(date -u +%FT%TZ)" "$(head -c 32 /dev/urandom | base64)" >"$STATE/codec.key.part" &&
    mv "$STATE/codec.key.part" "$STATE/codec.key"
}

addresses() {
  say "Berth is up."
  say "  Page       http://127.0.0.1:$BERTH_API_PORT/          sign in with ./berth token ops --scope fleet"
  say "  API        http://127.0.0.1:$BERTH_API_PORT         Swagger UI  http://127.0.0.1:$BERTH_API_PORT/swagger-ui.html"
  local replica
  for replica in $(replicas_running); do
    say "  Replica    http://127.0.0.1:$(replica_port "${replica#api-}")"
  done
  say "  Web UI     http://127.0.0.1:$BERTH_UI_PORT/namespaces/berth/workflows"
  say "  Temporal   127.0.0.1:$BERTH_TEMPORAL_PORT, namespace berth   $TEMPORAL"
  say "  Payloads   encrypted; to read them in the Web UI: http://127.0.0.1:$BERTH_API_PORT/codec/sign-in"
  say "  Venue      http://127.0.0.1:$BERTH_VENUE_PORT/_control/book        FIX 4.4  127.0.0.1:$BERTH_FIX_PORT"
  say "  A token    ./berth token alice        Logs  $LOG/        End  ./berth down"
}
