# shellcheck shell=bash
# The commands that call the API are a Java program. A class cache, made by `up`, halves its start.
load lib/modules lib/environment

CLI_CACHE=$ROOT/target/cli.aot

# cli_java FLAG...: sets CLI to the command line of that program.
cli_java() {
  local path
  path=$(classpath "$CLI_MODULE")
  CLI_JAR=${path%%:*}
  CLI=("$JAVA" -Xmx128m "${SMALL[@]}" -XX:-UsePerfData "$@" -cp "$path" "$CLI_MAIN")
}

# Ends this shell.
exec_cli() {
  # Another API may be behind the caller's proxy, or need its certificates.
  [[ -n ${BERTH_API_URL:-} ]] || clean_environment
  export BERTH_HOME=$STATE BERTH_API_PORT
  cli_java "-XX:AOTCache=$CLI_CACHE" '-Xlog:aot*=off' '-Xlog:cds*=off'
  # The JVM does not use the cache of another jar, and says so.
  [[ $CLI_CACHE -nt $CLI_JAR ]] || cli_java
  exec "${CLI[@]}" "$@"
}

# Any answer of the API will do: it is the classes that count.
train_cli() {
  cli_java "-XX:AOTCacheOutput=$CLI_CACHE.$$"
  [[ $CLI_CACHE -nt $CLI_JAR ]] && return
  if (export BERTH_HOME=$STATE BERTH_API_PORT && "${CLI[@]}" info) >"$LOG/train-cli.log" 2>&1; then
    mv "$CLI_CACHE.$$" "$CLI_CACHE"
  else
    rm -f "$CLI_CACHE.$$"
  fi
}
