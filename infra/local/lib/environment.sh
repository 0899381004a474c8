# shellcheck shell=bash
# The environment of the servers: ports, addresses, keys. What the caller's shell has for other
# programs stays out.

: "${BERTH_API_PORT:=8080}" "${BERTH_TEMPORAL_PORT:=7233}" "${BERTH_UI_PORT:=8233}" "${BERTH_POSTGRES_PORT:=15432}"
: "${BERTH_REDIS_PORT:=16379}" "${BERTH_SQS_PORT:=19324}" "${BERTH_ECS_PORT:=18051}" "${BERTH_VENUE_PORT:=18090}"
: "${BERTH_FIX_PORT:=19880}" "${BERTH_GATEWAY_PORT:=17233}" "${BERTH_METRICS_PORT:=17234}" "${BERTH_GATEWAYS:=1}"
# How local ECS runs a worker: process, or container (needs root and runc, and ./berth image builds
# what it runs).
: "${BERTH_LOCAL_ISOLATION:=process}"
IMAGES=$ROOT/target/images

# Proxies, endpoints, Java options and profiles do not reach the servers. Builds and downloads come
# before this: they need it.
clean_environment() {
  local name
  for name in $(compgen -e); do
    # shellcheck disable=SC2163 # The variable of that name.
    case $name in
      PATH | HOME | USER | JAVA_HOME | LC_ALL | TMPDIR | TERM) ;;
      BERTH_* | SERVER_ADDRESS | SERVER_TOMCAT_MAX_CONNECTIONS) ;;
      OTEL_*) [[ -n ${BERTH_OTLP_ENDPOINT:-} ]] || export -n "$name" ;;
      *) export -n "$name" ;;
    esac
  done
  # PostgreSQL does not know every zone that Java knows, such as IST.
  export TZ=UTC
}

stack_environment() {
  clean_environment
  export BERTH_HOME=$STATE BERTH_API_PORT BERTH_TEMPORAL_PORT BERTH_POSTGRES_PORT BERTH_REDIS_PORT BERTH_SQS_PORT
  export BERTH_ECS_PORT BERTH_VENUE_PORT BERTH_FIX_PORT BERTH_GATEWAY_PORT
  export BERTH_GATEWAY_TARGET=127.0.0.1:$BERTH_GATEWAY_PORT BERTH_GATEWAY_CA_FILE=$STATE/gateway/ca.crt
  export BERTH_LOCAL_ISOLATION BERTH_LOCAL_IMAGES=$IMAGES
  export BERTH_TEMPORAL=$TEMPORAL BERTH_WORKER_COMMAND=$STATE/worker.command BERTH_TRAINING_COMMAND=$STATE/training.command
}

