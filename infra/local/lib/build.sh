# shellcheck shell=bash
# Whether the checkout must be built, and the build.
load lib/modules lib/requirements

# Written after a build, with the checkout's path.
BUILT=$ROOT/target/built

# BERTH_BUILT=1: the caller has built already, such as the build that runs the acceptance tests.
needs_build() {
  [[ ${BERTH_BUILT:-} != 1 ]] || return 1
  # Class paths have the checkout's own path.
  [[ -f $BUILT && $(<"$BUILT") == "$ROOT" ]] || return 0
  [[ -z $(newer_than "$BUILT" '(' -name pom.xml -o -path '*/src/main*' ')') ]] || return 0
  local module
  for module in "${PROGRAMS[@]}"; do
    is_complete "$ROOT/$module/target/classpath" || return 0
  done
  return 1
}

# newer_than FILE TEST...: prints one file or folder of the modules that is newer and passes find's
# test. A folder is newer when a file in it was removed. The module of the cloud is built apart.
newer_than() {
  local file=$1
  shift
  (
    cd "$ROOT" || exit
    find . '(' -name target -o -name '.?*' -o -path ./docs -o -path '*/src/test' -o -path "./$CLOUD_MODULE" ')' -prune \
      -o "$@" -newer "$file" -print -quit
  )
}

build() {
  need_files
  needs_build || return 0
  load lib/processes bin/down
  # A running JVM must not find its jars changed under it.
  [[ -z $(leftovers) ]] || {
    say "The code has changed: ending what runs first."
    down
  }
  need_maven
  step "building (the first time also fetches the libraries)"
  mkdir -p "$ROOT/target"
  printf '%s\n' "$ROOT" >"$BUILT.next"
  package build || die "the build failed; the end of $LOG/build.log:" "$(grep -v WARNING "$LOG/build.log" | tail -n 15)"
  mv "$BUILT.next" "$BUILT"
  done_step
}

# package LOG FLAG...: Maven makes the jars, without tests.
package() {
  local log=$LOG/$1.log
  shift
  (cd "$ROOT" && "${MAVEN[@]}" -q "$@" -Dmaven.test.skip=true -Dspotless.check.skip=true package) >"$log" 2>&1
}

make_folders() { (umask 077 && mkdir -p "$RUN" "$LOG"); }

# need_module MODULE: one that is built serves, though its sources may have changed.
need_module() {
  make_folders
  find_jdk
  is_complete "$ROOT/$1/target/classpath" || build >&2
}

# Before servers start. What they write is for this user alone.
prepare() {
  need_for_servers
  umask 077
  mkdir -p "$RUN" "$LOG" "$STATE/data" "$ROOT/target"
  find_jdk
  build
}
