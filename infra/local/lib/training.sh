# shellcheck shell=bash
# Class archives, which shorten starts. They belong to a build, whichever stack made them.
load lib/modules lib/environment lib/temporal

# The workers'. `train` makes it; their command lines are those of STATE/worker.command and
# STATE/training.command.
ARCHIVE=$ROOT/target/worker.aot

local_server() { "$JAVA" "$STACK_FLAG" -cp "$(classpath "$LOCAL_MODULE")" "$LOCAL_MAIN" "$@"; }

# One argument a line. The class archive fits these flags and this class path, and no others.
write_worker_commands() {
  local flags program
  # The same as in the image.
  # shellcheck disable=SC2207 # A flag has no blank.
  flags=("$JAVA" $(grep -v '^#' "$ROOT/infra/images/worker/jvm"))
  program=("$STACK_FLAG" -cp "$(classpath "$WORKER_MODULE")" "$WORKER_MAIN")
  printf '%s\n' "${flags[@]}" "-XX:AOTCacheOutput=$ARCHIVE.$$" "${program[@]}" >"$BERTH_TRAINING_COMMAND"
  printf '%s\n' "${flags[@]}" "-XX:AOTCache=$ARCHIVE" '-Xlog:aot*=off' '-Xlog:cds*=off' "${program[@]}" \
    >"$BERTH_WORKER_COMMAND"
}

archive_key() {
  {
    "$JAVA" -version 2>&1
    grep -v -e ^-XX:AOTCacheOutput= -e ^-Dberth.stack= "$BERTH_TRAINING_COMMAND"
    own_jars "$WORKER_MODULE" | while IFS= read -r jar; do ls -l "$jar"; done
  } | cksum
}

train() {
  # The images have theirs.
  [[ $BERTH_LOCAL_ISOLATION == process ]] || return 0
  [[ -f $ARCHIVE && $(cat "$ARCHIVE.key" 2>/dev/null) == "$(archive_key)" ]] && return
  step "training the workers' class archive (once a build)"
  local_server train >"$LOG/train.log" 2>&1 || die "the training run failed; see $LOG/train.log."
  # Another stack may be training, or starting workers, at this moment.
  mv "$ARCHIVE.$$" "$ARCHIVE"
  archive_key >"$ARCHIVE.key"
  # What the training signaled is served by nothing, and would end as timed out in every list.
  temporal_cli workflow delete --namespace berth --query "WorkflowType='ClaimWarmUp'" --yes >/dev/null
  done_step
}

# The API's and the gateway's, with profiles, for the compiler that their image uses: local ones
# live too short for it.
SERVER_ARCHIVE=$ROOT/target/berth.aot

# as_in_the_image: what starts from now on is compiled as in the image. Ends the stack's API and
# gateway when it has to train first.
as_in_the_image() {
  local flag flags=()
  for flag in "${API_FLAGS[@]}"; do [[ $flag == -XX:TieredStopAtLevel=1 ]] || flags+=("$flag"); done
  API_FLAGS=("${flags[@]}")
  [[ $SERVER_ARCHIVE -nt $BUILT ]] || train_servers
  API_ARCHIVE=(-XX:AOTCache="$SERVER_ARCHIVE")
  GATEWAY_FLAGS=(-XX:+UseG1GC)
  GATEWAY_ARCHIVE=("${API_ARCHIVE[@]}")
}

train_servers() {
  up
  (
    training_environment
    stop gateway-watch
    stop api
    stop gateway
    API_ARCHIVE=(-XX:AOTCacheOutput="$SERVER_ARCHIVE")
    start_api
    local_server train-orders || exit
    # The JVM writes the archive at its end, for longer than `stop` waits.
    kill "$(pid_of api)"
    while pid_of api >/dev/null; do sleep 0.2; done
    [[ -f $SERVER_ARCHIVE ]]
  ) >"$LOG/train-servers.log" 2>&1 || die "the training failed; the end of $LOG/train-servers.log:" "$(end_of train-servers)"
  down --wipe >/dev/null
}

# The JVM neither uses a class archive of other jars nor writes another in its place.
remove_old_archives() {
  remove_older_archive "$ROOT/target/api.jsa" "$SERVER_MODULE"
  remove_older_archive "$ROOT/target/gateway.jsa" "$GATEWAY_MODULE"
}

# remove_older_archive ARCHIVE MODULE: one that is older than what the module runs.
remove_older_archive() {
  local file
  while IFS= read -r file; do
    [[ ! $file -nt $1 ]] || rm -f "$1"
  done < <(echo "$ROOT/$2/target/classpath" && own_jars "$2")
}
