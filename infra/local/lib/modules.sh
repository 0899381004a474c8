# shellcheck shell=bash
# shellcheck disable=SC2034 # Other files read these.
# Where the modules lie, their main classes, and their class paths. A module that moves changes its
# lines here; infra/images/build and .ci/run read them, too.

SERVER_MODULE=api/server
SERVER_MAIN=dev.berth.server.BerthApplication
HEALTH_MAIN=dev.berth.server.HealthCheck

# The gateway's process is a server with another role.
GATEWAY_MODULE=api/server
GATEWAY_MAIN=dev.berth.server.BerthApplication
AUTHORITY_MAIN=dev.berth.gateway.NewAuthority

REPLAY_MODULE=api/server
REPLAY_MAIN=dev.berth.temporal.replay.Replay

WORKER_MODULE=worker-host
WORKER_MAIN=dev.berth.host.WorkerHost

CLI_MODULE=clients/cli
CLI_MAIN=dev.berth.cli.BerthCli

LOCAL_MODULE=infra/local/stack
LOCAL_MAIN=dev.berth.local.stack.LocalServer
CAPACITY_MAIN=dev.berth.local.stack.capacity.Capacity

ACCEPTANCE_MODULE=acceptance
DEMO_MAIN=dev.berth.acceptance.demo.Demo
BENCH_MAIN=dev.berth.acceptance.bench.Bench
PLOT_MAIN=dev.berth.acceptance.bench.BenchPlot
CHAOS_MAIN=dev.berth.acceptance.chaos.Chaos
VERIFY_MAIN=dev.berth.acceptance.verify.Verify

# Built by a profile of its own.
CLOUD_MODULE=infra/aws
CLOUD_MAIN=dev.berth.aws.BerthCloud
COST_MAIN=dev.berth.aws.MonthlyCost

TEMPORAL_SETTINGS=temporal-config/src/main/resources/temporal
CONTAINER_NETWORK=infra/local/ecs/src/main/resources/dev/berth/local/ecs/container-network.sh

# Those whose class path a build writes.
PROGRAMS=("$WORKER_MODULE" "$SERVER_MODULE" "$CLI_MODULE" "$LOCAL_MODULE" "$ACCEPTANCE_MODULE")

# Libraries that reach into the JDK are known; the JVM's warnings would hide what matters.
QUIET=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow)
# For programs that run briefly, or do little.
SMALL=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)

# classpath MODULE
classpath() {
  local own
  own=$(echo "$ROOT/$1"/target/berth-*-SNAPSHOT.jar)
  # While a module is tested its jar is not made yet.
  [[ -f $own ]] || own=$ROOT/$1/target/classes
  printf '%s:%s' "$own" "$(<"$ROOT/$1/target/classpath")"
}

# own_jars MODULE: of its class path what this checkout builds, a line each.
own_jars() {
  local entry entries
  IFS=: read -r -a entries <<<"$(classpath "$1")"
  for entry in "${entries[@]}"; do
    [[ ! $entry =~ /target/berth-[^/]*\.jar$ ]] || printf '%s\n' "$entry"
  done
}

# is_complete CLASSPATH: whether its libraries are still there.
is_complete() {
  local entry entries
  [[ -f $1 ]] || return 1
  IFS=: read -r -a entries <"$1" || true
  for entry in ${entries[@]+"${entries[@]}"}; do [[ -e $entry ]] || return 1; done
}