api_environment() {
  # shellcheck disable=SC2031 # Each process has its own, set in a subshell.
  export SERVER_PORT=$BERTH_API_PORT SERVER_ADDRESS=${SERVER_ADDRESS:-127.0.0.1}
  local_management
  export SPRING_TEMPORAL_CONNECTION_TARGET=127.0.0.1:$BERTH_TEMPORAL_PORT
  export SPRING_DATASOURCE_URL=jdbc:postgresql://127.0.0.1:$BERTH_POSTGRES_PORT/postgres
  # Migrations have a role of their own: the application may only add to the audit.
  export SPRING_DATASOURCE_USERNAME=berth_api SPRING_DATASOURCE_PASSWORD=local
  export SPRING_FLYWAY_USER=berth_owner SPRING_FLYWAY_PASSWORD=local
  export BERTH_REDIS_URI=redis://berth-api:local@127.0.0.1:$BERTH_REDIS_PORT
  # With an issuer, tokens are the issuer's.
  [[ -n ${BERTH_AUTH_ISSUER:-} ]] || export BERTH_AUTH_KEY_FILE=$STATE/token.key
  # Exactly one key may be set.
  [[ -n ${BERTH_ACCOUNTS_KMS_KEY:-} ]] || export BERTH_ACCOUNTS_KEY_FILE=${BERTH_ACCOUNTS_KEY_FILE:-$STATE/accounts.key}
  export BERTH_CODEC_KEY_FILE=${BERTH_CODEC_KEY_FILE:-$STATE/codec.key}
  export BERTH_PAGE_TEMPORAL_UI=${BERTH_PAGE_TEMPORAL_UI:-http://127.0.0.1:$BERTH_UI_PORT/namespaces/berth/workflows}
  export BERTH_WEBHOOKS_ALLOW_PRIVATE=${BERTH_WEBHOOKS_ALLOW_PRIVATE:-true}
  export BERTH_CODEC_UI_ORIGINS=http://127.0.0.1:$BERTH_UI_PORT,http://localhost:$BERTH_UI_PORT
  # Set but empty: the archive is off.
  export BERTH_RETENTION_ARCHIVE=${BERTH_RETENTION_ARCHIVE-$STATE/archive}
  export BERTH_ACCOUNTS_PAPER_DEFAULT=${BERTH_ACCOUNTS_PAPER_DEFAULT:-true}
  export BERTH_ORDERS_SYMBOLS=${BERTH_ORDERS_SYMBOLS:-AAPL,MSFT,NVDA,TSLA,SPY}
  export BERTH_RISK_QUOTES_URL=${BERTH_RISK_QUOTES_URL:-http://127.0.0.1:$BERTH_VENUE_PORT}
  local_aws
  export AWS_ENDPOINT_URL_ECS=http://127.0.0.1:$BERTH_ECS_PORT
  # The only ones that they have.
  export BERTH_ECS_CLUSTER=berth BERTH_ECS_TASK_DEFINITION=berth-worker
  export BERTH_SQS_POOL_CLAIM=pool-claim BERTH_SQS_TASK_EVENTS=task-events
  export BERTH_GATEWAY_ENROLMENT_KEY_FILE=$STATE/gateway/enrolment.key
}

local_aws() {
  # Nor does a profile in the home folder count.
  export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
  export AWS_ENDPOINT_URL_SQS=http://127.0.0.1:$BERTH_SQS_PORT
  export AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local
}

# Spring resolves the port, so that a replica on another one has its own. Who runs this reaches all
# ports anyway.
local_management() {
  # shellcheck disable=SC2016
  export MANAGEMENT_SERVER_PORT='${server.port}' SPRINGDOC_USE_MANAGEMENT_PORT=false
}

# Of the keys only its own: workers call it.
gateway_environment() {
  local_management
  export BERTH_ROLES=gateway SERVER_PORT=$BERTH_METRICS_PORT SERVER_ADDRESS=127.0.0.1 BERTH_GATEWAY_REUSE_PORT=true
  export SPRING_TEMPORAL_CONNECTION_TARGET=127.0.0.1:$BERTH_TEMPORAL_PORT
  export BERTH_REDIS_URI=redis://berth-gateway:local@127.0.0.1:$BERTH_REDIS_PORT
  # The journals of FIX sessions, and nothing else.
  export SPRING_DATASOURCE_URL=jdbc:postgresql://127.0.0.1:$BERTH_POSTGRES_PORT/postgres
  export SPRING_DATASOURCE_USERNAME=berth_gateway SPRING_DATASOURCE_PASSWORD=local
  export BERTH_CODEC_KEY_FILE=${BERTH_CODEC_KEY_FILE:-$STATE/codec.key}
  gateway_keys
  local_aws
  export BERTH_SQS_POOL_CLAIM=pool-claim
}

gateway_keys() {
  export BERTH_GATEWAY_KEY_FILE=$STATE/gateway/gateway.key BERTH_GATEWAY_TRAINING=true
  export BERTH_GATEWAY_CA_CERTIFICATE_FILE=$STATE/gateway/ca.crt BERTH_GATEWAY_CA_KEY_FILE=$STATE/gateway/ca.key
}

# For a process with every role, which trains the class archive of them all.
training_environment() {
  BERTH_TRAINING_TOKEN=$(exec_cli token training) || die "the training has no token."
  export BERTH_TRAINING_TOKEN
  api_environment
  gateway_keys
  export BERTH_ROLES=api,orchestrator,gateway
}
